#include "src/nmodl/passes/fold.h"

#include <math.h>
#include <string.h>

#include "src/nmodl/model/function.h"

bosc_nm_expr *bosc_nm_minus(bosc_nm_arena *arena, bosc_nm_expr *a)
{
    if (a->kind == BOSC_NM_NUMBER)
        return bosc_nm_number(arena, -a->value);
    if (a->kind == BOSC_NM_NEGATE)
        return a->arg[0];
    if (a->kind == BOSC_NM_BINARY && a->op == BOSC_NM_SUBTRACT)
        return bosc_nm_binary(arena, BOSC_NM_SUBTRACT, a->arg[1], a->arg[0]);
    return bosc_nm_unary(arena, BOSC_NM_NEGATE, a);
}

/* a op b of numbers; false where that is left to the generated text. */
static bool fold_numbers(bosc_nm_op op, double a, double b, double *out)
{
    switch (op) {
    case BOSC_NM_ADD:
        *out = a + b;
        break;
    case BOSC_NM_SUBTRACT:
        *out = a - b;
        break;
    case BOSC_NM_MULTIPLY:
        *out = a * b;
        break;
    case BOSC_NM_DIVIDE:
        *out = a / b;
        break;
    case BOSC_NM_LESS:
        *out = a < b;
        break;
    case BOSC_NM_LESS_EQUAL:
        *out = a <= b;
        break;
    case BOSC_NM_GREATER:
        *out = a > b;
        break;
    case BOSC_NM_GREATER_EQUAL:
        *out = a >= b;
        break;
    case BOSC_NM_EQUAL:
        *out = a == b;
        break;
    case BOSC_NM_NOT_EQUAL:
        *out = a != b;
        break;
    case BOSC_NM_AND:
        *out = a != 0 && b != 0;
        break;
    case BOSC_NM_OR:
        *out = a != 0 || b != 0;
        break;
    case BOSC_NM_POWER:
        return false;
    }
    return isfinite(*out);
}

static bool is_negative(const bosc_nm_expr *e)
{
    return e->kind == BOSC_NM_NEGATE;
}

static bosc_nm_expr *fold_sum(bosc_nm_arena *arena, bosc_nm_op op,
                              bosc_nm_expr *a, bosc_nm_expr *b)
{
    const bool minus = op == BOSC_NM_SUBTRACT;

    if (bosc_nm_is(b, 0))
        return a;
    if (bosc_nm_is(a, 0))
        return minus ? bosc_nm_minus(arena, b) : b;
    if (is_negative(b))
        return bosc_nm_fold(arena, minus ? BOSC_NM_ADD : BOSC_NM_SUBTRACT, a,
                            b->arg[0]);
    if (is_negative(a) && !minus)
        return bosc_nm_fold(arena, BOSC_NM_SUBTRACT, b, a->arg[0]);
    if (is_negative(a))
        return bosc_nm_minus(arena,
                             bosc_nm_fold(arena, BOSC_NM_ADD, a->arg[0], b));
    return NULL;
}

/* A product or a quotient, its signs taken to the front. */
static bosc_nm_expr *fold_signs(bosc_nm_arena *arena, bosc_nm_op op,
                                bosc_nm_expr *a, bosc_nm_expr *b)
{
    bosc_nm_expr *size = bosc_nm_fold(arena, op, is_negative(a) ? a->arg[0] : a,
                                      is_negative(b) ? b->arg[0] : b);

    return is_negative(a) && is_negative(b) ? size : bosc_nm_minus(arena, size);
}

static bosc_nm_expr *fold_product(bosc_nm_arena *arena, bosc_nm_expr *a,
                                  bosc_nm_expr *b)
{
    if (bosc_nm_is(a, 0) || bosc_nm_is(b, 0))
        return bosc_nm_number(arena, 0);
    if (bosc_nm_is(a, 1))
        return b;
    if (bosc_nm_is(b, 1))
        return a;
    if (bosc_nm_is(a, -1))
        return bosc_nm_minus(arena, b);
    if (bosc_nm_is(b, -1))
        return bosc_nm_minus(arena, a);
    return is_negative(a) || is_negative(b)
               ? fold_signs(arena, BOSC_NM_MULTIPLY, a, b)
               : NULL;
}

static bosc_nm_expr *fold_quotient(bosc_nm_arena *arena, bosc_nm_expr *a,
                                   bosc_nm_expr *b)
{
    if (bosc_nm_is(a, 0) && !bosc_nm_is(b, 0))
        return a;
    if (bosc_nm_is(b, 1))
        return a;
    if (bosc_nm_is(b, -1))
        return bosc_nm_minus(arena, a);
    return is_negative(a) || is_negative(b)
               ? fold_signs(arena, BOSC_NM_DIVIDE, a, b)
               : NULL;
}

bosc_nm_expr *bosc_nm_fold(bosc_nm_arena *arena, bosc_nm_op op, bosc_nm_expr *a,
                           bosc_nm_expr *b)
{
    bosc_nm_expr *simple = NULL;
    double value = 0;

    if (bosc_nm_is_number(a) && bosc_nm_is_number(b) &&
        fold_numbers(op, a->value, b->value, &value))
        return bosc_nm_number(arena, value);
    if (op == BOSC_NM_ADD || op == BOSC_NM_SUBTRACT)
        simple = fold_sum(arena, op, a, b);
    else if (op == BOSC_NM_MULTIPLY)
        simple = fold_product(arena, a, b);
    else if (op == BOSC_NM_DIVIDE)
        simple = fold_quotient(arena, a, b);
    else if (op == BOSC_NM_POWER && bosc_nm_is(b, 1))
        simple = a;
    else if (op == BOSC_NM_POWER && bosc_nm_is(b, 0))
        simple = bosc_nm_number(arena, 1);
    return simple != NULL ? simple : bosc_nm_binary(arena, op, a, b);
}

bosc_nm_expr *bosc_nm_select(bosc_nm_arena *arena, bosc_nm_expr *condition,
                             bosc_nm_expr *a, bosc_nm_expr *b)
{
    bosc_nm_expr *e;

    if (bosc_nm_is_number(condition))
        return condition->value != 0 ? a : b;
    e = bosc_nm_node(arena, BOSC_NM_SELECT, 3, condition->place);
    e->arg[0] = condition;
    e->arg[1] = a;
    e->arg[2] = b;
    return e;
}

bosc_nm_expr *bosc_nm_rebuild(bosc_nm_arena *arena, const bosc_nm_expr *e,
                              bosc_nm_expr **arg)
{
    bosc_nm_expr *copy;
    double value;

    switch (e->kind) {
    case BOSC_NM_BINARY:
        return bosc_nm_fold(arena, e->op, arg[0], arg[1]);
    case BOSC_NM_NEGATE:
        return bosc_nm_minus(arena, arg[0]);
    case BOSC_NM_SELECT:
        return bosc_nm_select(arena, arg[0], arg[1], arg[2]);
    case BOSC_NM_NOT:
        if (bosc_nm_is_number(arg[0]))
            return bosc_nm_number(arena, arg[0]->value == 0);
        break;
    case BOSC_NM_CALL:
        if (e->n == 1 && bosc_nm_is_number(arg[0]) &&
            bosc_nm_function_value(e->name, arg[0]->value, &value))
            return bosc_nm_number(arena, value);
        break;
    default:
        break;
    }
    copy = bosc_nm_node(arena, e->kind, e->n, e->place);
    copy->op = e->op;
    copy->value = e->value;
    copy->name = e->name;
    copy->symbol = e->symbol;
    for (int i = 0; i < e->n; ++i)
        copy->arg[i] = arg[i];
    return copy;
}

bosc_nm_expr *bosc_nm_replace(bosc_nm_arena *arena, bosc_nm_expr *e,
                              const struct bosc_nm_symbol *what,
                              bosc_nm_expr *by)
{
    bosc_nm_expr **arg;

    if (e->kind == BOSC_NM_NAME && e->n == 0)
        return e->symbol == what ? by : e;
    if (!bosc_nm_uses(e, what))
        return e;
    arg = bosc_nm_new(arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = bosc_nm_replace(arena, e->arg[i], what, by);
    return bosc_nm_rebuild(arena, e, arg);
}

bool bosc_nm_uses(const bosc_nm_expr *e, const struct bosc_nm_symbol *what)
{
    if (e->kind == BOSC_NM_NAME && e->symbol == what)
        return true;
    for (int i = 0; i < e->n; ++i)
        if (bosc_nm_uses(e->arg[i], what))
            return true;
    return false;
}

bool bosc_nm_same(const bosc_nm_expr *a, const bosc_nm_expr *b)
{
    if (a->kind != b->kind || a->op != b->op || a->n != b->n ||
        a->symbol != b->symbol ||
        (a->kind == BOSC_NM_NUMBER && a->value != b->value) ||
        (a->kind == BOSC_NM_CALL && strcmp(a->name, b->name) != 0))
        return false;
    for (int i = 0; i < a->n; ++i)
        if (!bosc_nm_same(a->arg[i], b->arg[i]))
            return false;
    return true;
}
