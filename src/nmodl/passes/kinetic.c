/* kinetic.c - reactions become equations; those of LINEAR blocks are kept.
 *
 *     ~ A + 2 B <-> C (f, b)      flux = f A B^2 - b C, kept in a variable
 *                                 A' -= flux, B' -= 2 flux, C' += flux
 *     ~ A -> (f)                  A' -= f A
 *     ~ A << (f)                  A' += f
 *     COMPARTMENT size {A B}      A' and B' over size; solve.h multiplies
 *
 *     CONSERVE A + B = 1          size A + size B - 1 = 0, in place of B'
 *
 * A rate stands where its reaction does: what it uses is computed there.  What
 * CONSERVE says follows from the reactions once it is true, and makes it true
 * in the first step: NEURON's models start with all states 0, and a
 * STEADYSTATE.
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/lower.h"

static bosc_nm_balance *balance_of(bosc_nm_lowerer *l, bosc_nm_symbol *state)
{
    bosc_nm_balance *balance;

    for (int i = 0; i < l->kinetic->n; ++i) {
        balance = l->kinetic->item[i];
        if (balance->state == state)
            return balance;
    }
    balance = bosc_nm_new(l->m->arena, 1, sizeof *balance);
    balance->state = state;
    bosc_nm_push(l->m->arena, l->kinetic, balance);
    return balance;
}

/* Keep the value of an expression as it is here. */
static bosc_nm_expr *keep(bosc_nm_lowerer *l, const char *name,
                          bosc_nm_expr *value)
{
    bosc_nm_symbol *s;

    if (bosc_nm_is_number(value))
        return value;
    s = bosc_nm_fresh(l->m->arena, name);
    bosc_nm_assign(l->m->arena, l->code, s, value);
    return bosc_nm_use(l->m->arena, s);
}

static bosc_nm_symbol *state_of(bosc_nm_lowerer *l, const bosc_nm_item *item)
{
    return item->symbol == NULL
               ? NULL
               : bosc_nm_lower_symbol(l, item->symbol, item->index,
                                      item->place);
}

/* rate times the states of a side, each as often as it takes part. */
static bosc_nm_expr *one_way(bosc_nm_lowerer *l, const bosc_nm_list *side,
                             bosc_nm_expr *rate)
{
    for (int i = 0; i < side->n; ++i) {
        const bosc_nm_item *item = side->item[i];
        bosc_nm_symbol *s = state_of(l, item);

        for (int k = 0; s != NULL && k < item->times; ++k)
            rate = bosc_nm_fold(l->m->arena, BOSC_NM_MULTIPLY, rate,
                                bosc_nm_use(l->m->arena, s));
    }
    return rate;
}

/* Add 'flux' to the balance of each state of a side, or take it away. */
static void add_flux(bosc_nm_lowerer *l, const bosc_nm_list *side,
                     bosc_nm_expr *flux, double sign)
{
    for (int i = 0; i < side->n; ++i) {
        const bosc_nm_item *item = side->item[i];
        bosc_nm_symbol *s = state_of(l, item);
        bosc_nm_balance *balance;
        bosc_nm_expr *part;

        if (s == NULL || s->kind != BOSC_NM_STATE)
            continue; /* it is held constant */
        balance = balance_of(l, s);
        part =
            bosc_nm_fold(l->m->arena, BOSC_NM_MULTIPLY,
                         bosc_nm_number(l->m->arena, sign * item->times), flux);
        balance->sum =
            balance->sum == NULL
                ? part
                : bosc_nm_fold(l->m->arena, BOSC_NM_ADD, balance->sum, part);
    }
}

/* f_flux and b_flux are those of the reaction before. */
static void set_flux(bosc_nm_lowerer *l, const char *name, bosc_nm_expr *value)
{
    bosc_nm_symbol *s = bosc_nm_find(l->m, name);

    if (s != NULL)
        bosc_nm_assign(l->m->arena, l->code, s, value);
}

static void lower_compartment(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *size = NULL;

    for (int i = 0; i < stmt->names.n; ++i) {
        const bosc_nm_item *item = stmt->names.item[i];
        bosc_nm_symbol *s = item->symbol;
        const int n = s == NULL ? 0 : s->size == 0 ? 1 : s->size;

        for (int k = 0; k < n; ++k) {
            bosc_nm_symbol *state =
                s->size == 0 ? s : bosc_nm_element_of(l->m->arena, s, k);

            if (stmt->symbol != NULL) { /* the index that 'size' uses */
                stmt->symbol->now = bosc_nm_fresh(l->m->arena, stmt->name);
                stmt->symbol->now->kind = BOSC_NM_CONSTANT;
                stmt->symbol->now->value = k;
            }
            if (size == NULL || stmt->symbol != NULL)
                size = keep(l, "size", bosc_nm_lower_expr(l, stmt->value));
            if (state->kind == BOSC_NM_STATE)
                balance_of(l, state)->size = size;
        }
    }
}

/* Add a statement of a KINETIC block to the balances. */
static void lower_reaction(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *rate, *forward, *backward, *flux;

    if (stmt->kind == BOSC_NM_LINEAR)
        return;
    if (stmt->kind == BOSC_NM_COMPARTMENT) {
        lower_compartment(l, stmt);
        return;
    }
    if (stmt->kind == BOSC_NM_CONSERVE) {
        bosc_nm_stmt *out =
            bosc_nm_stmt_create(l->m->arena, BOSC_NM_CONSERVE, stmt->place);

        out->value = bosc_nm_lower_expr(l, stmt->value);
        out->to = bosc_nm_lower_expr(l, stmt->to);
        bosc_nm_push(l->m->arena, l->conserved, out);
        return;
    }
    rate = keep(l, "rate", bosc_nm_lower_expr(l, stmt->value));
    if (stmt->kind == BOSC_NM_FLUX_IN) {
        add_flux(l, &stmt->names, rate, 1);
        return;
    }
    flux = forward = keep(l, "flux", one_way(l, &stmt->names, rate));
    set_flux(l, "f_flux", forward);
    if (stmt->to != NULL) {
        rate = keep(l, "rate", bosc_nm_lower_expr(l, stmt->to));
        backward = one_way(l, &stmt->right, rate);
        set_flux(l, "b_flux", backward);
        flux = keep(
            l, "flux",
            bosc_nm_fold(l->m->arena, BOSC_NM_SUBTRACT, forward, backward));
    }
    add_flux(l, &stmt->names, flux, -1);
    add_flux(l, &stmt->right, flux, 1);
}

/* The last state of an expression whose equation is not replaced yet. */
static bosc_nm_balance *last_of(bosc_nm_lowerer *l, const bosc_nm_expr *e)
{
    for (int i = e->n - 1; i >= 0; --i) {
        bosc_nm_balance *found = last_of(l, e->arg[i]);

        if (found != NULL)
            return found;
    }
    for (int i = 0; e->kind == BOSC_NM_NAME && i < l->kinetic->n; ++i) {
        bosc_nm_balance *balance = l->kinetic->item[i];

        if (balance->state == e->symbol && !balance->replaced)
            return balance;
    }
    return NULL;
}

/* What is conserved counts amounts: concentrations times sizes. */
static void lower_conserved(bosc_nm_lowerer *l, bosc_nm_stmt *stmt)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_balance *balance = last_of(l, stmt->value);

    if (balance == NULL) {
        bosc_nm_refuse(l->m->problems, stmt->place, "leave it out",
                       "CONSERVE of no state that takes part in a reaction");
        return;
    }
    balance->replaced = true;
    for (int i = 0; i < l->kinetic->n; ++i) {
        const bosc_nm_balance *each = l->kinetic->item[i];
        bosc_nm_expr *state = bosc_nm_use(arena, each->state);

        if (each->size != NULL)
            stmt->value = bosc_nm_replace(
                arena, stmt->value, each->state,
                bosc_nm_fold(arena, BOSC_NM_MULTIPLY, each->size, state));
    }
    stmt->target = bosc_nm_use(arena, balance->state);
    stmt->value = bosc_nm_fold(arena, BOSC_NM_SUBTRACT, stmt->value, stmt->to);
    bosc_nm_push(arena, l->code, stmt);
}

void bosc_nm_lower_kinetic(bosc_nm_lowerer *l, const bosc_nm_list *body)
{
    bosc_nm_list balances = {0}, conserved = {0};

    l->equation = lower_reaction;
    l->kinetic = &balances;
    l->conserved = &conserved;
    bosc_nm_lower_body(l, body);
    l->equation = NULL;
    for (int i = 0; i < conserved.n; ++i)
        lower_conserved(l, conserved.item[i]);
    for (int i = 0; i < balances.n; ++i) {
        bosc_nm_balance *balance = balances.item[i];

        if (balance->sum == NULL || balance->replaced)
            continue;

        bosc_nm_stmt *equation =
            bosc_nm_assign(l->m->arena, l->code, balance->state, balance->sum);

        equation->kind = BOSC_NM_EQUATION;
        equation->to = balance->size;
    }
    l->kinetic = l->conserved = NULL;
}

static void lower_linear(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *left, *right;

    if (stmt->kind != BOSC_NM_LINEAR)
        return;
    left = bosc_nm_lower_expr(l, stmt->value);
    right = bosc_nm_lower_expr(l, stmt->to);
    bosc_nm_push(l->m->arena, l->linear,
                 bosc_nm_fold(l->m->arena, BOSC_NM_SUBTRACT, left, right));
}

void bosc_nm_lower_linear(bosc_nm_lowerer *l, const bosc_nm_list *body,
                          bosc_nm_list *zero)
{
    l->equation = lower_linear;
    l->linear = zero;
    bosc_nm_lower_body(l, body);
    l->equation = NULL;
    l->linear = NULL;
}
