/* emit_full.c - the description of a full mechanism (kernels/mech/full.h). */
#include <string.h>

#include "src/nmodl/emit/emit.h"

static bool is_ion_current(const bosc_nm_symbol *s)
{
    return s->ion->i == s;
}

/* Bits of ion[] whose variables are in the set. */
static unsigned mask_of(const bosc_nm_program *p, const bosc_nm_set *set)
{
    unsigned mask = 0;

    for (int i = 0; i < p->ions.n; ++i)
        if (bosc_nm_set_has(set, p->ions.item[i]))
            mask |= 1u << i;
    return mask;
}

static unsigned read_anywhere(const bosc_nm_program *p)
{
    unsigned mask = 0;

    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        mask |= mask_of(p, &p->entry[e].exposed);
    return mask;
}

static bool writes_states(const bosc_nm_program *p, bosc_nm_entry_kind e)
{
    for (int i = 0; i < p->states.n; ++i)
        if (bosc_nm_set_has(&p->entry[e].written, p->states.item[i]))
            return true;
    return false;
}

static bool uses_shape(const bosc_nm_program *p)
{
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        for (int i = 0; i < p->entry[e].variables.n; ++i) {
            const bosc_nm_symbol *s = p->entry[e].variables.item[i];

            if (s->kind == BOSC_NM_GEOMETRY)
                return true;
        }
    return false;
}

bosc_nm_uses bosc_nm_uses_of(const bosc_nm_program *p)
{
    const bosc_nm_entry *current = &p->entry[BOSC_NM_CURRENT];
    const bosc_nm_entry *advance = &p->entry[BOSC_NM_ADVANCE];
    const bool point = p->m->kind == BOSC_NM_POINT_PROCESS;
    bosc_nm_uses uses = {.reads = read_anywhere(p),
                         .currents = mask_of(p, &current->written),
                         .advances = mask_of(p, &advance->written),
                         .current_states = writes_states(p, BOSC_NM_CURRENT),
                         .flows = p->has_current || current->code.n > 0,
                         .evolves = advance->code.n > 0};

    uses.geometry = uses_shape(p) || (point && uses.currents != 0);
    return uses;
}

void bosc_nm_emit_counts(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);
    const char *name = p->m->name;

    fprintf(out,
            "enum {\n    BOSC_%s_GEOMETRY = %d,\n    BOSC_%s_SENDS = %d,\n"
            "    BOSC_%s_DRAWS = %d,\n"
            "    BOSC_%s_CURRENT_STATES = %d,\n    BOSC_%s_READS = %u,\n"
            "    BOSC_%s_CURRENT_IONS = %u,\n    BOSC_%s_ADVANCE_IONS = %u,\n"
            "    BOSC_%s_FLOWS = %d,\n    BOSC_%s_EVOLVES = %d\n};\n\n",
            name, uses.geometry, name, p->sends, name, p->m->drawn != NULL,
            name, uses.current_states, name, uses.reads, name, uses.currents,
            name, uses.advances, name, uses.flows, name, uses.evolves);
}

/* How the mechanism uses each of the variables in ion[]. */
void bosc_nm_emit_uses(FILE *out, const bosc_nm_program *p)
{
    if (p->ions.n == 0)
        return;
    fprintf(out, "static const bosc_mech_ion bosc_%s_uses[] = {\n", p->m->name);
    for (int i = 0; i < p->ions.n; ++i) {
        const bosc_nm_symbol *s = p->ions.item[i];
        const bosc_nm_ion *ion = s->ion;
        const bool e = s == ion->e, inside = s == ion->inside;
        const bool current = is_ion_current(s);
        const bool reads = e         ? ion->reads_e
                           : inside  ? ion->reads_inside
                           : current ? ion->reads_i
                                     : ion->reads_outside;
        const bool writes = e         ? ion->writes_e
                            : inside  ? ion->writes_inside
                            : current ? ion->writes_i
                                      : ion->writes_outside;

        fprintf(out, "    {\"%s\", %s, %s, %s, ", ion->name,
                e         ? "BOSC_ION_E"
                : inside  ? "BOSC_ION_INSIDE"
                : current ? "BOSC_ION_CURRENT"
                          : "BOSC_ION_OUTSIDE",
                reads ? "true" : "false", writes ? "true" : "false");
        bosc_nm_emit_number(out, ion->valence);
        fputs("},\n", out);
    }
    fputs("};\n\n", out);
}

/* A function with the arguments of bosc_mech_full, for that of the entry. */
static void emit_wrapper(FILE *out, const bosc_nm_program *p,
                         bosc_nm_entry_kind kind)
{
    static const struct {
        const char *name, *more, *between; /* arguments */
    } of[] = {
        [BOSC_NM_INIT] = {"init", "", "one->ion, one->s"},
        [BOSC_NM_CURRENT] = {"current", ", double *g, double *ge",
                             "one->ion, one->s, g, ge"},
        [BOSC_NM_ADVANCE] = {"advance", "", "one->ion, one->s"},
        [BOSC_NM_RECEIVE] = {"receive", ", double flag", "weight, one->s"},
        [BOSC_NM_WATCHES] = {"watch", "", "one->ion, one->s"},
        [BOSC_NM_CONNECT] = {"connect", "", "weight, one->s"},
    };
    const bool receives = kind == BOSC_NM_RECEIVE;
    const char *name = p->m->name;

    fprintf(out,
            "BOSC_HD static inline void bosc_%s_%s_one("
            "bosc_mech_instance *one%s)\n{\n",
            name, of[kind].name, of[kind].more);
    if (receives || kind == BOSC_NM_CONNECT)
        fprintf(out, "    double *weight = one->s + BOSC_%s_STATES;\n", name);
    if (receives && p->visits)
        fputs("    double *const all[] = {weight};\n", out);
    if (receives || kind == BOSC_NM_CONNECT)
        fputs("\n", out);
    fprintf(out,
            "    bosc_%s_%s(one->p, one->k, one->here, %s%s%s%s%s);\n}\n\n",
            name, of[kind].name, of[kind].between,
            p->m->drawn != NULL ? ", one->stream" : "",
            receives && p->visits ? ", 1, all" : "", receives ? ", flag" : "",
            bosc_nm_may_send(p, kind) ? ", &one->sent" : "");
}

void bosc_nm_emit_full(FILE *out, const bosc_nm_program *p)
{
    const bool receives = p->m->receive != NULL;
    const bool connects = p->entry[BOSC_NM_CONNECT].code.n > 0;
    const bool watches = p->entry[BOSC_NM_WATCHES].code.n > 0;
    const char *name = p->m->name;

    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        if (e <= BOSC_NM_ADVANCE || (e == BOSC_NM_RECEIVE && receives) ||
            (e == BOSC_NM_CONNECT && connects) ||
            (e == BOSC_NM_WATCHES && watches))
            emit_wrapper(out, p, (bosc_nm_entry_kind)e);
    fprintf(out, "#define BOSC_%s_STREAM %s\n", name,
            p->m->drawn != NULL ? ", stream" : "");
    fprintf(out, "BOSC_MECH_FULL_FORMULAS(%s", name);
    if (p->ions.n > 0)
        fprintf(out, ", .ions = bosc_%s_uses", name);
    if (receives)
        fprintf(out, ", .receive = bosc_%s_receive_one", name);
    if (connects)
        fprintf(out, ", .connect = bosc_%s_connect_one", name);
    if (watches)
        fprintf(out, ", .watch = bosc_%s_watch_one", name);
    fprintf(out, ")\nBOSC_MECH_DESCRIBE(%s, BOSC_MECH_FULL(%s)", name, name);
    if (p->params.n > 0)
        fprintf(out, ", .params = bosc_%s_params, .global = bosc_%s_global",
                name, name);
    if (p->states.n + p->weights.n > 0)
        fprintf(out, ", .states = bosc_%s_states", name);
    if (p->m->kind == BOSC_NM_POINT_PROCESS)
        fputs(", .kind = BOSC_MECH_POINT", out);
    fputs(")\n", out);
}
