/* emit_origin.c - which blocks of the mod file an entry comes from, for
 * comments. */
#include <ctype.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"

static const char *const keywords[] = {
    [BOSC_NM_BLOCK_INITIAL] = "INITIAL",
    [BOSC_NM_BLOCK_BREAKPOINT] = "BREAKPOINT",
    [BOSC_NM_BLOCK_DERIVATIVE] = "DERIVATIVE",
    [BOSC_NM_BLOCK_KINETIC] = "KINETIC",
    [BOSC_NM_BLOCK_LINEAR] = "LINEAR",
    [BOSC_NM_BLOCK_NONLINEAR] = "NONLINEAR",
    [BOSC_NM_BLOCK_DISCRETE] = "DISCRETE",
    [BOSC_NM_BLOCK_FUNCTION] = "FUNCTION",
    [BOSC_NM_BLOCK_PROCEDURE] = "PROCEDURE",
    [BOSC_NM_BLOCK_NET_RECEIVE] = "NET_RECEIVE",
};

/* What is being written: the places after the first follow a comma. */
typedef struct writer {
    FILE *out;
    const bosc_nm_program *p;
    int n;
} writer;

static void write_place(writer *w, const char *what, const char *name,
                        bosc_nm_place place)
{
    fprintf(w->out, "%s%s%s%s", w->n++ == 0 ? "from " : ", ", what,
            name[0] != '\0' ? " " : "", name);
    if (place.line > 0)
        fprintf(w->out, ", line %d", place.line);
    if (place.source != NULL && place.source != w->p->m->file->source) {
        fputs(" of ", w->out);
        bosc_nm_emit_plain(w->out, place.source->name);
    }
}

static void write_block(writer *w, const bosc_nm_symbol *routine)
{
    const bosc_nm_block *block = routine == NULL ? NULL : routine->def.block;

    if (block != NULL)
        write_place(
            w, block->moment != NULL ? block->moment : keywords[block->kind],
            block->name, block->place);
}

/* Has an earlier SOLVE of the list the same block? */
static bool is_again(const bosc_nm_list *code, int n, const char *name)
{
    for (int i = 0; i < n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_SOLVE && strcmp(stmt->name, name) == 0)
            return true;
    }
    return false;
}

/* The blocks that are solved, also under IF. */
static void write_solved(writer *w, const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_SOLVE && !is_again(code, i, stmt->name))
            write_block(w, bosc_nm_find(w->p->m, stmt->name));
        write_solved(w, &stmt->body);
        write_solved(w, &stmt->otherwise);
    }
}

/* The INITIAL in NET_RECEIVE. */
static void write_connect(writer *w, const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_INITIAL)
            write_place(w, "INITIAL of NET_RECEIVE", "", stmt->place);
    }
}

static void write_initial(writer *w, const bosc_nm_mechanism *m)
{
    write_block(w, m->at[BOSC_NM_BEFORE_INITIAL]);
    write_block(w, m->initial);
    write_block(w, m->at[BOSC_NM_AFTER_INITIAL]);
    write_block(w, m->at[BOSC_NM_BEFORE_STEP]);
}

void bosc_nm_emit_origin(FILE *out, const bosc_nm_program *p,
                         bosc_nm_entry_kind kind)
{
    const bosc_nm_mechanism *m = p->m;
    writer w = {out, p, 0};

    if (kind == BOSC_NM_INIT)
        write_initial(&w, m);
    if (kind == BOSC_NM_CURRENT)
        write_block(&w, m->at[BOSC_NM_BEFORE_BREAKPOINT]);
    if (kind == BOSC_NM_ADVANCE && m->breakpoint != NULL)
        write_solved(&w, &m->breakpoint->def.block->body);
    if (kind == BOSC_NM_CURRENT || (kind == BOSC_NM_ADVANCE && !p->has_current))
        write_block(&w, m->breakpoint);
    if (kind == BOSC_NM_ADVANCE) {
        write_block(&w, m->at[BOSC_NM_AFTER_SOLVE]);
        write_block(&w, m->at[BOSC_NM_BEFORE_STEP]);
    }
    if (kind == BOSC_NM_RECEIVE)
        write_block(&w, m->receive);
    if (kind == BOSC_NM_CONNECT && m->receive != NULL)
        write_connect(&w, &m->receive->def.block->body);
    for (int i = 0; kind == BOSC_NM_WATCHES && i < m->watches.n; ++i)
        write_place(&w, "WATCH", "",
                    ((const bosc_nm_watch *)m->watches.item[i])->stmt->place);
    if (w.n == 0)
        fputs("from no block of the file", out);
}

/* A text of the file within a comment. */
void bosc_nm_emit_plain(FILE *out, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c)
        fputc(isprint((unsigned char)*c) && *c != '*' ? *c : '_', out);
}
