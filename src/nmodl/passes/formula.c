/* formula.c - the functions of NEURON itself, written out.
 *
 *     nernst(ci, co, z)  k / z log(co / ci), in mV, with k = 1000 R T / F;
 * where a concentration is not above 0, as NEURON: 1e6, -1e6 ghk(v, ci, co, z)
 * 0.001 z F (ci e(-x) - co e(x)) with x = z v / k and e(x) = x / (exp(x) - 1),
 * near 0 by its series at_time(u)         true in the step in which t reaches u
 */
#include <string.h>

#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/lower.h"

/* CODATA 2018, as NEURON 9. */
static const double gas = 8.31446261815324, faraday = 96485.3321233100184;

#define FOLD(op, a, b) bosc_nm_fold(l->m->arena, BOSC_NM_##op, a, b)
#define NUMBER(x) bosc_nm_number(l->m->arena, x)

static bosc_nm_expr *named(bosc_nm_lowerer *l, const char *name)
{
    return bosc_nm_use(l->m->arena, bosc_nm_find(l->m, name));
}

/* 1000 R T / F (mV). */
static bosc_nm_expr *thermal(bosc_nm_lowerer *l)
{
    return FOLD(MULTIPLY, NUMBER(1000 * gas / faraday),
                FOLD(ADD, named(l, "celsius"), NUMBER(273.15)));
}

static bosc_nm_expr *nernst(bosc_nm_lowerer *l, bosc_nm_expr *const *arg)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_expr *none = FOLD(LESS_EQUAL, arg[0], NUMBER(0));
    bosc_nm_expr *none_outside = FOLD(LESS_EQUAL, arg[1], NUMBER(0));
    bosc_nm_expr *e =
        FOLD(MULTIPLY, FOLD(DIVIDE, thermal(l), arg[2]),
             bosc_nm_call(arena, "log", FOLD(DIVIDE, arg[1], arg[0])));

    return bosc_nm_select(arena, none, NUMBER(1e6),
                          bosc_nm_select(arena, none_outside, NUMBER(-1e6), e));
}

/* e(x). */
static bosc_nm_expr *linoid(bosc_nm_lowerer *l, bosc_nm_expr *x)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_expr *is_small =
        FOLD(LESS, bosc_nm_call(arena, "fabs", x), NUMBER(1e-4));
    bosc_nm_expr *rest =
        FOLD(SUBTRACT, bosc_nm_call(arena, "exp", x), NUMBER(1));

    return bosc_nm_select(arena, is_small,
                          FOLD(SUBTRACT, NUMBER(1), FOLD(DIVIDE, x, NUMBER(2))),
                          FOLD(DIVIDE, x, rest));
}

static bosc_nm_expr *ghk(bosc_nm_lowerer *l, bosc_nm_expr *const *arg)
{
    bosc_nm_symbol *x = bosc_nm_fresh(l->m->arena, "x");
    bosc_nm_expr *use, *inward, *outward;

    bosc_nm_assign(l->m->arena, l->code, x,
                   FOLD(DIVIDE, FOLD(MULTIPLY, arg[3], arg[0]), thermal(l)));
    use = bosc_nm_use(l->m->arena, x);
    inward = FOLD(MULTIPLY, arg[2], linoid(l, use));
    outward =
        FOLD(MULTIPLY, arg[1], linoid(l, bosc_nm_minus(l->m->arena, use)));
    return FOLD(MULTIPLY, FOLD(MULTIPLY, NUMBER(0.001 * faraday), arg[3]),
                FOLD(SUBTRACT, outward, inward));
}

static bosc_nm_expr *at_time(bosc_nm_lowerer *l, bosc_nm_expr *const *arg)
{
    bosc_nm_expr *t = named(l, "t");
    bosc_nm_expr *u = FOLD(SUBTRACT, arg[0], NUMBER(1e-11));

    return FOLD(AND, FOLD(LESS_EQUAL, u, t),
                FOLD(GREATER, u, FOLD(SUBTRACT, t, named(l, "dt"))));
}

bosc_nm_expr *bosc_nm_formula(bosc_nm_lowerer *l, const char *name,
                              bosc_nm_expr *const *arg)
{
    static const struct {
        const char *name;
        bosc_nm_expr *(*write)(bosc_nm_lowerer *l, bosc_nm_expr *const *arg);
    } formulas[] = {{"nernst", nernst}, {"ghk", ghk}, {"at_time", at_time}};

    for (size_t i = 0; i < BOSC_LEN(formulas); ++i)
        if (strcmp(formulas[i].name, name) == 0)
            return formulas[i].write(l, arg);
    return NULL;
}
