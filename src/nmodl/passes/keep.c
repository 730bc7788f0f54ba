/* keep.c - currents of ions that BREAKPOINT does not always compute, and what
 * is kept for probes.
 *
 * What a SOLVE, INITIAL or an earlier BREAKPOINT left in it flows on, as in
 * NEURON.  Between calls an ion's variable is the sum of all currents, so the
 * value is kept in a hidden state:
 *
 *     SOLVE: ica = g * v               SOLVE: kept_ica = g * v
 *     BREAKPOINT: -              ->    BREAKPOINT: ica = kept_ica
 */
#include <string.h>

#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"

static void rename_list(bosc_nm_arena *arena, bosc_nm_list *code,
                        const bosc_nm_symbol *from, bosc_nm_symbol *to)
{
    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (stmt->value != NULL)
            stmt->value = bosc_nm_replace(arena, stmt->value, from,
                                          bosc_nm_use(arena, to));
        if (stmt->target != NULL && stmt->target->symbol == from)
            stmt->target = bosc_nm_use(arena, to);
        rename_list(arena, &stmt->body, from, to);
        rename_list(arena, &stmt->otherwise, from, to);
    }
}

/* A variable of the mechanism's own for what it gives of an ion. */
static bosc_nm_symbol *add_own(bosc_nm_program *p, const bosc_nm_symbol *s,
                               const char *format)
{
    bosc_nm_arena *arena = p->m->arena;
    bosc_nm_symbol *own = bosc_nm_symbol_create(
        arena, BOSC_NM_VARIABLE, bosc_nm_text(arena, format, s->name));

    own->unit = s->unit;
    own->is_made = true;
    bosc_nm_push(arena, &p->m->symbols, own);
    return own;
}

/* Is the symbol written, and not surely by CURRENT? */
static bool is_to_keep(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    bosc_nm_set sure = {.arena = p->m->arena}, exposed = sure, written = sure;

    bosc_nm_exposed(&p->entry[BOSC_NM_CURRENT].code, &sure, &exposed, &written);
    if (bosc_nm_set_has(&exposed, s))
        return true;
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        if (bosc_nm_writes(&p->entry[e].code, s))
            return !bosc_nm_set_has(&sure, s);
    return false;
}

void bosc_nm_keep_currents(bosc_nm_program *p)
{
    bosc_nm_arena *arena = p->m->arena;

    for (int i = 0; i < p->m->ions.n; ++i) {
        const bosc_nm_ion *ion = p->m->ions.item[i];
        bosc_nm_symbol *kept;

        if (!ion->writes_i || ion->reads_i || !is_to_keep(p, ion->i))
            continue;
        kept = add_own(p, ion->i, "kept_%s");
        for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
            rename_list(arena, &p->entry[e].code, ion->i, kept);
        bosc_nm_assign(arena, &p->entry[BOSC_NM_CURRENT].code, ion->i,
                       bosc_nm_use(arena, kept));
    }
}

bool bosc_nm_is_shown(const bosc_nm_mechanism *m, const char *name)
{
    const size_t n = strlen(m->name);

    for (const char *const *word = m->shown; word != NULL && *word != NULL;
         ++word)
        if (strncmp(*word, m->name, n) == 0 && (*word)[n] == '.' &&
            (name == NULL || strcmp(*word + n + 1, name) == 0))
            return true;
    return false;
}

void bosc_nm_show(bosc_nm_program *p)
{
    bosc_nm_mechanism *m = p->m;
    bosc_nm_list *code =
        &p->entry[bosc_nm_has_current(m) ? BOSC_NM_CURRENT : BOSC_NM_ADVANCE]
             .code;

    if (!bosc_nm_is_shown(m, NULL))
        return;
    for (int i = 0; i < m->symbols.n; ++i) {
        bosc_nm_symbol *s = m->symbols.item[i];

        s->shown = s->kind == BOSC_NM_VARIABLE && s->size == 0 && !s->pointer &&
                   bosc_nm_is_shown(m, s->name);
    }
    for (int i = 0; i < m->ions.n; ++i) {
        const bosc_nm_ion *ion = m->ions.item[i];
        bosc_nm_symbol *own;

        if (!ion->writes_i || !bosc_nm_is_shown(m, ion->i->name))
            continue;
        own = add_own(p, ion->i, "%s");
        own->shown = true;
        bosc_nm_assign(m->arena, code, own, bosc_nm_use(m->arena, ion->i));
    }
}

void bosc_nm_keep_leak(bosc_nm_program *p, const bosc_nm_program *leak)
{
    p->leak = leak;
    p->g = p->ge = NULL;
    bosc_nm_settle(p);
}
