/* emit_describe.c - the description of a mechanism (kernels/mech/mech.h), and
 * the functions of one instance in it. */
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

static bool needs_shape(const bosc_nm_program *p)
{
    if (p->m->kind == BOSC_NM_POINT_PROCESS &&
        mask_of(p, &p->entry[BOSC_NM_CURRENT].written) != 0)
        return true; /* currents of ions are densities */
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        for (int i = 0; i < p->entry[e].variables.n; ++i) {
            const bosc_nm_symbol *s = p->entry[e].variables.item[i];

            if (s->kind == BOSC_NM_GEOMETRY)
                return true;
        }
    return false;
}

bool bosc_nm_is_injected(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    return s->current && s->electrode && p->m->kind == BOSC_NM_POINT_PROCESS &&
           p->m->receive == NULL;
}

static int count_currents(const bosc_nm_program *p)
{
    int n = 0;

    for (int i = 0; i < p->m->symbols.n; ++i)
        n += ((const bosc_nm_symbol *)p->m->symbols.item[i])->current;
    return n;
}

/* Has it one electrode's current alone, which follows t and parameters? */
static bool is_stimulus(const bosc_nm_program *p)
{
    const bosc_nm_entry *current = &p->entry[BOSC_NM_CURRENT];

    if (p->states.n != 1 || !bosc_nm_is_injected(p, p->states.item[0]) ||
        count_currents(p) != 1 || p->ions.n > 0 || p->m->drawn != NULL ||
        p->sends || p->entry[BOSC_NM_ADVANCE].code.n > 0)
        return false;
    for (int i = 0; i < current->variables.n; ++i) {
        const bosc_nm_symbol *s = current->variables.item[i];

        if (bosc_nm_set_has(&current->exposed, s) && s->kind != BOSC_NM_TIME &&
            !bosc_nm_is_param(p, s))
            return false;
    }
    return true;
}

bosc_nm_uses bosc_nm_uses_of(const bosc_nm_program *p)
{
    const bosc_nm_entry *current = &p->entry[BOSC_NM_CURRENT];
    const bosc_nm_entry *advance = &p->entry[BOSC_NM_ADVANCE];
    const bool plain = p->form == BOSC_NM_PLAIN;

    return (bosc_nm_uses){
        .reads = read_anywhere(p),
        .in_current = mask_of(p, &current->exposed),
        .in_advance = mask_of(p, &advance->exposed),
        .currents = mask_of(p, &current->written),
        .advances = mask_of(p, &advance->written),
        .geometry = needs_shape(p),
        .current_states = writes_states(p, BOSC_NM_CURRENT),
        .flows = plain || p->has_current || current->code.n > 0,
        .evolves = plain || advance->code.n > 0,
        .stimulus = is_stimulus(p),
    };
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

/* Which states are POINTERs. */
void bosc_nm_emit_pointers(FILE *out, const bosc_nm_program *p)
{
    int state[BOSC_NM_MOST_VALUES];
    const int n = bosc_nm_pointers(p, state);

    if (n == 0)
        return;
    fprintf(out, "static const bosc_mech_pointer bosc_%s_pointers[] = {",
            p->m->name);
    for (int k = 0; k < n; ++k)
        fprintf(out, "%s{%d, %s}", k > 0 ? ", " : "", state[k],
                ((const bosc_nm_symbol *)p->states.item[state[k]])->written
                    ? "true"
                    : "false");
    fputs("};\n\n", out);
}

/* A function with the arguments of bosc_mech, for that of the entry. */
static void emit_wrapper(FILE *out, const bosc_nm_program *p,
                         bosc_nm_entry_kind kind)
{
    static const struct {
        const char *name, *more, *plain, *between; /* arguments */
    } of[] = {
        [BOSC_NM_INIT] = {"init", "",
                          "one->p, one->here[0], one->celsius, one->s",
                          "one->ion, one->s"},
        [BOSC_NM_CURRENT] = {"current", ", double *g, double *ge",
                             "one->p, one->s, one->here[0], g, ge",
                             "one->ion, one->s, g, ge"},
        [BOSC_NM_ADVANCE] = {"advance", "",
                             "one->p, one->k, one->here[0], one->s",
                             "one->ion, one->s"},
        [BOSC_NM_RECEIVE] = {"receive", ", double event",
                             "one->k, event, one->s", "weight, one->s"},
        [BOSC_NM_WATCHES] = {"watch", "", "", "one->ion, one->s"},
        [BOSC_NM_CONNECT] = {"connect", "", "", "weight, one->s"},
    };
    const bool receives = kind == BOSC_NM_RECEIVE;
    const char *name = p->m->name;

    fprintf(out,
            "BOSC_HD static inline void bosc_%s_%s_one("
            "bosc_mech_instance *one%s)\n{\n",
            name, of[kind].name, of[kind].more);
    if (p->form == BOSC_NM_PLAIN) {
        fprintf(out, "    bosc_%s_%s(%s);\n}\n\n", name, of[kind].name,
                of[kind].plain);
        return;
    }
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
            receives && p->visits ? ", 1, all" : "", receives ? ", event" : "",
            bosc_nm_may_send(p, kind) ? ", &one->sent" : "");
}

static bool has_entry(const bosc_nm_program *p, int e)
{
    if (p->form == BOSC_NM_STATIC)
        return false;
    return e <= BOSC_NM_ADVANCE ||
           (e == BOSC_NM_RECEIVE ? p->m->receive != NULL
                                 : p->entry[e].code.n > 0);
}

/* Members that tell what its formulas do. */
static void emit_flags(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);
    const struct {
        bool is;
        const char *name;
    } flags[] = {
        {p->form == BOSC_NM_PLAIN, "plain"},
        {uses.geometry, "geometry"},
        {p->sends, "sends"},
        {p->m->drawn != NULL, "draws"},
        {p->m->reads_table, "reads_table"},
        {p->m->artificial, "artificial"},
        {p->moves, "moves"},
        {p->m->plays, "plays"},
        {uses.flows, "flows"},
        {uses.evolves, "evolves"},
        {uses.stimulus, "stimulus"},
    };
    const struct {
        unsigned mask;
        const char *name;
    } masks[] = {
        {uses.reads, "reads"},           {uses.in_current, "in_current"},
        {uses.in_advance, "in_advance"}, {uses.currents, "currents"},
        {uses.advances, "advances"},
    };

    for (size_t i = 0; i < BOSC_LEN(flags); ++i)
        if (flags[i].is)
            fprintf(out, "    .%s = true,\n", flags[i].name);
    for (size_t i = 0; i < BOSC_LEN(masks); ++i)
        if (masks[i].mask != 0)
            fprintf(out, "    .ion_bits.%s = 0x%x,\n", masks[i].name,
                    masks[i].mask);
}

/* Tables, and how long they are. */
static void emit_tables(FILE *out, const bosc_nm_program *p)
{
    const int weights = p->form == BOSC_NM_FULL ? p->weights.n : 0;
    const char *name = p->m->name;

    if (p->params.n > 0)
        fprintf(out,
                "    .n_params = %d,\n    .params = bosc_%s_params,\n"
                "    .global = bosc_%s_global,\n",
                p->params.n, name, name);
    if (p->states.n + weights > 0)
        fprintf(out,
                "    .n_states = %d,\n    .n_own = %d,\n"
                "    .states = bosc_%s_states,\n",
                p->states.n + weights, p->states.n, name);
    if (bosc_nm_pointers(p, NULL) > 0)
        fprintf(out,
                "    .n_pointers = %d,\n    .pointers = bosc_%s_pointers,\n",
                bosc_nm_pointers(p, NULL), name);
    if (p->n_slots > 0)
        fprintf(out, "    .n_constants = %d,\n", p->n_slots);
    if (p->ions.n > 0)
        fprintf(out, "    .n_ions = %d,\n    .ions = bosc_%s_uses,\n",
                p->ions.n, name);
}

static void emit_mech(FILE *out, const bosc_nm_program *p)
{
    static const char *const entries[BOSC_NM_ENTRIES] = {
        "init", "current", "advance", "receive", "connect", "watch"};
    const char *name = p->m->name;
    const bool loops = p->form != BOSC_NM_STATIC;

    if (loops)
        fprintf(out,
                "extern const bosc_mech_loops bosc_%s_loops_base, "
                "bosc_%s_loops_v3,\n    bosc_%s_loops_v4;\n\n",
                name, name, name);
    fprintf(out,
            "static const bosc_mech bosc_%s = {\n"
            "    .name = \"%s\",\n"
            "    .symbol = \"%s\",\n"
            "    .made = BOSC_MECH_MADE,\n"
            "    .text = BOSC_MECH_TEXT,\n",
            name, p->m->job_name != NULL ? p->m->job_name : name, name);
    if (p->m->kind == BOSC_NM_POINT_PROCESS)
        fputs("    .kind = BOSC_MECH_POINT,\n", out);
    if (loops)
        emit_flags(out, p);
    emit_tables(out, p);
    fprintf(out, "    .formula.constant = bosc_%s_constant,\n", name);
    if (loops)
        fprintf(out, "    .ns = %d,\n    .formula.prepare = bosc_%s_prepare,\n",
                bosc_nm_cost(p), name);
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        if (has_entry(p, e))
            fprintf(out, "    .formula.%s = bosc_%s_%s_one,\n", entries[e],
                    name, entries[e]);
    if (loops)
        fprintf(out, "    .loops = BOSC_MECH_TABLES(bosc_%s_loops),\n", name);
    fputs("};\n", out);
}

void bosc_nm_emit_description(FILE *out, const bosc_nm_program *p)
{
    const bool both = p->form == BOSC_NM_FULL; /* GPUs take one at a time */

    for (int e = 0; e < BOSC_NM_ENTRIES && both; ++e)
        if (has_entry(p, e))
            emit_wrapper(out, p, (bosc_nm_entry_kind)e);
    fputs("#if !defined(__CUDACC__)\n\n", out);
    for (int e = 0; e < BOSC_NM_ENTRIES && !both; ++e)
        if (has_entry(p, e))
            emit_wrapper(out, p, (bosc_nm_entry_kind)e);
    if (p->form != BOSC_NM_STATIC && p->leak == NULL)
        fprintf(out,
                "/* No part of its current is constant. */\n"
                "static inline void bosc_%s_constant(const double *p, double "
                "*g,\n    double *ge)\n{\n"
                "    (void)p;\n    *g = *ge = 0;\n}\n\n",
                p->m->name);
    emit_mech(out, p);
    fputs("\n#endif\n", out);
}
