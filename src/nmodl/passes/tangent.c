#include "src/nmodl/passes/tangent.h"

#include <string.h>

#include "src/base/status.h"
#include "src/nmodl/passes/fold.h"

/* ---- which symbols depend on a seed ---- */

static bool is_seed(const bosc_nm_tangents *t, const bosc_nm_symbol *s, int k)
{
    return t->seed[k] == s;
}

bool bosc_nm_depends(const bosc_nm_tangents *t, const bosc_nm_expr *e, int k)
{
    if (e->kind == BOSC_NM_NAME && e->symbol != NULL)
        return is_seed(t, e->symbol, k) ||
               (e->symbol->tangent != NULL && e->symbol->tangent[k] != NULL);
    for (int i = 0; i < e->n; ++i)
        if (bosc_nm_depends(t, e->arg[i], k))
            return true;
    return false;
}

static bool is_step(const bosc_nm_expr *e)
{
    static const char *const steps[] = {"floor", "ceil", "trunc", "fmod"};

    if (e->kind == BOSC_NM_NOT || e->kind == BOSC_NM_SELECT)
        return true;
    if (e->kind == BOSC_NM_BINARY)
        return e->op >= BOSC_NM_LESS;
    for (size_t i = 0; e->kind == BOSC_NM_CALL && i < BOSC_LEN(steps); ++i)
        if (strcmp(e->name, steps[i]) == 0)
            return true;
    return e->kind == BOSC_NM_NAME && e->n > 0; /* its index is a step */
}

bool bosc_nm_jumps(const bosc_nm_tangents *t, const bosc_nm_expr *e, int k)
{
    for (int i = 0; i < e->n; ++i)
        if ((is_step(e) && bosc_nm_depends(t, e->arg[i], k)) ||
            bosc_nm_jumps(t, e->arg[i], k))
            return true;
    return false;
}

bool bosc_nm_chooses(const bosc_nm_tangents *t, const bosc_nm_list *code, int k)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        const bool branches =
            stmt->kind == BOSC_NM_IF || stmt->kind == BOSC_NM_FROM;
        const bosc_nm_expr *const all[] = {stmt->value, stmt->to, stmt->target};

        for (size_t j = 0; j < BOSC_LEN(all); ++j)
            if (all[j] != NULL &&
                ((branches && bosc_nm_depends(t, all[j], k)) ||
                 bosc_nm_jumps(t, all[j], k)))
                return true;
        if (bosc_nm_chooses(t, &stmt->body, k) ||
            bosc_nm_chooses(t, &stmt->otherwise, k))
            return true;
    }
    return false;
}

/* Give the symbol a tangent for seed k; true if that is news. */
static bool give(bosc_nm_tangents *t, bosc_nm_symbol *s, int k)
{
    if (s->tangent == NULL) {
        s->tangent = bosc_nm_new(t->arena, (size_t)t->n, sizeof *s->tangent);
        bosc_nm_push(t->arena, &t->known, s);
    }
    if (s->tangent[k] != NULL)
        return false;
    s->tangent[k] =
        bosc_nm_fresh(t->arena, bosc_nm_text(t->arena, "d_%s", s->name));
    return true;
}

/* One round over the code; true if something was news. */
static bool spread(bosc_nm_tangents *t, const bosc_nm_list *code)
{
    bool news = false;

    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        for (int k = 0; stmt->kind == BOSC_NM_ASSIGN && k < t->n; ++k)
            if (stmt->target->n == 0 && (bosc_nm_depends(t, stmt->value, k) ||
                                         is_seed(t, stmt->target->symbol, k)))
                news = give(t, stmt->target->symbol, k) || news;
        news = spread(t, &stmt->body) || news;
        news = spread(t, &stmt->otherwise) || news;
    }
    return news;
}

void bosc_nm_tangents_begin(bosc_nm_tangents *t, const bosc_nm_list *code,
                            bosc_nm_list *out)
{
    while (spread(t, code))
        ;
    for (int i = 0; i < t->known.n; ++i) {
        const bosc_nm_symbol *s = t->known.item[i];

        for (int k = 0; k < t->n; ++k)
            if (s->tangent[k] != NULL)
                bosc_nm_assign(t->arena, out, s->tangent[k],
                               bosc_nm_number(t->arena, is_seed(t, s, k)));
    }
}

void bosc_nm_tangents_end(bosc_nm_tangents *t)
{
    for (int i = 0; i < t->known.n; ++i)
        ((bosc_nm_symbol *)t->known.item[i])->tangent = NULL;
    t->known.n = 0;
}

/* ---- derivatives of expressions ---- */

#define FOLD(op, a, b) bosc_nm_fold(t->arena, BOSC_NM_##op, a, b)
#define NUMBER(x) bosc_nm_number(t->arena, x)

static bosc_nm_expr *square(const bosc_nm_tangents *t, bosc_nm_expr *a)
{
    return FOLD(MULTIPLY, a, a);
}

/* The derivative of a ^ b, where da and db are those of a and b. */
static bosc_nm_expr *power_tangent(const bosc_nm_tangents *t, bosc_nm_expr *a,
                                   bosc_nm_expr *b, bosc_nm_expr *da,
                                   bosc_nm_expr *db)
{
    bosc_nm_expr *by_base = FOLD(
        MULTIPLY,
        FOLD(MULTIPLY, b, FOLD(POWER, a, FOLD(SUBTRACT, b, NUMBER(1)))), da);
    bosc_nm_expr *by_power;

    if (bosc_nm_is(db, 0))
        return by_base;
    by_power = FOLD(
        MULTIPLY,
        FOLD(MULTIPLY, FOLD(POWER, a, b), bosc_nm_call(t->arena, "log", a)),
        db);
    return bosc_nm_is(da, 0) ? by_power : FOLD(ADD, by_base, by_power);
}

/* f'(x) of a function of one argument. */
static bosc_nm_expr *slope_of(const bosc_nm_tangents *t, const bosc_nm_expr *e)
{
    const char *name = e->name;
    bosc_nm_expr *x = e->arg[0];
    bosc_nm_expr *value = bosc_nm_call(t->arena, name, x);

    if (strcmp(name, "exp") == 0)
        return value;
    if (strcmp(name, "log") == 0)
        return FOLD(DIVIDE, NUMBER(1), x);
    if (strcmp(name, "log10") == 0)
        return FOLD(DIVIDE, NUMBER(0.43429448190325182), x); /* 1 / ln 10 */
    if (strcmp(name, "sqrt") == 0)
        return FOLD(DIVIDE, NUMBER(0.5), value);
    if (strcmp(name, "sin") == 0)
        return bosc_nm_call(t->arena, "cos", x);
    if (strcmp(name, "cos") == 0)
        return bosc_nm_minus(t->arena, bosc_nm_call(t->arena, "sin", x));
    if (strcmp(name, "tan") == 0)
        return FOLD(ADD, NUMBER(1), square(t, value));
    if (strcmp(name, "asin") == 0 || strcmp(name, "acos") == 0) {
        bosc_nm_expr *root = bosc_nm_call(
            t->arena, "sqrt", FOLD(SUBTRACT, NUMBER(1), square(t, x)));

        return FOLD(DIVIDE, NUMBER(name[1] == 's' ? 1 : -1), root);
    }
    if (strcmp(name, "atan") == 0)
        return FOLD(DIVIDE, NUMBER(1), FOLD(ADD, NUMBER(1), square(t, x)));
    if (strcmp(name, "erf") == 0)
        return FOLD(MULTIPLY, NUMBER(1.1283791670955126), /* 2 / sqrt(pi) */
                    bosc_nm_call(t->arena, "exp",
                                 bosc_nm_minus(t->arena, square(t, x))));
    if (strcmp(name, "sinh") == 0)
        return bosc_nm_call(t->arena, "cosh", x);
    if (strcmp(name, "cosh") == 0)
        return bosc_nm_call(t->arena, "sinh", x);
    if (strcmp(name, "tanh") == 0)
        return FOLD(SUBTRACT, NUMBER(1), square(t, value));
    if (strcmp(name, "fabs") == 0 || strcmp(name, "abs") == 0)
        return bosc_nm_select(
            t->arena, bosc_nm_binary(t->arena, BOSC_NM_LESS, x, NUMBER(0)),
            NUMBER(-1), NUMBER(1));
    return NUMBER(0); /* floor, ceil: steps */
}

static bosc_nm_expr *call_tangent(const bosc_nm_tangents *t,
                                  const bosc_nm_expr *e, int k)
{
    bosc_nm_expr *da = bosc_nm_tangent(t, e->arg[0], k), *db;

    if (e->n == 1)
        return FOLD(MULTIPLY, slope_of(t, e), da);
    db = bosc_nm_tangent(t, e->arg[1], k);
    if (strcmp(e->name, "pow") == 0)
        return power_tangent(t, e->arg[0], e->arg[1], da, db);
    if (strcmp(e->name, "fmod") == 0) /* a - b, a whole number of times */
        return FOLD(
            SUBTRACT, da,
            FOLD(MULTIPLY, db,
                 FOLD(DIVIDE, FOLD(SUBTRACT, e->arg[0], (bosc_nm_expr *)e),
                      e->arg[1])));
    /* atan2(a, b) */
    return FOLD(DIVIDE,
                FOLD(SUBTRACT, FOLD(MULTIPLY, e->arg[1], da),
                     FOLD(MULTIPLY, e->arg[0], db)),
                FOLD(ADD, square(t, e->arg[0]), square(t, e->arg[1])));
}

static bosc_nm_expr *binary_tangent(const bosc_nm_tangents *t,
                                    const bosc_nm_expr *e, int k)
{
    bosc_nm_expr *a = e->arg[0], *b = e->arg[1];
    bosc_nm_expr *da = bosc_nm_tangent(t, a, k);
    bosc_nm_expr *db = bosc_nm_tangent(t, b, k);

    switch (e->op) {
    case BOSC_NM_ADD:
        return FOLD(ADD, da, db);
    case BOSC_NM_SUBTRACT:
        return FOLD(SUBTRACT, da, db);
    case BOSC_NM_MULTIPLY:
        return FOLD(ADD, FOLD(MULTIPLY, da, b), FOLD(MULTIPLY, a, db));
    case BOSC_NM_DIVIDE:
        if (bosc_nm_is(db, 0))
            return FOLD(DIVIDE, da, b);
        return FOLD(DIVIDE,
                    FOLD(SUBTRACT, da, FOLD(MULTIPLY, FOLD(DIVIDE, a, b), db)),
                    b);
    case BOSC_NM_POWER:
        return power_tangent(t, a, b, da, db);
    default: /* conditions are steps */
        return NUMBER(0);
    }
}

bosc_nm_expr *bosc_nm_tangent(const bosc_nm_tangents *t, const bosc_nm_expr *e,
                              int k)
{
    if (!bosc_nm_depends(t, e, k))
        return NUMBER(0);
    switch (e->kind) {
    case BOSC_NM_NAME:
        if (e->symbol->tangent == NULL || e->symbol->tangent[k] == NULL)
            return NUMBER(1); /* the seed, which nothing changes */
        return bosc_nm_use(t->arena, e->symbol->tangent[k]);
    case BOSC_NM_NEGATE:
        return bosc_nm_minus(t->arena, bosc_nm_tangent(t, e->arg[0], k));
    case BOSC_NM_BINARY:
        return binary_tangent(t, e, k);
    case BOSC_NM_CALL:
        return call_tangent(t, e, k);
    case BOSC_NM_SELECT:
        return bosc_nm_select(t->arena, e->arg[0],
                              bosc_nm_tangent(t, e->arg[1], k),
                              bosc_nm_tangent(t, e->arg[2], k));
    default:
        return NUMBER(0);
    }
}

/* ---- statements ---- */

static void add_list(bosc_nm_tangents *t, const bosc_nm_list *code,
                     bosc_nm_list *out)
{
    for (int i = 0; i < code->n; ++i)
        bosc_nm_tangents_add(t, code->item[i], out);
}

void bosc_nm_tangents_add(bosc_nm_tangents *t, bosc_nm_stmt *stmt,
                          bosc_nm_list *out)
{
    if (stmt->kind == BOSC_NM_IF || stmt->kind == BOSC_NM_BLOCK ||
        stmt->kind == BOSC_NM_FROM) {
        bosc_nm_stmt *copy = bosc_nm_stmt_like(t->arena, stmt);

        add_list(t, &stmt->body, &copy->body);
        add_list(t, &stmt->otherwise, &copy->otherwise);
        bosc_nm_push(t->arena, out, copy);
        return;
    }
    for (int k = 0; stmt->kind == BOSC_NM_ASSIGN && k < t->n; ++k) {
        bosc_nm_symbol **tangent = stmt->target->symbol->tangent;

        if (tangent != NULL && tangent[k] != NULL)
            bosc_nm_assign(t->arena, out, tangent[k],
                           bosc_nm_tangent(t, stmt->value, k));
    }
    bosc_nm_push(t->arena, out, stmt);
}
