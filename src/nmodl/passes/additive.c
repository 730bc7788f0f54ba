/* additive.c - do two instances at one place act as one that gets the events of
 * both?
 *
 * They do where states begin at 0, where steps and the current are linear in
 * states, without a constant part, and where an event adds to states what is
 * linear in its weight and does not depend on them: the effects of weights then
 * add up.  Of each expression the degree in states or weights is found, 0 or 1;
 * what is neither may be anything.
 */
#include "src/nmodl/passes/program.h"

enum { ZERO, FREE, LINEAR, OTHER };

static int degree(const bosc_nm_set *linear, const bosc_nm_expr *e);

static int sum(int a, int b)
{
    return a == ZERO ? b : b == ZERO || a == b ? a : OTHER;
}

static int product(int a, int b)
{
    if (a == ZERO || b == ZERO)
        return ZERO;
    return a == FREE ? b : b == FREE ? a : OTHER;
}

static int binary_degree(const bosc_nm_set *linear, const bosc_nm_expr *e)
{
    const int a = degree(linear, e->arg[0]), b = degree(linear, e->arg[1]);

    switch (e->op) {
    case BOSC_NM_ADD:
    case BOSC_NM_SUBTRACT:
        return sum(a, b);
    case BOSC_NM_MULTIPLY:
        return product(a, b);
    case BOSC_NM_DIVIDE:
        return b == FREE ? a : OTHER;
    default:
        return a <= FREE && b <= FREE ? FREE : OTHER;
    }
}

static int degree(const bosc_nm_set *linear, const bosc_nm_expr *e)
{
    switch (e->kind) {
    case BOSC_NM_NUMBER:
        return e->value == 0 ? ZERO : FREE;
    case BOSC_NM_NAME:
        return bosc_nm_set_has(linear, e->symbol) ? LINEAR : FREE;
    case BOSC_NM_NEGATE:
        return degree(linear, e->arg[0]);
    case BOSC_NM_BINARY:
        return binary_degree(linear, e);
    case BOSC_NM_SELECT:
        return degree(linear, e->arg[0]) > FREE
                   ? OTHER
                   : sum(degree(linear, e->arg[1]), degree(linear, e->arg[2]));
    default:
        for (int i = 0; i < e->n; ++i)
            if (degree(linear, e->arg[i]) > FREE)
                return OTHER;
        return FREE;
    }
}

/* Straight code alone; 'linear' has the symbols that are, and gets those that
 * it assigns. */
static bool is_linear(const bosc_nm_list *code, bosc_nm_set *linear,
                      const bosc_nm_program *p)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        const bosc_nm_symbol *s;
        int d;

        if (stmt->kind != BOSC_NM_ASSIGN)
            return false;
        s = stmt->target->symbol;
        d = degree(linear, stmt->value);
        if (d == OTHER || (d == FREE && bosc_nm_is_state(p, s)))
            return false;
        if (d == FREE)
            bosc_nm_set_remove(linear, s);
        else
            bosc_nm_set_add(linear, s);
    }
    return true;
}

static bool mentions(const bosc_nm_set *set, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME && bosc_nm_set_has(set, e->symbol))
        return true;
    for (int i = 0; i < e->n; ++i)
        if (mentions(set, e->arg[i]))
            return true;
    return false;
}

/* What is added to s by 'value', s + x or x + s; NULL: it is not so. */
static const bosc_nm_expr *added(const bosc_nm_expr *value,
                                 const bosc_nm_symbol *s)
{
    for (int i = 0;
         value->kind == BOSC_NM_BINARY && value->op == BOSC_NM_ADD && i < 2;
         ++i)
        if (value->arg[i]->kind == BOSC_NM_NAME && value->arg[i]->symbol == s)
            return value->arg[1 - i];
    return NULL;
}

/* NET_RECEIVE; 'states' are those that change. */
static bool only_adds(const bosc_nm_list *code, const bosc_nm_set *states,
                      bosc_nm_set *linear)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        const bosc_nm_expr *value = stmt->value;
        const bosc_nm_symbol *s;
        int d;

        if (stmt->kind != BOSC_NM_ASSIGN)
            return false;
        s = stmt->target->symbol;
        if (bosc_nm_set_has(states, s))
            value = added(value, s);
        if (value == NULL || mentions(states, value))
            return false;
        d = degree(linear, value);
        if (bosc_nm_set_has(states, s) ? d == FREE || d == OTHER : d == OTHER)
            return false;
        if (d == LINEAR && !bosc_nm_set_has(states, s))
            bosc_nm_set_add(linear, s);
        else
            bosc_nm_set_remove(linear, s);
    }
    return true;
}

/* Does anything after INITIAL change it? */
static bool changes(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    for (int e = BOSC_NM_CURRENT; e <= BOSC_NM_RECEIVE; ++e)
        if (bosc_nm_set_has(&p->entry[e].written, s))
            return true;
    return false;
}

static bool begins_at_zero(const bosc_nm_program *p, const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if ((stmt->kind == BOSC_NM_ASSIGN && changes(p, stmt->target->symbol) &&
             bosc_nm_is_state(p, stmt->target->symbol) &&
             !bosc_nm_is(stmt->value, 0)) ||
            !begins_at_zero(p, &stmt->body) ||
            !begins_at_zero(p, &stmt->otherwise))
            return false;
    }
    return true;
}

bool bosc_nm_adds_up(const bosc_nm_program *p)
{
    bosc_nm_set states = {.arena = p->m->arena}, now, weights = states;

    if (!begins_at_zero(p, &p->entry[BOSC_NM_INIT].code))
        return false;
    for (int i = 0; i < p->states.n; ++i)
        if (changes(p, p->states.item[i]))
            bosc_nm_set_add(&states, p->states.item[i]);
    for (int i = 0; i < p->weights.n; ++i)
        bosc_nm_set_add(&weights, p->weights.item[i]);
    now = bosc_nm_set_copy(&states);
    if (!is_linear(&p->entry[BOSC_NM_ADVANCE].code, &now, p) ||
        !only_adds(&p->entry[BOSC_NM_RECEIVE].code, &states, &weights))
        return false;
    now = bosc_nm_set_copy(&states);
    return is_linear(&p->entry[BOSC_NM_CURRENT].code, &now, p) &&
           p->g != NULL && bosc_nm_set_has(&now, p->g) &&
           bosc_nm_set_has(&now, p->ge);
}
