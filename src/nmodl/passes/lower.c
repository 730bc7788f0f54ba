#include "src/nmodl/passes/lower.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "src/nmodl/model/function.h"
#include "src/nmodl/passes/fold.h"

/* Returns double what follows them where neither way through an IF surely
 * returns. */
enum { DEEPEST_CALL = 64, MOST_ROUNDS = 10000, MOST_RETURNS = 64 };

static void lower_stmt(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt);
static bool has_exit(const bosc_nm_list *body, bool loop);

/* ---- symbols ---- */

/* The symbol that a name stands for, and of an array which element: *index is
 * NULL of a scalar.  NULL after a problem. */
static bosc_nm_symbol *find_place(bosc_nm_lowerer *l, bosc_nm_symbol *symbol,
                                  const bosc_nm_expr *index,
                                  bosc_nm_place place, bosc_nm_expr **k)
{
    bosc_nm_symbol *declared = symbol;

    *k = NULL;
    if (symbol->now != NULL)
        symbol = symbol->now;
    if (symbol->size == 0)
        return symbol;
    if (index == NULL)
        return NULL; /* a problem is noted */
    *k = bosc_nm_lower_expr(l, index);
    if (!bosc_nm_is_number(*k)) {
        if (!symbol->indexed)
            l->m->renewed = true;
        symbol->indexed = declared->indexed = true;
    } else if (!((*k)->value >= 0 && (*k)->value < symbol->size)) {
        bosc_nm_refuse(l->m->problems, place, "",
                       "'%s' has elements 0 to %d, not %g", symbol->name,
                       symbol->size - 1, (*k)->value);
        return NULL;
    }
    return symbol;
}

bosc_nm_symbol *bosc_nm_lower_symbol(bosc_nm_lowerer *l, bosc_nm_symbol *symbol,
                                     const bosc_nm_expr *index,
                                     bosc_nm_place place)
{
    bosc_nm_expr *k;
    bosc_nm_symbol *found = find_place(l, symbol, index, place, &k);

    if (found == NULL || k == NULL)
        return found;
    if (found->indexed) {
        bosc_nm_refuse(l->m->problems, place,
                       "use a number, or a FROM loop with constant bounds",
                       "which element of '%s' is not known beforehand",
                       found->name);
        return NULL;
    }
    return bosc_nm_element_of(l->m->arena, found, (int)k->value);
}

bosc_nm_expr *bosc_nm_lower_place(bosc_nm_lowerer *l, const bosc_nm_expr *e)
{
    bosc_nm_expr *k, *use;
    bosc_nm_symbol *s =
        e->symbol == NULL
            ? NULL
            : find_place(l, e->symbol, e->n > 0 ? e->arg[0] : NULL, e->place,
                         &k);

    if (s == NULL)
        return NULL;
    if (k == NULL || !s->indexed) {
        use = bosc_nm_use(
            l->m->arena,
            k == NULL ? s : bosc_nm_element_of(l->m->arena, s, (int)k->value));
    } else {
        use = bosc_nm_node(l->m->arena, BOSC_NM_NAME, 1, e->place);
        use->name = s->name;
        use->symbol = s;
        use->arg[0] = k;
    }
    use->place = e->place;
    return use;
}

/* ---- calls ---- */

/* A variable of a routine gets a new one that stands for it in this call. */
static void renew(bosc_nm_lowerer *l, bosc_nm_symbol *local)
{
    local->now = bosc_nm_fresh(l->m->arena, local->name);
    local->now->size = local->size;
    local->now->indexed = local->indexed;
}

/* An argument that the routine does not change, and that nothing changes
 * meanwhile, needs no variable of its own. */
static bool stands_for(const bosc_nm_symbol *argument,
                       const bosc_nm_expr *value)
{
    if (argument->written)
        return false;
    if (value->kind == BOSC_NM_NUMBER)
        return true;
    return value->kind == BOSC_NM_NAME && value->n == 0 &&
           !value->symbol->written && value->symbol->kind != BOSC_NM_LOCAL_OF &&
           value->symbol->kind != BOSC_NM_VARIABLE &&
           value->symbol->kind != BOSC_NM_STATE &&
           value->symbol->kind != BOSC_NM_WEIGHT;
}

static void pass_argument(bosc_nm_lowerer *l, bosc_nm_symbol *argument,
                          bosc_nm_expr *value)
{
    if (stands_for(argument, value) && value->kind == BOSC_NM_NAME) {
        argument->now = value->symbol;
        return;
    }
    renew(l, argument);
    if (stands_for(argument, value)) {
        argument->now->kind = BOSC_NM_CONSTANT;
        argument->now->value = value->value;
    } else {
        bosc_nm_assign(l->m->arena, l->code, argument->now, value);
    }
}

/* Its arguments have their values. */
static void inline_body(bosc_nm_lowerer *l, bosc_nm_definition *def)
{
    def->inlining = true;
    ++l->depth;
    bosc_nm_lower_body(l, &def->block->body);
    --l->depth;
    def->inlining = false;
}

/* Write the body of a routine out, with those values of its arguments; the
 * result of a FUNCTION, or 0. */
static bosc_nm_expr *lower_call(bosc_nm_lowerer *l, const bosc_nm_expr *call)
{
    bosc_nm_symbol *routine = call->symbol;
    bosc_nm_expr **arg = bosc_nm_new(l->m->arena, (size_t)call->n, sizeof *arg);
    bosc_nm_expr *zero = bosc_nm_number(l->m->arena, 0);

    for (int i = 0; i < call->n; ++i)
        arg[i] = bosc_nm_lower_expr(l, call->arg[i]);
    if (routine->def.inlining || l->depth == DEEPEST_CALL) {
        bosc_nm_refuse(l->m->problems, call->place, "write it as a loop",
                       "'%s' calls itself, or calls are over %d deep",
                       routine->name, DEEPEST_CALL);
        return zero;
    }
    if (call->n != routine->def.arguments.n)
        return zero; /* refused before */

    bosc_nm_symbol *result = NULL;

    for (int i = 0; i < call->n; ++i)
        pass_argument(l, routine->def.arguments.item[i], arg[i]);
    if (routine->def.result != NULL) {
        renew(l, routine->def.result);
        result = routine->def.result->now;
        result->is_result = true;
        bosc_nm_assign(l->m->arena, l->code, result, zero);
    }
    inline_body(l, &routine->def);
    return result == NULL ? zero : bosc_nm_use(l->m->arena, result);
}

/* ---- expressions ---- */

static bosc_nm_expr *lower_name(bosc_nm_lowerer *l, const bosc_nm_expr *e)
{
    bosc_nm_expr *use = bosc_nm_lower_place(l, e);

    if (use == NULL)
        return bosc_nm_number(l->m->arena, 0); /* a problem is noted */
    if (use->symbol->kind == BOSC_NM_FLAG && !l->sends)
        return bosc_nm_number(l->m->arena, 0);
    if (use->symbol->kind == BOSC_NM_CONSTANT)
        return bosc_nm_number(l->m->arena, use->symbol->value);
    return use;
}

bosc_nm_expr *bosc_nm_lower_expr(bosc_nm_lowerer *l, const bosc_nm_expr *e)
{
    bosc_nm_expr **arg;

    if (e->kind == BOSC_NM_NAME)
        return lower_name(l, e);
    if (e->kind == BOSC_NM_CALL && e->symbol != NULL)
        return lower_call(l, e);
    arg = bosc_nm_new(l->m->arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = bosc_nm_lower_expr(l, e->arg[i]);
    if (e->kind == BOSC_NM_CALL) {
        bosc_nm_expr *formula = bosc_nm_formula(l, e->name, arg);

        if (formula == NULL)
            formula = bosc_nm_draw(l, e, arg);
        if (formula != NULL)
            return formula;
    }
    return bosc_nm_rebuild(l->m->arena, e, arg);
}

/* ---- statements ---- */

static void lower_assign(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *value = bosc_nm_lower_expr(l, stmt->value);
    bosc_nm_expr *target = bosc_nm_lower_place(l, stmt->target);
    bosc_nm_stmt *out;

    if (target == NULL)
        return;
    if (target->n > 0 && stmt->kind == BOSC_NM_EQUATION)
        bosc_nm_refuse(l->m->problems, stmt->place,
                       "use a number, or a FROM loop with constant bounds",
                       "an equation of an element of '%s', which is chosen at "
                       "run time",
                       target->symbol->name);
    out = bosc_nm_assign(l->m->arena, l->code, target->symbol, value);
    out->target = target;
    out->kind = stmt->kind;
    out->place = stmt->place;
}

static void lower_if(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *condition = bosc_nm_lower_expr(l, stmt->value);
    bosc_nm_list *code = l->code;
    bosc_nm_stmt *out;

    if (bosc_nm_is_number(condition)) {
        bosc_nm_lower_body(l, condition->value != 0 ? &stmt->body
                                                    : &stmt->otherwise);
        return;
    }
    out = bosc_nm_stmt_create(l->m->arena, BOSC_NM_IF, stmt->place);
    out->value = condition;
    l->code = &out->body;
    bosc_nm_lower_body(l, &stmt->body);
    l->code = &out->otherwise;
    bosc_nm_lower_body(l, &stmt->otherwise);
    l->code = code;
    bosc_nm_push(l->m->arena, code, out);
}

/* ---- loops ---- */

void bosc_nm_lower_inside(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt,
                          bosc_nm_stmt *out)
{
    bosc_nm_list *code = l->code, *kinetic = l->kinetic, *linear = l->linear;
    bosc_nm_list balances = {0}, zero = {0};
    bosc_nm_symbol *going = l->going;

    l->going = NULL;
    l->code = &out->body;
    l->kinetic = kinetic == NULL ? NULL : &balances;
    l->linear = linear == NULL ? NULL : &zero;
    bosc_nm_lower_body(l, &stmt->body);
    l->going = going;
    l->code = code;
    l->kinetic = kinetic;
    l->linear = linear;
    if (balances.n > 0 || zero.n > 0 ||
        bosc_nm_has_kind(&out->body, BOSC_NM_EQUATION))
        bosc_nm_refuse(l->m->problems, stmt->place,
                       "give the bounds of the loop as numbers, or by DEFINE",
                       "equations in a loop that runs not known how often");
}

/* FROM whose lowered bounds are not known beforehand. */
static void lower_loop(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt,
                       bosc_nm_expr *from, bosc_nm_expr *to)
{
    bosc_nm_stmt *out =
        bosc_nm_stmt_create(l->m->arena, BOSC_NM_FROM, stmt->place);

    out->symbol = stmt->symbol->now =
        bosc_nm_fresh(l->m->arena, stmt->symbol->name);
    out->value = from;
    out->to = to;
    bosc_nm_lower_inside(l, stmt, out);
    bosc_nm_push(l->m->arena, l->code, out);
}

/* A loop without end, which is left where the condition is false: what a
 * condition calls is written out, too. */
static void lower_while(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_stmt *out = bosc_nm_stmt_create(arena, BOSC_NM_FROM, stmt->place);
    bosc_nm_stmt *test = bosc_nm_stmt_create(arena, BOSC_NM_IF, stmt->place);
    bosc_nm_list *code = l->code;

    out->symbol = bosc_nm_fresh(arena, "round");
    out->value = bosc_nm_number(arena, 0);
    out->to = bosc_nm_number(arena, INFINITY);
    l->code = &out->body;
    test->value = bosc_nm_lower_expr(l, stmt->value);
    bosc_nm_lower_inside(l, stmt, test);
    bosc_nm_push(arena, &test->otherwise,
                 bosc_nm_stmt_create(arena, BOSC_NM_BREAK, stmt->place));
    l->code = code;
    bosc_nm_push(arena, &out->body, test);
    bosc_nm_push(arena, code, out);
}

/* FROM written out; one that may be left is so behind a condition:
 *
 *     going = 1  round 0  if (going) { round 1 }  if (going) { round 2 } */
static void lower_rounds(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt,
                         double from, double by, int rounds)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_symbol *going = l->going;
    bosc_nm_list *code = l->code;

    l->going = NULL;
    if (has_exit(&stmt->body, true)) {
        l->going = bosc_nm_fresh(arena, "going");
        bosc_nm_assign(arena, code, l->going, bosc_nm_number(arena, 1));
    }
    for (int k = 0; k < rounds; ++k) {
        renew(l, stmt->symbol);
        stmt->symbol->now->kind = BOSC_NM_CONSTANT;
        stmt->symbol->now->value = from + k * by;
        if (l->going != NULL && k > 0) {
            bosc_nm_stmt *more =
                bosc_nm_stmt_create(arena, BOSC_NM_IF, stmt->place);

            more->value = bosc_nm_use(arena, l->going);
            bosc_nm_push(arena, code, more);
            l->code = &more->body;
        }
        bosc_nm_lower_body(l, &stmt->body);
        l->code = code;
    }
    l->going = going;
}

/* Does an int hold the whole part of the number? */
static bool fits_int(const bosc_nm_expr *number)
{
    return fabs(trunc(number->value)) <= INT_MAX;
}

/* Bounds and steps are cut to int, as in NEURON; a running loop cuts its bounds
 * by bosc_nm_bound(). */
static void lower_from(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *from = bosc_nm_lower_expr(l, stmt->value);
    bosc_nm_expr *to = bosc_nm_lower_expr(l, stmt->to);
    const bosc_nm_expr *by = stmt->by == NULL ? bosc_nm_number(l->m->arena, 1)
                                              : bosc_nm_lower_expr(l, stmt->by);
    const bool known = bosc_nm_is_number(from) && bosc_nm_is_number(to);
    double rounds;

    if (!bosc_nm_is_number(by) || !(by->value >= 1)) {
        bosc_nm_refuse(l->m->problems, stmt->place, "give it as a number",
                       "the step of a FROM loop is no positive whole number");
        return;
    }
    if (!known && trunc(by->value) == 1) {
        lower_loop(l, stmt, from, to);
        return;
    }
    if (!known) {
        bosc_nm_refuse(l->m->problems, stmt->place,
                       "give its bounds as numbers, or by DEFINE",
                       "how often the FROM loop runs is not known beforehand");
        return;
    }
    if (!fits_int(from) || !fits_int(to)) {
        bosc_nm_refuse(l->m->problems, stmt->place, "make it smaller",
                       "a bound of the FROM loop is beyond %d", INT_MAX);
        return;
    }
    rounds = floor((trunc(to->value) - trunc(from->value)) / trunc(by->value));
    if (rounds >= MOST_ROUNDS) {
        bosc_nm_refuse(l->m->problems, stmt->place, "make it shorter",
                       "the FROM loop runs over %d times", MOST_ROUNDS);
        return;
    }
    lower_rounds(l, stmt, trunc(from->value), trunc(by->value),
                 (int)fmax(rounds + 1, 0));
}

/* ---- other statements ---- */

/* A statement that is a call: of a PROCEDURE, or of what every file may call.
 */
static void lower_do(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    const bosc_nm_expr *call = stmt->value;
    const bosc_nm_function *known =
        call->symbol == NULL ? bosc_nm_function_find(call->name) : NULL;
    bosc_nm_stmt *out;

    if (known != NULL && known->kind == BOSC_NM_IDLE)
        return;
    if (known != NULL && strcmp(call->name, "state_discontinuity") == 0 &&
        call->n == 2 && call->arg[0]->kind == BOSC_NM_NAME) {
        out = bosc_nm_stmt_create(l->m->arena, BOSC_NM_ASSIGN, stmt->place);
        out->target = call->arg[0];
        out->value = call->arg[1];
        lower_assign(l, out);
        return;
    }

    bosc_nm_expr *value = bosc_nm_lower_expr(l, call);

    if (known == NULL || known->kind != BOSC_NM_EVENT)
        return; /* a procedure, whose statements are there now */
    if (l->steps)
        bosc_nm_refuse(l->m->problems, stmt->place,
                       "send events in NET_RECEIVE or INITIAL",
                       "%s() in a step", call->name);
    out = bosc_nm_stmt_create(l->m->arena, BOSC_NM_DO, stmt->place);
    out->value = value;
    bosc_nm_push(l->m->arena, l->code, out);
}

static void lower_solve(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    const bool apart = l->breaks && l->depth == 0; /* once in a step */

    if (stmt->symbol == NULL || apart)
        return;
    if (l->initial || stmt->symbol->def.block->kind == BOSC_NM_BLOCK_LINEAR)
        l->solve(l, stmt);
    else
        bosc_nm_refuse(l->m->problems, stmt->place, "move it to BREAKPOINT",
                       "SOLVE in a block that no INITIAL runs");
}

static void lower_stmt(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    switch (stmt->kind) {
    case BOSC_NM_ASSIGN:
    case BOSC_NM_EQUATION:
        lower_assign(l, stmt);
        break;
    case BOSC_NM_IF:
        lower_if(l, stmt);
        break;
    case BOSC_NM_FROM:
        lower_from(l, stmt);
        break;
    case BOSC_NM_WHILE:
        lower_while(l, stmt);
        break;
    case BOSC_NM_DO:
        lower_do(l, stmt);
        break;
    case BOSC_NM_FOR_NETCONS:
        if (l->netcons != NULL)
            l->netcons(l, stmt);
        break;
    case BOSC_NM_WATCH:
        if (l->watch != NULL)
            l->watch(l, stmt);
        break;
    case BOSC_NM_BLOCK:
        bosc_nm_lower_body(l, &stmt->body);
        break;
    case BOSC_NM_LOCAL:
        for (int i = 0; i < stmt->names.n; ++i)
            renew(l, ((bosc_nm_item *)stmt->names.item[i])->symbol);
        break;
    case BOSC_NM_SOLVE:
        lower_solve(l, stmt);
        break;
    case BOSC_NM_REACTION:
    case BOSC_NM_FLUX_IN:
    case BOSC_NM_COMPARTMENT:
    case BOSC_NM_CONSERVE:
    case BOSC_NM_LINEAR:
        if (l->equation != NULL)
            l->equation(l, stmt);
        break;
    default: /* TABLE is computed; others are not reached, or refused */
        break;
    }
}

static bool is_loop(const bosc_nm_stmt *stmt)
{
    return stmt->kind == BOSC_NM_WHILE || stmt->kind == BOSC_NM_FROM ||
           stmt->kind == BOSC_NM_FOR_NETCONS;
}

/* Is there a way out of the code: from the routine, or from the loop that the
 * code is a part of? */
static bool has_exit(const bosc_nm_list *body, bool loop)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];
        const bool same = loop && !is_loop(stmt);

        if (stmt->kind == BOSC_NM_RETURN ||
            (loop && stmt->kind == BOSC_NM_BREAK) ||
            has_exit(&stmt->body, same) || has_exit(&stmt->otherwise, same))
            return true;
    }
    return false;
}

static bool may_leave(const bosc_nm_stmt *stmt)
{
    return has_exit(&stmt->body, !is_loop(stmt)) ||
           has_exit(&stmt->otherwise, true);
}

static bool surely_leaves(const bosc_nm_list *body)
{
    const bosc_nm_stmt *last = body->n > 0 ? body->item[body->n - 1] : NULL;

    return last != NULL &&
           (last->kind == BOSC_NM_RETURN || last->kind == BOSC_NM_BREAK);
}

/* IF or a block from which a routine may return, or a loop may be left: what
 * follows it is done at the end of each way through it that does not. */
static void lower_with_rest(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt,
                            const bosc_nm_list *body, int next)
{
    bosc_nm_stmt *all = bosc_nm_stmt_like(l->m->arena, stmt);

    l->returns +=
        !surely_leaves(&stmt->body) && !surely_leaves(&stmt->otherwise);
    if (l->returns > MOST_RETURNS ||
        (stmt->kind != BOSC_NM_IF && stmt->kind != BOSC_NM_BLOCK)) {
        bosc_nm_refuse(l->m->problems, stmt->place, "use IF and ELSE",
                       "a return from a loop, or over %d of them",
                       MOST_RETURNS);
        return;
    }
    bosc_nm_append(l->m->arena, &all->body, &stmt->body);
    bosc_nm_append(l->m->arena, &all->otherwise, &stmt->otherwise);
    for (int i = next; i < body->n; ++i) {
        bosc_nm_push(l->m->arena, &all->body, body->item[i]);
        bosc_nm_push(l->m->arena, &all->otherwise, body->item[i]);
    }
    lower_stmt(l, all);
}

/* From a loop that runs, or from one that is written out. */
static void lower_break(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    if (l->going != NULL)
        bosc_nm_assign(l->m->arena, l->code, l->going,
                       bosc_nm_number(l->m->arena, 0));
    else
        bosc_nm_push(
            l->m->arena, l->code,
            bosc_nm_stmt_create(l->m->arena, BOSC_NM_BREAK, stmt->place));
}

void bosc_nm_lower_body(bosc_nm_lowerer *l, const bosc_nm_list *body)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];

        if (stmt->kind == BOSC_NM_BREAK)
            lower_break(l, stmt);
        if (stmt->kind == BOSC_NM_RETURN || stmt->kind == BOSC_NM_BREAK)
            return;
        if (may_leave(stmt)) {
            lower_with_rest(l, stmt, body, i + 1);
            return;
        }
        lower_stmt(l, stmt);
    }
}
