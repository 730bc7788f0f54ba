#include "src/nmodl/passes/program.h"

#include <string.h>

#include "src/nmodl/passes/lower.h"
#include "src/nmodl/passes/solve.h"

/* ---- entries ---- */

/* Lower what a SOLVE names, and solve it. */
static void lower_solve(bosc_nm_lowerer *outer, const bosc_nm_stmt *solve)
{
    bosc_nm_lowerer l = *outer;
    bosc_nm_list *code = outer->code;
    bosc_nm_list equations = {0}, zero = {0};
    const bosc_nm_block *block = solve->symbol->def.block;
    bosc_nm_expr *dt = solve->steady
                           ? bosc_nm_number(l.m->arena, 1e9) /* as NEURON */
                           : bosc_nm_use(l.m->arena, bosc_nm_find(l.m, "dt"));

    l.code = &equations;
    l.going = NULL;
    l.initial = l.breaks = false;
    switch (block->kind) {
    case BOSC_NM_BLOCK_DERIVATIVE:
        bosc_nm_lower_body(&l, &block->body);
        bosc_nm_solve(l.m, &equations, solve, dt, code);
        break;
    case BOSC_NM_BLOCK_KINETIC:
        bosc_nm_lower_kinetic(&l, &block->body);
        bosc_nm_solve(l.m, &equations, solve, dt, code);
        break;
    case BOSC_NM_BLOCK_LINEAR:
        bosc_nm_lower_linear(&l, &block->body, &zero);
        bosc_nm_append(l.m->arena, code, &equations);
        bosc_nm_solve_linear(l.m, &zero, solve, code);
        break;
    default:
        l.code = code;
        bosc_nm_lower_body(&l, &block->body);
    }
}

/* The SOLVEs of BREAKPOINT, each once a step.  As in NEURON, neither a
 * condition nor a loop around one changes that. */
static void lower_solves(bosc_nm_lowerer *l, const bosc_nm_list *body,
                         bool within)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];
        const bool inside = within || (stmt->kind != BOSC_NM_BLOCK);

        if (stmt->kind == BOSC_NM_SOLVE && stmt->symbol != NULL) {
            if (within)
                bosc_nm_warn(l->m->problems, stmt->place, "",
                             "as in NEURON, '%s' is solved once in every step, "
                             "whatever IF or FROM stands around SOLVE",
                             stmt->name);
            lower_solve(l, stmt);
        }
        lower_solves(l, &stmt->body, inside);
        lower_solves(l, &stmt->otherwise, inside);
    }
}

/* INITIAL within NET_RECEIVE. */
static void lower_connect(bosc_nm_lowerer *l, const bosc_nm_list *body)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];

        if (stmt->kind == BOSC_NM_INITIAL)
            bosc_nm_lower_body(l, &stmt->body);
    }
}

/* Does any of the statements call the function? */
static bool calls(const bosc_nm_list *body, const char *name)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];

        if ((stmt->kind == BOSC_NM_DO &&
             strcmp(stmt->value->name, name) == 0) ||
            calls(&stmt->body, name) || calls(&stmt->otherwise, name))
            return true;
    }
    return false;
}

static bool any_calls(const bosc_nm_mechanism *m, const char *name)
{
    for (int i = 0; i < m->reached.n; ++i) {
        const bosc_nm_symbol *routine = m->reached.item[i];

        if (calls(&routine->def.block->body, name))
            return true;
    }
    return false;
}

static void lower_receive(bosc_nm_program *p, bosc_nm_lowerer *l)
{
    const bosc_nm_list *body = &p->m->receive->def.block->body;

    l->code = &p->entry[BOSC_NM_RECEIVE].code;
    l->watched = bosc_nm_fresh(p->m->arena, "watched");
    bosc_nm_assign(p->m->arena, l->code, l->watched,
                   bosc_nm_number(p->m->arena, 0));
    l->watch = bosc_nm_lower_watch;
    l->netcons = bosc_nm_lower_netcons;
    bosc_nm_lower_body(l, body);
    l->watch = NULL;
    l->netcons = NULL;
    l->watched = NULL;
    l->code = &p->entry[BOSC_NM_WATCHES].code;
    bosc_nm_lower_watches(l);
    l->code = &p->entry[BOSC_NM_CONNECT].code;
    lower_connect(l, body);
    p->weights = p->m->receive->def.arguments;
    p->sets_v = bosc_nm_writes(&p->entry[BOSC_NM_RECEIVE].code,
                               bosc_nm_find(p->m, "v"));
}

/* The block of a moment, if there is one. */
static void lower_moment(bosc_nm_lowerer *l, bosc_nm_moment moment)
{
    const bosc_nm_symbol *block = l->m->at[moment];

    if (block != NULL)
        bosc_nm_lower_body(l, &block->def.block->body);
}

static void lower_initial(bosc_nm_program *p, bosc_nm_lowerer *l)
{
    l->initial = true;
    l->code = &p->entry[BOSC_NM_INIT].code;
    lower_moment(l, BOSC_NM_BEFORE_INITIAL);
    if (p->m->initial != NULL)
        bosc_nm_lower_body(l, &p->m->initial->def.block->body);
    lower_moment(l, BOSC_NM_AFTER_INITIAL);
    lower_moment(l, BOSC_NM_BEFORE_STEP);
    l->initial = false;
}

/* BREAKPOINT, its SOLVEs, and the moments around them. */
static void lower_step(bosc_nm_program *p, bosc_nm_lowerer *l)
{
    const bosc_nm_symbol *breakpoint = p->m->breakpoint;
    const bosc_nm_list *body =
        breakpoint == NULL ? NULL : &breakpoint->def.block->body;
    const bool flows = bosc_nm_has_current(p->m);

    l->steps = l->breaks = true;
    l->code = &p->before;
    lower_moment(l, BOSC_NM_BEFORE_BREAKPOINT);
    l->code = &p->entry[BOSC_NM_CURRENT].code;
    if (body != NULL && flows)
        bosc_nm_lower_body(l, body);
    l->code = &p->entry[BOSC_NM_ADVANCE].code;
    if (body != NULL)
        lower_solves(l, body, false);
    if (body != NULL && !flows) /* with the new v and the ions' currents */
        bosc_nm_lower_body(l, body);
    lower_moment(l, BOSC_NM_AFTER_SOLVE);
    lower_moment(l, BOSC_NM_BEFORE_STEP);
    l->steps = l->breaks = false;
}

static void lower_all(bosc_nm_program *p)
{
    bosc_nm_mechanism *m = p->m;
    bosc_nm_lowerer l = {.m = m,
                         .solve = lower_solve,
                         .sends = any_calls(m, "net_send") || m->watches.n > 0};

    p->moves = any_calls(m, "net_move");
    p->sends =
        l.sends || p->moves || any_calls(m, "net_event") || m->artificial;
    lower_initial(p, &l);
    lower_step(p, &l);
    if (m->receive != NULL)
        lower_receive(p, &l);
}

/* Which arrays are indexed is seen where they are, and then all is lowered once
 * more. */
static void lower_entries(bosc_nm_program *p)
{
    if (p->m->receive != NULL)
        bosc_nm_find_watches(p->m, &p->m->receive->def.block->body);
    do {
        p->m->renewed = false;
        for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
            p->entry[e].code = (bosc_nm_list){0};
        p->before = (bosc_nm_list){0};
        lower_all(p);
    } while (p->m->renewed && p->m->problems->n_errors == 0);
    p->visits =
        bosc_nm_has_kind(&p->entry[BOSC_NM_RECEIVE].code, BOSC_NM_FOR_NETCONS);
}

/* ---- the form ---- */

static bool exposes(const bosc_nm_program *p, int e, bosc_nm_symbol_kind kind)
{
    for (int i = 0; i < p->m->symbols.n; ++i) {
        const bosc_nm_symbol *s = p->m->symbols.item[i];

        if (s->kind == kind && bosc_nm_set_has(&p->entry[e].exposed, s))
            return true;
    }
    return false;
}

/* Does what today's kernels give suffice? */
static bool is_plain(const bosc_nm_program *p)
{
    static const struct {
        bosc_nm_entry_kind entry;
        bosc_nm_symbol_kind kind;
    } missing[] = {
        {BOSC_NM_INIT, BOSC_NM_STEP},
        {BOSC_NM_CURRENT, BOSC_NM_STEP},
        {BOSC_NM_CURRENT, BOSC_NM_CELSIUS},
        {BOSC_NM_RECEIVE, BOSC_NM_VOLTAGE},
    };
    const bosc_nm_entry *current = &p->entry[BOSC_NM_CURRENT];

    for (size_t i = 0; i < BOSC_LEN(missing); ++i)
        if (exposes(p, missing[i].entry, missing[i].kind))
            return false;
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        if (exposes(p, e, BOSC_NM_TIME) || exposes(p, e, BOSC_NM_GEOMETRY))
            return false;
    for (int i = 0; i < p->states.n; ++i) {
        const bosc_nm_symbol *s = p->states.item[i];

        if ((s->kept || !s->shown) &&
            bosc_nm_set_has(&current->written, bosc_nm_in_code(s)))
            return false;
    }
    for (int i = 0; i < p->weights.n; ++i)
        if (bosc_nm_set_has(&p->entry[BOSC_NM_RECEIVE].written,
                            p->weights.item[i]))
            return false;
    return p->ions.n == 0 && bosc_nm_pointers(p, NULL) == 0 && !p->sends &&
           p->m->drawn == NULL && !p->visits && !p->sets_v &&
           (p->m->kind == BOSC_NM_SUFFIX ||
            (p->m->receive != NULL && bosc_nm_adds_up(p))) &&
           p->entry[BOSC_NM_CONNECT].code.n == 0 && p->params.n > 0 &&
           p->states.n > 0 && p->weights.n <= 1 && p->has_current;
}

/* Does the current follow from parameters and the voltage, and is it linear in
 * that? */
static bool is_static(const bosc_nm_program *p)
{
    const bosc_nm_entry *current = &p->entry[BOSC_NM_CURRENT];

    if (!p->linear || p->m->kind != BOSC_NM_SUFFIX || p->ions.n > 0 ||
        p->states.n > 0 || p->params.n == 0)
        return false;
    for (int i = 0; i < current->variables.n; ++i) {
        const bosc_nm_symbol *s = current->variables.item[i];

        if (bosc_nm_set_has(&current->exposed, s) && !bosc_nm_is_param(p, s))
            return false;
    }
    return true;
}

/* Models may count on such variables being shared. */
static void warn_of_shared(const bosc_nm_program *p)
{
    for (int i = 0; i < p->states.n; ++i) {
        const bosc_nm_symbol *s = p->states.item[i];

        if (s->kind == BOSC_NM_VARIABLE && s->declared != NULL &&
            (s->global || s->declared->where == BOSC_NM_IN_LOCAL))
            bosc_nm_warn(p->m->problems, s->declared->place, "",
                         "'%s' is one variable for all in NEURON; here each "
                         "instance has its own",
                         s->name);
    }
}

static void warn_of_spikes(const bosc_nm_program *p)
{
    if (!p->m->artificial && p->m->receive != NULL &&
        any_calls(p->m, "net_event"))
        bosc_nm_warn(p->m->problems, p->m->receive->def.block->place, "",
                     "net_event has no effect: spikes are detected where the "
                     "voltage of a place crosses a threshold");
}

static void add_ions(bosc_nm_program *p)
{
    for (int i = 0; i < p->m->ions.n; ++i) {
        const bosc_nm_ion *ion = p->m->ions.item[i];
        bosc_nm_symbol *const all[] = {ion->e, ion->inside, ion->outside,
                                       ion->i};

        for (size_t k = 0; k < BOSC_LEN(all); ++k)
            if (all[k] != NULL)
                bosc_nm_push(p->m->arena, &p->ions, all[k]);
    }
}

/* Mechanisms would see it or not, by their order, which NEURON does not give.
 */
static void refuse_potentials(const bosc_nm_program *p)
{
    for (int i = 0; i < p->m->ions.n; ++i) {
        const bosc_nm_ion *ion = p->m->ions.item[i];

        if (ion->writes_e && bosc_nm_has_current(p->m) &&
            bosc_nm_writes(&p->entry[BOSC_NM_CURRENT].code, ion->e))
            bosc_nm_refuse(p->m->problems, p->m->file->name_place,
                           "write it in the block that SOLVE names, or in a "
                           "mechanism without a current",
                           "the potential %s is written where the current is",
                           ion->e->name);
    }
}

/* What an instance has room for (kernels/mech/mech.h). */
static void refuse_large(const bosc_nm_program *p)
{
    const struct {
        int n, most;
        const char *what;
    } sizes[] = {
        {p->params.n, BOSC_NM_MOST_VALUES, "parameters"},
        {p->states.n + p->weights.n, BOSC_NM_MOST_VALUES,
         "states, with hidden ones and weights"},
        {p->n_slots, BOSC_NM_MOST_VALUES, "constants of a step"},
        {p->ions.n, BOSC_NM_MOST_IONS, "variables of ions"},
    };
    const bosc_nm_place whole = {p->m->file->source, 0, 0};

    for (size_t i = 0; i < BOSC_LEN(sizes); ++i)
        if (sizes[i].n > sizes[i].most)
            bosc_nm_refuse(p->m->problems, whole,
                           "split it, or make its arrays shorter",
                           "the mechanism has %d %s, and %d is the most",
                           sizes[i].n, sizes[i].what, sizes[i].most);
}

static void prepend_before(bosc_nm_program *p)
{
    bosc_nm_list *code = &p->entry[BOSC_NM_CURRENT].code;

    bosc_nm_append(p->m->arena, &p->before, code);
    *code = p->before;
}

bosc_nm_program *bosc_nm_program_create(bosc_nm_mechanism *m)
{
    bosc_nm_program *p = bosc_nm_new(m->arena, 1, sizeof *p);

    p->m = m;
    add_ions(p);
    refuse_large(p);
    if (p->m->problems->n_errors > 0)
        return p;
    lower_entries(p);
    refuse_potentials(p);
    bosc_nm_keep_currents(p);
    bosc_nm_show(p);
    bosc_nm_add_slope(p);
    prepend_before(p);
    bosc_nm_settle(p);
    bosc_nm_straighten(p);
    bosc_nm_settle(p);
    bosc_nm_share(p);
    bosc_nm_settle(p);
    bosc_nm_rewrite(p);
    bosc_nm_settle(p);
    p->form = is_static(p)  ? BOSC_NM_STATIC
              : is_plain(p) ? BOSC_NM_PLAIN
                            : BOSC_NM_FULL;
    bosc_nm_relax(p);
    bosc_nm_settle(p);
    bosc_nm_hoist(p);
    warn_of_shared(p);
    warn_of_spikes(p);
    bosc_nm_settle(p);
    bosc_nm_make_near(p);
    bosc_nm_cut(p);
    refuse_large(p);
    return p;
}

bool bosc_nm_may_send(const bosc_nm_program *p, bosc_nm_entry_kind kind)
{
    return p->sends && (kind == BOSC_NM_RECEIVE || kind == BOSC_NM_INIT ||
                        kind == BOSC_NM_WATCHES);
}
