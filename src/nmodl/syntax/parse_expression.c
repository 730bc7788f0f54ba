/* parse_expression.c - expressions, by the precedence of their operators. */
#include <string.h>

#include "src/nmodl/syntax/parse.h"

static const struct {
    const char *sign;
    bosc_nm_op op;
    int level; /* the higher the closer */
} operators[] = {
    {"||", BOSC_NM_OR, 1},         {"&&", BOSC_NM_AND, 2},
    {"<=", BOSC_NM_LESS_EQUAL, 3}, {">=", BOSC_NM_GREATER_EQUAL, 3},
    {"==", BOSC_NM_EQUAL, 3},      {"!=", BOSC_NM_NOT_EQUAL, 3},
    {"<", BOSC_NM_LESS, 3},        {">", BOSC_NM_GREATER, 3},
    {"+", BOSC_NM_ADD, 4},         {"-", BOSC_NM_SUBTRACT, 4},
    {"*", BOSC_NM_MULTIPLY, 5},    {"/", BOSC_NM_DIVIDE, 5},
};

static bosc_nm_expr *parse_unary(bosc_nm_parser *p);

static bosc_nm_expr *parse_call(bosc_nm_parser *p, const bosc_nm_token *name)
{
    bosc_nm_list args = {0};

    if (!bosc_nm_expect(p, "("))
        return NULL;
    while (!bosc_nm_take(p, ")")) {
        bosc_nm_expr *arg = bosc_nm_parse_expr(p);

        if (arg == NULL)
            return NULL;
        bosc_nm_push(p->arena, &args, arg);
        if (!bosc_nm_take(p, ",") && !bosc_nm_at(p, ")")) {
            bosc_nm_unexpected(p, "',' or ')'");
            return NULL;
        }
    }

    bosc_nm_expr *e = bosc_nm_node(p->arena, BOSC_NM_CALL, args.n, name->place);

    e->name = name->text;
    if (args.n > 0)
        memcpy(e->arg, args.item, (size_t)args.n * sizeof *e->arg);
    return e;
}

static bosc_nm_expr *parse_name(bosc_nm_parser *p)
{
    const bosc_nm_token *name = bosc_nm_now(p);
    bosc_nm_expr *e, *index = NULL;

    if (bosc_nm_take_name(p, "a number, a name or '('") == NULL)
        return NULL;
    if (bosc_nm_at(p, "("))
        return parse_call(p, name);
    if (bosc_nm_take(p, "[")) {
        index = bosc_nm_parse_expr(p);
        if (index == NULL || !bosc_nm_expect(p, "]"))
            return NULL;
    }
    e = bosc_nm_node(p->arena, BOSC_NM_NAME, index != NULL, name->place);
    e->name = name->text;
    if (index != NULL)
        e->arg[0] = index;
    return e;
}

static bosc_nm_expr *parse_primary(bosc_nm_parser *p)
{
    const bosc_nm_token *now = bosc_nm_now(p);
    bosc_nm_expr *e;

    if (now->kind == BOSC_NM_DIGITS) {
        e = bosc_nm_number(p->arena, now->value);
        e->place = now->place;
        bosc_nm_advance(p);
        return bosc_nm_take_unit(p) == NULL ? NULL : e;
    }
    if (now->kind == BOSC_NM_QUOTED) {
        e = bosc_nm_node(p->arena, BOSC_NM_STRING, 0, now->place);
        e->name = now->text;
        bosc_nm_advance(p);
        return e;
    }
    if (bosc_nm_take(p, "(")) {
        e = bosc_nm_parse_expr(p);
        return e == NULL || !bosc_nm_expect(p, ")") ? NULL : e;
    }
    return parse_name(p);
}

/* a ^ b: closer than a sign before it, and a ^ -b is allowed. */
static bosc_nm_expr *parse_power(bosc_nm_parser *p)
{
    bosc_nm_expr *base = parse_primary(p), *power;

    if (base == NULL || !bosc_nm_take(p, "^"))
        return base;
    power = parse_unary(p);
    return power == NULL ? NULL
                         : bosc_nm_binary(p->arena, BOSC_NM_POWER, base, power);
}

static bosc_nm_expr *parse_unary(bosc_nm_parser *p)
{
    const bosc_nm_place place = bosc_nm_now(p)->place;
    const bool minus = bosc_nm_at(p, "-"), negated = bosc_nm_at(p, "!");
    bosc_nm_expr *e = NULL;

    if (!bosc_nm_enter(p))
        return NULL;
    if (minus || negated || bosc_nm_at(p, "+")) {
        bosc_nm_advance(p);
        e = parse_unary(p);
        if (e != NULL && (minus || negated)) {
            e = bosc_nm_unary(p->arena, minus ? BOSC_NM_NEGATE : BOSC_NM_NOT,
                              e);
            e->place = place;
        }
    } else {
        e = parse_power(p);
    }
    bosc_nm_leave(p);
    return e;
}

/* Operators of this level and closer ones; those of one level from the left. */
static bosc_nm_expr *parse_level(bosc_nm_parser *p, int level)
{
    bosc_nm_expr *left = parse_unary(p);

    while (left != NULL) {
        const bosc_nm_place place = bosc_nm_now(p)->place;
        size_t row = 0;

        while (row < BOSC_LEN(operators) &&
               !(operators[row].level >= level &&
                 bosc_nm_at(p, operators[row].sign)))
            ++row;
        if (row == BOSC_LEN(operators))
            return left;
        bosc_nm_advance(p);
        if (++p->operators > BOSC_NM_MOST_OPERATORS) {
            bosc_nm_refuse(p->problems, place, "write it in several statements",
                           "an expression with over %d operators",
                           BOSC_NM_MOST_OPERATORS);
            return NULL;
        }

        bosc_nm_expr *right = parse_level(p, operators[row].level + 1);

        if (right == NULL)
            return NULL;
        left = bosc_nm_binary(p->arena, operators[row].op, left, right);
        left->place = place;
    }
    return NULL;
}

bosc_nm_expr *bosc_nm_parse_expr(bosc_nm_parser *p)
{
    bosc_nm_expr *e;

    if (!bosc_nm_enter(p))
        return NULL;
    e = parse_level(p, 1);
    bosc_nm_leave(p);
    return e;
}
