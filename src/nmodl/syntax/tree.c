#include "src/nmodl/syntax/tree.h"

#include <stddef.h>

bosc_nm_expr *bosc_nm_node(bosc_nm_arena *arena, bosc_nm_expr_kind kind, int n,
                           bosc_nm_place place)
{
    bosc_nm_expr *e = bosc_nm_new(arena, 1, sizeof *e);

    e->kind = kind;
    e->name = "";
    e->n = n;
    e->arg = bosc_nm_new(arena, (size_t)n, sizeof *e->arg);
    e->place = place;
    return e;
}

bosc_nm_expr *bosc_nm_number(bosc_nm_arena *arena, double value)
{
    bosc_nm_expr *e =
        bosc_nm_node(arena, BOSC_NM_NUMBER, 0, (bosc_nm_place){NULL, 0, 0});

    e->value = value;
    return e;
}

bosc_nm_expr *bosc_nm_binary(bosc_nm_arena *arena, bosc_nm_op op,
                             bosc_nm_expr *a, bosc_nm_expr *b)
{
    bosc_nm_expr *e = bosc_nm_node(arena, BOSC_NM_BINARY, 2, a->place);

    e->op = op;
    e->arg[0] = a;
    e->arg[1] = b;
    return e;
}

bosc_nm_expr *bosc_nm_unary(bosc_nm_arena *arena, bosc_nm_expr_kind kind,
                            bosc_nm_expr *a)
{
    bosc_nm_expr *e = bosc_nm_node(arena, kind, 1, a->place);

    e->arg[0] = a;
    return e;
}

bosc_nm_expr *bosc_nm_call(bosc_nm_arena *arena, const char *name,
                           bosc_nm_expr *a)
{
    bosc_nm_expr *e = bosc_nm_unary(arena, BOSC_NM_CALL, a);

    e->name = name;
    return e;
}

bosc_nm_stmt *bosc_nm_stmt_create(bosc_nm_arena *arena, bosc_nm_stmt_kind kind,
                                  bosc_nm_place place)
{
    bosc_nm_stmt *stmt = bosc_nm_new(arena, 1, sizeof *stmt);

    stmt->kind = kind;
    stmt->place = place;
    stmt->name = stmt->method = "";
    return stmt;
}

const char *bosc_nm_op_text(bosc_nm_op op)
{
    static const char *const text[] = {
        "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};

    return text[op];
}

bool bosc_nm_is_number(const bosc_nm_expr *e)
{
    return e->kind == BOSC_NM_NUMBER;
}

bool bosc_nm_is(const bosc_nm_expr *e, double value)
{
    return e->kind == BOSC_NM_NUMBER && e->value == value;
}

void bosc_nm_each_expr(bosc_nm_stmt *stmt,
                       void (*visit)(void *with, bosc_nm_expr **e), void *with)
{
    bosc_nm_expr **const own[] = {&stmt->target, &stmt->value, &stmt->to,
                                  &stmt->by};
    const bosc_nm_list *const lists[] = {&stmt->names, &stmt->right};

    for (size_t i = 0; i < BOSC_LEN(own); ++i)
        if (*own[i] != NULL)
            visit(with, own[i]);
    for (size_t k = 0; k < BOSC_LEN(lists); ++k)
        for (int i = 0; i < lists[k]->n; ++i) {
            bosc_nm_item *item = lists[k]->item[i];

            if (item->index != NULL)
                visit(with, &item->index);
        }
}
