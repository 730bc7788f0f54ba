/* draw.c - random numbers as formulas.
 *
 * An instance has one stream of them, of which it keeps how many were drawn:
 *
 *     x = exprand(3)       ->     x = -3 log(uniform(drawn))
 *                                 drawn = drawn + 1
 *
 * So what is drawn follows from that count alone, whatever the passes do.
 */
#include <string.h>

#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/lower.h"

#define FOLD(op, a, b) bosc_nm_fold(l->m->arena, BOSC_NM_##op, a, b)
#define NUMBER(x) bosc_nm_number(l->m->arena, x)

static bosc_nm_symbol *drawn_of(bosc_nm_mechanism *m)
{
    if (m->drawn == NULL) {
        m->drawn = bosc_nm_symbol_create(m->arena, BOSC_NM_VARIABLE, "drawn");
        m->drawn->is_made = true;
        m->drawn->unit = "1";
        bosc_nm_push(m->arena, &m->symbols, m->drawn);
    }
    return m->drawn;
}

/* The next number of that kind, in a variable of its own. */
static bosc_nm_expr *next(bosc_nm_lowerer *l, bool normal)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_symbol *drawn = drawn_of(l->m);
    bosc_nm_symbol *number = bosc_nm_fresh(arena, "number");
    bosc_nm_expr *n = bosc_nm_use(arena, drawn);

    bosc_nm_assign(arena, l->code, number,
                   bosc_nm_call(arena, normal ? "#normal" : "#uniform", n));
    bosc_nm_assign(arena, l->code, drawn,
                   normal ? bosc_nm_call(arena, "#normal_end", n)
                          : FOLD(ADD, n, NUMBER(1)));
    return bosc_nm_use(arena, number);
}

bosc_nm_expr *bosc_nm_draw(bosc_nm_lowerer *l, const bosc_nm_expr *call,
                           bosc_nm_expr *const *arg)
{
    const char *name = call->name;

    if (strcmp(name, "bosc_played") == 0) { /* comes the way of a stream */
        drawn_of(l->m);
        l->m->reads_table = true;
        return NULL;
    }
    if (strcmp(name, "scop_random") == 0 || strcmp(name, "random_dpick") == 0)
        return next(l, false);
    if (strcmp(name, "random_ipick") == 0) /* the word that it is made of */
        return bosc_nm_call(
            l->m->arena, "floor",
            FOLD(SUBTRACT, FOLD(MULTIPLY, next(l, false), NUMBER(4294967297.0)),
                 NUMBER(0.5)));
    if (strcmp(name, "random_uniform") == 0) {
        bosc_nm_expr *u = next(l, false);

        return call->n < 2
                   ? u
                   : FOLD(ADD, arg[0],
                          FOLD(MULTIPLY, FOLD(SUBTRACT, arg[1], arg[0]), u));
    }
    if (strcmp(name, "exprand") == 0 || strcmp(name, "random_negexp") == 0) {
        bosc_nm_expr *e = bosc_nm_minus(
            l->m->arena, bosc_nm_call(l->m->arena, "log", next(l, false)));

        return call->n < 1 ? e : FOLD(MULTIPLY, arg[0], e);
    }
    if (strcmp(name, "normrand") == 0 || strcmp(name, "random_normal") == 0) {
        bosc_nm_expr *x = next(l, true);

        return call->n < 2 ? x : FOLD(ADD, arg[0], FOLD(MULTIPLY, arg[1], x));
    }
    return NULL;
}
