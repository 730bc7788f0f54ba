/* emit_text.c - pieces of what is printed for GPUs. */
#include "src/nmodl/emit/emit_text.h"

#include <string.h>

/* '@' stands for the name. */
void bosc_nm_emit_named(FILE *out, const char *name, const char *text)
{
    for (; *text != '\0'; ++text)
        if (*text == '@')
            fputs(name, out);
        else
            fputc(*text, out);
}

void bosc_nm_write_named(FILE *out, const bosc_nm_program *p, const char *text)
{
    bosc_nm_emit_named(out, p->m->name, text);
}

bool bosc_nm_is_point(const bosc_nm_program *p)
{
    return p->m->kind == BOSC_NM_POINT_PROCESS;
}

/* States, and what is kept of a connection. */
int bosc_nm_n_kept(const bosc_nm_program *p)
{
    return p->states.n + (p->form == BOSC_NM_FULL ? p->weights.n : 0);
}

/* A comment: what a function does, and the blocks that this comes from. */
void bosc_nm_write_comment(FILE *out, const bosc_nm_program *p,
                           const char *text, bosc_nm_entry_kind kind)
{
    fprintf(out, "/* %s:\n * ", text);
    bosc_nm_emit_origin(out, p, kind);
    fputs(". */\n", out);
}

/* The arrays of an instance that there are. */
static void emit_array(FILE *out, const char *name, int n, bool *begun)
{
    if (n == 0)
        return;
    fprintf(out, "%s%s[%d]", *begun ? ", " : "double ", name, n);
    *begun = true;
}

void bosc_nm_write_arrays(FILE *out, int p, int k, int s, int ion,
                          const char *more)
{
    bool begun = false;

    if (p + k + s + ion == 0 && more[0] == '\0')
        return;
    fputs("    ", out);
    emit_array(out, "p", p, &begun);
    emit_array(out, "k", k, &begun);
    emit_array(out, "s", s, &begun);
    emit_array(out, "ion", ion, &begun);
    if (more[0] != '\0')
        fprintf(out, "%s%s", begun ? ", " : "double ", more);
    fputs(";\n", out);
}

/* --- calls of formulas ---------------------------------------------------- */

enum { COLUMNS = 79 };

bosc_nm_call_text bosc_nm_call_begin(FILE *out, int depth, const char *before,
                                     const bosc_nm_program *p,
                                     const char *function)
{
    bosc_nm_call_text c = {out, 0, 0};

    c.column = fprintf(out, "%*s%sbosc_%s_%s(", 4 * depth, "", before,
                       p->m->name, function);
    c.begin = c.column;
    return c;
}

void bosc_nm_call_add(bosc_nm_call_text *c, const char *of, const char *name)
{
    const int n = (int)(strlen(of) + strlen(name));
    const bool first = c->column == c->begin;

    if (!first && c->column + n + 3 > COLUMNS) {
        fprintf(c->out, ",\n%*s", c->begin, "");
        c->column = c->begin;
    } else if (!first) {
        c->column += fprintf(c->out, ", ");
    }
    c->column += fprintf(c->out, "%s%s", of, name);
}

/* The arguments of an entry of the full form; what an instance has is called by
 * its names, with 'of' before them. */
void bosc_nm_call_add_full(bosc_nm_call_text *c, const bosc_nm_program *p,
                           bosc_nm_entry_kind kind, const char *of,
                           const char *states)
{
    const bool receives = kind == BOSC_NM_RECEIVE;

    bosc_nm_call_add(c, p->params.n > 0 ? of : "",
                     p->params.n > 0 ? "p" : "NULL");
    bosc_nm_call_add(c, p->n_slots > 0 ? of : "",
                     p->n_slots > 0 ? "k" : "NULL");
    bosc_nm_call_add(c, of, "here");
    if (receives)
        bosc_nm_call_add(c, "", "weight");
    else
        bosc_nm_call_add(c, p->ions.n > 0 ? of : "",
                         p->ions.n > 0 ? "ion" : "NULL");
    bosc_nm_call_add(c, "", bosc_nm_n_kept(p) > 0 ? states : "NULL");
    if (kind == BOSC_NM_CURRENT) {
        bosc_nm_call_add(c, "&", "g");
        bosc_nm_call_add(c, "&", "ge");
    }
    if (p->m->drawn != NULL)
        bosc_nm_call_add(c, of, "stream");
    if (receives && p->visits) {
        bosc_nm_call_add(c, "", "1");
        bosc_nm_call_add(c, "", "all");
    }
    if (receives)
        bosc_nm_call_add(c, "", "event->flag");
    if (bosc_nm_may_send(p, kind))
        bosc_nm_call_add(c, "&", "one.sent");
}

/* CURRENT or ADVANCE; the voltage of the plain form is v. */
void bosc_nm_call_add_step(bosc_nm_call_text *c, const bosc_nm_program *p,
                           bosc_nm_entry_kind kind, const char *v,
                           const char *states)
{
    const char *s = p->states.n > 0 ? states : "NULL";

    if (p->form == BOSC_NM_FULL) {
        bosc_nm_call_add_full(c, p, kind, "", states);
        return;
    }
    bosc_nm_call_add(c, "", p->params.n > 0 ? "p" : "NULL");
    if (kind == BOSC_NM_CURRENT) {
        bosc_nm_call_add(c, "", s);
        bosc_nm_call_add(c, "", v);
        bosc_nm_call_add(c, "&", "g");
        bosc_nm_call_add(c, "&", "ge");
    } else {
        bosc_nm_call_add(c, "", p->n_slots > 0 ? "k" : "NULL");
        bosc_nm_call_add(c, "", v);
        bosc_nm_call_add(c, "", s);
    }
}

/* Of ion[j], where it is written or read. */
const char *bosc_nm_ion_name(const bosc_nm_program *p, int j)
{
    return ((const bosc_nm_symbol *)p->ions.item[j])->name;
}

void bosc_nm_write_ion_loads(FILE *out, const bosc_nm_program *p,
                             const char *to, const char *slot)
{
    const unsigned reads = bosc_nm_uses_of(p).reads;

    for (int j = 0; j < p->ions.n; ++j)
        if ((reads >> j & 1u) != 0)
            fprintf(out, "    %sion[%d] = of->ion[%d][%s]; /* %s */\n", to, j,
                    j, slot, bosc_nm_ion_name(p, j));
        else
            fprintf(out, "    %sion[%d] = 0;\n", to, j);
}
