/* relax.c - steps of states towards their goals without a division, where that
 * can be, and in a form that is computed fast near them.
 *
 *     x = x + (1 - exp(-z)) * (goal - x)
 *                          ->   x = x + z * #relax(z) * (goal - x)
 *     where goal = a / d and z = d * k
 *                          ->   x = x + k * #relax(z) * (a - d * x)
 *
 * #relax(z) is (1 - exp(-z)) / z.  The near form of ADVANCE (program.h) takes a
 * polynomial for it, the wide form does so where z is small, and both take
 * exponentials whose arguments are within limits, and quotients #over(x, y) and
 * #per(y) (kernels/mech/relax.h).
 */
#include <math.h>
#include <string.h>

#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"

enum {
    MOST_FACTORS = 16,
    MOST_STATES = 16, /* of a mechanism with a near form */
    MOST_STATEMENTS = 500
};

static const double usual = 150, small = 0.3465, within = 700; /* relax.h */

typedef struct relaxer {
    bosc_nm_program *p;
    bosc_nm_arena *arena;
    const bosc_nm_entry *entry;
    bool checks_v, wide;
} relaxer;

#define FOLD(op, a, b) bosc_nm_fold(r->arena, BOSC_NM_##op, a, b)

static bool is_op(const bosc_nm_expr *e, bosc_nm_op op)
{
    return e->kind == BOSC_NM_BINARY && e->op == op;
}

static bool is_call(const bosc_nm_expr *e, const char *name)
{
    return e->kind == BOSC_NM_CALL && e->symbol == NULL &&
           strcmp(e->name, name) == 0;
}

/* What a variable that has one value stands for; else the expression itself. */
static bosc_nm_expr *value_of(const relaxer *r, bosc_nm_expr *e)
{
    const bosc_nm_list *code = &r->entry->code;

    if (e->kind != BOSC_NM_NAME || e->n > 0 ||
        !bosc_nm_set_has(&r->entry->single, e->symbol))
        return e;
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_ASSIGN && stmt->target->symbol == e->symbol)
            return stmt->value;
    }
    return e;
}

/* Has it the same value wherever it stands? */
static bool is_stable(const relaxer *r, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME &&
        (e->n > 0 || (!bosc_nm_set_has(&r->entry->single, e->symbol) &&
                      bosc_nm_set_has(&r->entry->written, e->symbol))))
        return false;
    if (e->kind == BOSC_NM_CALL && e->name[0] == '#')
        return false;
    for (int i = 0; i < e->n; ++i)
        if (!is_stable(r, e->arg[i]))
            return false;
    return true;
}

/* ---- a / d and d k ---- */

/* above / below, also where it is above times a variable that is 1 / below. */
static bool find_quotient(const relaxer *r, bosc_nm_expr *e,
                          bosc_nm_expr **above, bosc_nm_expr **below)
{
    e = value_of(r, e);
    if (is_op(e, BOSC_NM_DIVIDE)) {
        *above = e->arg[0];
        *below = e->arg[1];
        return true;
    }
    for (int i = 0; is_op(e, BOSC_NM_MULTIPLY) && i < 2; ++i) {
        const bosc_nm_expr *one = value_of(r, e->arg[i]);

        if (!is_op(one, BOSC_NM_DIVIDE))
            continue;
        *above = FOLD(MULTIPLY, e->arg[1 - i], one->arg[0]);
        *below = one->arg[1];
        return true;
    }
    return false;
}

typedef struct factors {
    int n;
    bosc_nm_expr *item[MOST_FACTORS];
} factors;

static void take_factors(const relaxer *r, bosc_nm_expr *e, factors *out)
{
    bosc_nm_expr *of = value_of(r, e);

    if (is_op(of, BOSC_NM_MULTIPLY)) {
        take_factors(r, of->arg[0], out);
        take_factors(r, of->arg[1], out);
    } else if (out->n < MOST_FACTORS) {
        out->item[out->n++] = e;
    }
}

/* k, where z is d times k; NULL: it is not. */
static bosc_nm_expr *other_factors(const relaxer *r, bosc_nm_expr *z,
                                   bosc_nm_expr *d)
{
    factors all = {0};
    bosc_nm_expr *k = bosc_nm_number(r->arena, 1);
    int found = -1;

    take_factors(r, z, &all);
    for (int i = 0; i < all.n && found < 0; ++i)
        if (bosc_nm_same(all.item[i], d) ||
            bosc_nm_same(value_of(r, all.item[i]), value_of(r, d)))
            found = i;
    if (found < 0 || all.n == MOST_FACTORS)
        return NULL;
    for (int i = 0; i < all.n; ++i)
        if (i != found)
            k = FOLD(MULTIPLY, k, all.item[i]);
    return k;
}

/* ---- steps ---- */

/* x + (1 - exp(-z)) * (goal - x) */
typedef struct step {
    bosc_nm_expr *x, *z, *goal;
} step;

static bool find_step(const relaxer *r, const bosc_nm_stmt *stmt, step *s)
{
    const bosc_nm_expr *e = stmt->value, *share, *way;

    if (stmt->kind != BOSC_NM_ASSIGN || stmt->target->n > 0 ||
        !is_op(e, BOSC_NM_ADD) || !is_op(e->arg[1], BOSC_NM_MULTIPLY) ||
        !bosc_nm_same(e->arg[0], stmt->target))
        return false;
    share = e->arg[1]->arg[0];
    way = e->arg[1]->arg[1];
    if (!is_op(share, BOSC_NM_SUBTRACT) || !bosc_nm_is(share->arg[0], 1) ||
        !is_call(share->arg[1], "exp") || !is_op(way, BOSC_NM_SUBTRACT) ||
        !bosc_nm_same(way->arg[1], stmt->target) ||
        bosc_nm_uses(share->arg[1], stmt->target->symbol))
        return false;
    s->x = e->arg[0];
    s->z = bosc_nm_minus(r->arena, share->arg[1]->arg[0]);
    s->goal = way->arg[0];
    return true;
}

static void relax_step(const relaxer *r, bosc_nm_stmt *stmt, bosc_nm_list *out)
{
    bosc_nm_symbol *z = bosc_nm_fresh(r->arena, "z");
    bosc_nm_expr *above, *below, *k = NULL, *way, *relaxed;
    step s;

    if (!find_step(r, stmt, &s)) {
        bosc_nm_push(r->arena, out, stmt);
        return;
    }
    relaxed = bosc_nm_call(r->arena, "#relax", bosc_nm_use(r->arena, z));
    if (find_quotient(r, s.goal, &above, &below) && is_stable(r, above) &&
        is_stable(r, below) && is_stable(r, s.z))
        k = other_factors(r, s.z, below);
    if (k != NULL && is_stable(r, k)) {
        s.z = FOLD(MULTIPLY, k, below);
        way = FOLD(SUBTRACT, above, FOLD(MULTIPLY, below, s.x));
    } else {
        k = bosc_nm_use(r->arena, z);
        way = FOLD(SUBTRACT, s.goal, s.x);
    }
    bosc_nm_assign(r->arena, out, z, s.z);
    stmt->value =
        FOLD(ADD, s.x, FOLD(MULTIPLY, FOLD(MULTIPLY, k, relaxed), way));
    bosc_nm_push(r->arena, out, stmt);
}

void bosc_nm_relax(bosc_nm_program *p)
{
    bosc_nm_entry *entry = &p->entry[BOSC_NM_ADVANCE];
    const relaxer r = {.p = p, .arena = p->m->arena, .entry = entry};
    bosc_nm_list out = {0};

    if (entry->code.n > MOST_STATEMENTS)
        return;
    for (int i = 0; i < entry->code.n; ++i)
        relax_step(&r, entry->code.item[i], &out);
    entry->code = out;
}

/* ---- the near form ---- */

typedef struct range {
    double low, high;
} range;

static bool find_range(const relaxer *r, bosc_nm_expr *e, range *out);

static bool find_binary(const relaxer *r, const bosc_nm_expr *e, range *out)
{
    range a, b;

    if (!find_range(r, e->arg[0], &a) || !find_range(r, e->arg[1], &b))
        return false;
    switch (e->op) {
    case BOSC_NM_ADD:
        *out = (range){a.low + b.low, a.high + b.high};
        return true;
    case BOSC_NM_SUBTRACT:
        *out = (range){a.low - b.high, a.high - b.low};
        return true;
    case BOSC_NM_DIVIDE:
        if (b.low != b.high || b.low == 0)
            return false;
        b.low = b.high = 1 / b.low;
        break;
    case BOSC_NM_MULTIPLY:
        break;
    case BOSC_NM_POWER:
        if (b.low != 2 || b.high != 2)
            return false;
        b = a;
        break;
    default:
        return false;
    }

    const double all[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                          a.high * b.high};

    *out = (range){all[0], all[0]};
    for (int i = 1; i < 4; ++i) {
        out->low = fmin(out->low, all[i]);
        out->high = fmax(out->high, all[i]);
    }
    return true;
}

/* The values that it has for usual voltages. */
static bool find_range(const relaxer *r, bosc_nm_expr *e, range *out)
{
    range other;

    e = value_of(r, e);
    switch (e->kind) {
    case BOSC_NM_NUMBER:
        *out = (range){e->value, e->value};
        return true;
    case BOSC_NM_NAME:
        *out = (range){-usual, usual};
        return e->symbol->kind == BOSC_NM_VOLTAGE &&
               !bosc_nm_set_has(&r->entry->written, e->symbol);
    case BOSC_NM_NEGATE:
        if (!find_range(r, e->arg[0], out))
            return false;
        *out = (range){-out->high, -out->low};
        return true;
    case BOSC_NM_SELECT:
        if (!find_range(r, e->arg[1], out) || !find_range(r, e->arg[2], &other))
            return false;
        *out = (range){fmin(out->low, other.low), fmax(out->high, other.high)};
        return true;
    case BOSC_NM_BINARY:
        return find_binary(r, e, out);
    default:
        return false;
    }
}

static bosc_nm_expr *quotient(bosc_nm_arena *arena, const bosc_nm_expr *e)
{
    bosc_nm_expr *call = bosc_nm_node(arena, BOSC_NM_CALL, 2, e->place);

    call->name = "#over";
    call->arg[0] = e->arg[0];
    call->arg[1] = e->arg[1];
    return call;
}

/* The expression with calls of near functions, or wide ones; *n counts them,
 * but not quotients, which alone are no reason for a near form. */
static bosc_nm_expr *near_of(relaxer *r, bosc_nm_expr *e, int *n)
{
    bosc_nm_expr **arg;
    const char *name = NULL;
    range of;

    if (e->n == 0)
        return e;
    arg = bosc_nm_new(r->arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = near_of(r, e->arg[i], n);
    if (is_call(e, "#relax"))
        name = r->wide ? "#relax_wide" : "#relax_near";
    if (is_call(e, "exp") && find_range(r, e->arg[0], &of) &&
        fmax(-of.low, of.high) <= within) {
        name = fmax(-of.low, of.high) <= small ? "#exp_small" : "#exp_within";
        r->checks_v = true;
    } else if (is_call(e, "exp")) {
        name = "#exp_near";
    }
    if (name != NULL) {
        ++*n;
        return bosc_nm_call(r->arena, name, arg[0]);
    }
    e = bosc_nm_rebuild(r->arena, e, arg);
    if (!is_op(e, BOSC_NM_DIVIDE))
        return e;
    if (bosc_nm_is(e->arg[0], 1))
        return bosc_nm_call(r->arena, "#per", e->arg[1]);
    return quotient(r->arena, e);
}

/* Lists of statements without loops and what is sent. */
static bool make_near(relaxer *r, bosc_nm_list *code, int *n)
{
    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind != BOSC_NM_ASSIGN && stmt->kind != BOSC_NM_IF)
            return false;
        stmt->value = near_of(r, stmt->value, n);
        if (!make_near(r, &stmt->body, n) || !make_near(r, &stmt->otherwise, n))
            return false;
    }
    return true;
}

static bool writes_ions(const bosc_nm_program *p, const bosc_nm_entry *entry)
{
    for (int i = 0; i < p->ions.n; ++i)
        if (bosc_nm_set_has(&entry->written, p->ions.item[i]))
            return true;
    return false;
}

/* ---- a b + c ---- */

static bosc_nm_expr *fma_of(bosc_nm_arena *arena, const bosc_nm_expr *product,
                            bool minus, bosc_nm_expr *c)
{
    bosc_nm_expr *call = bosc_nm_node(arena, BOSC_NM_CALL, 3, product->place);
    bosc_nm_expr *a = product->arg[0];

    call->name = "#fma";
    call->arg[0] = minus ? bosc_nm_minus(arena, a) : a;
    call->arg[1] = product->arg[1];
    call->arg[2] = c;
    return call;
}

/* Conditions are left as they are written. */
static bosc_nm_expr *contract(bosc_nm_arena *arena, bosc_nm_expr *e)
{
    const bool sum = is_op(e, BOSC_NM_ADD), less = is_op(e, BOSC_NM_SUBTRACT);
    bosc_nm_expr **arg;

    if (e->n == 0)
        return e;
    arg = bosc_nm_new(arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = e->kind == BOSC_NM_SELECT && i == 0
                     ? e->arg[0]
                     : contract(arena, e->arg[i]);
    if (sum || less)
        for (int i = 0; i < 2; ++i)
            if (is_op(arg[1 - i], BOSC_NM_MULTIPLY))
                return fma_of(arena, arg[1 - i], less && i == 0,
                              less && i == 1 ? bosc_nm_minus(arena, arg[1])
                                             : arg[i]);
    return bosc_nm_rebuild(arena, e, arg);
}

static void contract_list(bosc_nm_arena *arena, bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_ASSIGN)
            stmt->value = contract(arena, stmt->value);
        contract_list(arena, &stmt->body);
        contract_list(arena, &stmt->otherwise);
    }
}

static void find_near(bosc_nm_program *p)
{
    const bosc_nm_entry *entry = &p->entry[BOSC_NM_ADVANCE];
    relaxer r = {.p = p, .arena = p->m->arena, .entry = entry};
    int n = 0;

    if (p->m->drawn != NULL || p->states.n > MOST_STATES ||
        entry->code.n > MOST_STATEMENTS || writes_ions(p, entry))
        return;
    bosc_nm_copy_code(r.arena, &entry->code, &p->near);
    bosc_nm_copy_code(r.arena, &entry->code, &p->wide);
    p->has_near = make_near(&r, &p->near, &n) && n > 0;
    p->near_checks_v = r.checks_v;
    r.wide = true;
    make_near(&r, &p->wide, &n);
}

void bosc_nm_make_near(bosc_nm_program *p)
{
    if (p->form == BOSC_NM_STATIC)
        return;
    find_near(p);
    contract_list(p->m->arena, &p->near);
    contract_list(p->m->arena, &p->wide);
    contract_list(p->m->arena, &p->entry[BOSC_NM_CURRENT].code);
    contract_list(p->m->arena, &p->entry[BOSC_NM_ADVANCE].code);
}
