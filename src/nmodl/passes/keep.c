/* keep.c - a current of an ion that BREAKPOINT does not always compute.
 *
 * What a SOLVE, INITIAL or an earlier BREAKPOINT left in it flows on, as in
 * NEURON.  Between calls an ion's variable is the sum of all currents, so the
 * value is kept in a hidden state:
 *
 *     SOLVE: ica = g * v               SOLVE: kept_ica = g * v
 *     BREAKPOINT: -              ->    BREAKPOINT: ica = kept_ica
 */
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
        kept =
            bosc_nm_symbol_create(arena, BOSC_NM_VARIABLE,
                                  bosc_nm_text(arena, "kept_%s", ion->i->name));
        kept->unit = ion->i->unit;
        kept->is_made = true;
        bosc_nm_push(arena, &p->m->symbols, kept);
        for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
            rename_list(arena, &p->entry[e].code, ion->i, kept);
        bosc_nm_assign(arena, &p->entry[BOSC_NM_CURRENT].code, ion->i,
                       bosc_nm_use(arena, kept));
    }
}
