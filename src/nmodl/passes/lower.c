#include "src/nmodl/passes/lower.h"

#include <math.h>
#include <string.h>

#include "src/nmodl/model/function.h"
#include "src/nmodl/passes/fold.h"

enum { DEEPEST_CALL = 64, MOST_ROUNDS = 10000 };

static void lower_stmt(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt);

/* ---- symbols ---- */

bosc_nm_symbol *bosc_nm_element(bosc_nm_arena *arena, bosc_nm_symbol *array,
                                int k)
{
    if (array->element == NULL)
        array->element =
            bosc_nm_new(arena, (size_t)array->size, sizeof *array->element);
    if (array->element[k] == NULL) {
        bosc_nm_symbol *s = bosc_nm_symbol_create(
            arena, array->kind, bosc_nm_text(arena, "%s_%d", array->name, k));
        const int number = s->number;
        const char *name = s->name;

        *s = *array;
        s->number = number;
        s->name = name;
        s->size = 0;
        s->element = NULL;
        array->element[k] = s;
    }
    return array->element[k];
}

bosc_nm_symbol *bosc_nm_lower_symbol(bosc_nm_lowerer *l, bosc_nm_symbol *symbol,
                                     const bosc_nm_expr *index,
                                     bosc_nm_place place)
{
    const bosc_nm_expr *k;

    if (symbol->now != NULL)
        symbol = symbol->now;
    if (symbol->size == 0)
        return symbol;
    k = index == NULL ? NULL : bosc_nm_lower_expr(l, index);
    if (k == NULL || !bosc_nm_is_number(k)) {
        bosc_nm_refuse(l->m->problems, place,
                       "use a number, or a FROM loop with constant bounds",
                       "which element of '%s' is not known beforehand",
                       symbol->name);
        return NULL;
    }
    if (!(k->value >= 0 && k->value < symbol->size)) {
        bosc_nm_refuse(l->m->problems, place, "",
                       "'%s' has elements 0 to %d, not %g", symbol->name,
                       symbol->size - 1, k->value);
        return NULL;
    }
    return bosc_nm_element(l->m->arena, symbol, (int)k->value);
}

/* ---- calls ---- */

/* A variable of a routine gets a new one that stands for it in this call. */
static void renew(bosc_nm_lowerer *l, bosc_nm_symbol *local)
{
    local->now = bosc_nm_fresh(l->m->arena, local->name);
    local->now->size = local->size;
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
    return value->kind == BOSC_NM_NAME && !value->symbol->written &&
           value->symbol->kind != BOSC_NM_LOCAL_OF &&
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

/* Write the body of a routine out, with those values of its arguments; the
 * result of a FUNCTION, or 0. */
static bosc_nm_expr *lower_call(bosc_nm_lowerer *l, const bosc_nm_expr *call)
{
    bosc_nm_symbol *routine = call->symbol;
    bosc_nm_expr **arg = bosc_nm_new(l->m->arena, (size_t)call->n, sizeof *arg);
    bosc_nm_expr *zero = bosc_nm_number(l->m->arena, 0);

    for (int i = 0; i < call->n; ++i)
        arg[i] = bosc_nm_lower_expr(l, call->arg[i]);
    if (routine->inlining || l->depth == DEEPEST_CALL) {
        bosc_nm_refuse(l->m->problems, call->place, "write it as a loop",
                       "'%s' calls itself, or calls are over %d deep",
                       routine->name, DEEPEST_CALL);
        return zero;
    }
    if (call->n != routine->arguments.n)
        return zero; /* refused before */

    bosc_nm_symbol *result = NULL;

    for (int i = 0; i < call->n; ++i)
        pass_argument(l, routine->arguments.item[i], arg[i]);
    if (routine->result != NULL) {
        renew(l, routine->result);
        result = routine->result->now;
        bosc_nm_assign(l->m->arena, l->code, result, zero);
    }
    routine->inlining = true;
    ++l->depth;
    bosc_nm_lower_body(l, &routine->block->body);
    --l->depth;
    routine->inlining = false;
    return result == NULL ? zero : bosc_nm_use(l->m->arena, result);
}

/* ---- expressions ---- */

static bosc_nm_expr *lower_name(bosc_nm_lowerer *l, const bosc_nm_expr *e)
{
    bosc_nm_symbol *s =
        e->symbol == NULL
            ? NULL
            : bosc_nm_lower_symbol(l, e->symbol, e->n > 0 ? e->arg[0] : NULL,
                                   e->place);

    if (s == NULL)
        return bosc_nm_number(l->m->arena, 0); /* a problem is noted */
    if (s->kind == BOSC_NM_FLAG && !l->sends)
        return bosc_nm_number(l->m->arena, 0);
    if (s->kind == BOSC_NM_CONSTANT)
        return bosc_nm_number(l->m->arena, s->value);

    bosc_nm_expr *use = bosc_nm_use(l->m->arena, s);

    use->place = e->place;
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

        if (formula != NULL)
            return formula;
    }
    return bosc_nm_rebuild(l->m->arena, e, arg);
}

/* ---- statements ---- */

static void lower_assign(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_expr *value = bosc_nm_lower_expr(l, stmt->value);
    const bosc_nm_expr *target = stmt->target;
    bosc_nm_symbol *s =
        target->symbol == NULL
            ? NULL
            : bosc_nm_lower_symbol(l, target->symbol,
                                   target->n > 0 ? target->arg[0] : NULL,
                                   stmt->place);

    if (s != NULL) {
        bosc_nm_stmt *out = bosc_nm_assign(l->m->arena, l->code, s, value);

        out->kind = stmt->kind;
        out->place = stmt->place;
    }
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

static void lower_from(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    const bosc_nm_expr *from = bosc_nm_lower_expr(l, stmt->value);
    const bosc_nm_expr *to = bosc_nm_lower_expr(l, stmt->to);
    const bosc_nm_expr *by = stmt->by == NULL ? bosc_nm_number(l->m->arena, 1)
                                              : bosc_nm_lower_expr(l, stmt->by);
    double rounds;

    if (!bosc_nm_is_number(from) || !bosc_nm_is_number(to) ||
        !bosc_nm_is_number(by) || by->value == 0) {
        bosc_nm_refuse(l->m->problems, stmt->place,
                       "give its bounds as numbers, or by DEFINE",
                       "how often the FROM loop runs is not known beforehand");
        return;
    }
    rounds = floor((to->value - from->value) / by->value) + 1;
    if (rounds > MOST_ROUNDS) {
        bosc_nm_refuse(l->m->problems, stmt->place, "make it shorter",
                       "the FROM loop runs over %d times", MOST_ROUNDS);
        return;
    }
    for (int k = 0; k < rounds; ++k) {
        renew(l, stmt->symbol);
        stmt->symbol->now->kind = BOSC_NM_CONSTANT;
        stmt->symbol->now->value = from->value + k * by->value;
        bosc_nm_lower_body(l, &stmt->body);
    }
}

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
    case BOSC_NM_DO:
        lower_do(l, stmt);
        break;
    case BOSC_NM_BLOCK:
        bosc_nm_lower_body(l, &stmt->body);
        break;
    case BOSC_NM_LOCAL:
        for (int i = 0; i < stmt->names.n; ++i)
            renew(l, ((bosc_nm_item *)stmt->names.item[i])->symbol);
        break;
    case BOSC_NM_SOLVE:
        if (l->solve != NULL && stmt->symbol != NULL)
            l->solve(l->with, stmt, l->code);
        break;
    case BOSC_NM_REACTION:
    case BOSC_NM_FLUX_IN:
    case BOSC_NM_COMPARTMENT:
    case BOSC_NM_CONSERVE:
        if (l->kinetic != NULL)
            bosc_nm_lower_reaction(l, stmt);
        break;
    case BOSC_NM_LINEAR:
        if (l->linear != NULL)
            bosc_nm_lower_linear(l, stmt);
        break;
    default: /* TABLE is computed; others are not reached, or refused */
        break;
    }
}

void bosc_nm_lower_body(bosc_nm_lowerer *l, const bosc_nm_list *body)
{
    for (int i = 0; i < body->n; ++i)
        lower_stmt(l, body->item[i]);
}
