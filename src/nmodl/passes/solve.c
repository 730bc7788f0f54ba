#include "src/nmodl/passes/solve.h"

#include <string.h>

#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/tangent.h"

typedef struct stepper {
    bosc_nm_mechanism *m;
    bosc_nm_arena *arena;
    const bosc_nm_stmt *solve;
    bosc_nm_expr *dt;
    bosc_nm_list states; /* bosc_nm_symbol: those that have equations */
    bosc_nm_tangents t;  /* seeded by the states */
    bool literal; /* only states that stand in an equation itself count */
} stepper;

#define FOLD(op, a, b) bosc_nm_fold(s->arena, BOSC_NM_##op, a, b)
#define NUMBER(x) bosc_nm_number(s->arena, x)
#define USE(symbol) bosc_nm_use(s->arena, symbol)

static int index_of(const stepper *s, const bosc_nm_symbol *state)
{
    for (int k = 0; k < s->states.n; ++k)
        if (s->states.item[k] == state)
            return k;
    return -1;
}

static bool is_equation(const bosc_nm_stmt *stmt)
{
    return stmt->kind == BOSC_NM_EQUATION || stmt->kind == BOSC_NM_CONSERVE;
}

static void collect_states(stepper *s, const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (is_equation(stmt) && index_of(s, stmt->target->symbol) < 0)
            bosc_nm_push(s->arena, &s->states, stmt->target->symbol);
        collect_states(s, &stmt->body);
        collect_states(s, &stmt->otherwise);
    }
}

static void seed(stepper *s, const bosc_nm_list *code, bosc_nm_list *out)
{
    s->t = (bosc_nm_tangents){.arena = s->arena,
                              .n = s->states.n,
                              .seed = (bosc_nm_symbol **)s->states.item};
    bosc_nm_tangents_begin(&s->t, s->literal ? &(bosc_nm_list){0} : code, out);
}

/* Call 'step' for each equation of the code, and append the other statements
 * with their tangents. */
static void walk(stepper *s, const bosc_nm_list *code, bosc_nm_list *out,
                 void (*step)(stepper *s, const bosc_nm_stmt *equation, int k,
                              bosc_nm_list *out))
{
    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (is_equation(stmt)) {
            step(s, stmt, index_of(s, stmt->target->symbol), out);
        } else if (stmt->kind == BOSC_NM_IF) {
            bosc_nm_stmt *copy = bosc_nm_stmt_like(s->arena, stmt);

            walk(s, &stmt->body, &copy->body, step);
            walk(s, &stmt->otherwise, &copy->otherwise, step);
            bosc_nm_push(s->arena, out, copy);
        } else {
            bosc_nm_tangents_add(&s->t, stmt, out);
        }
    }
}

/* ---- is it linear? ---- */

/* True if the code chooses by a state. */
static bool decides(const stepper *s, const bosc_nm_list *code)
{
    for (int k = 0; k < s->t.n; ++k)
        if (bosc_nm_chooses(&s->t, code, k))
            return true;
    return false;
}

/* True if no derivative, computed by the code, depends on a state: on its own
 * where 'own', else on any.  They are those of a matrix [n][n]. */
static bool is_linear(const stepper *s, const bosc_nm_list *code,
                      bosc_nm_expr *const *matrix, bool own)
{
    const int n = s->states.n;
    stepper second = *s;
    bool linear = true;

    seed(&second, code, &(bosc_nm_list){0});
    linear = own || !decides(&second, code);
    for (int i = 0; linear && i < n * n; ++i)
        for (int k = 0; matrix[i] != NULL && k < n; ++k)
            if (!own || (i / n == k && i % n == k))
                linear = linear && !bosc_nm_depends(&second.t, matrix[i], k);
    bosc_nm_tangents_end(&second.t);
    return linear;
}

/* ---- cnexp ---- */

/* Does the expression reach seed k only by its own name? */
static bool is_direct(const stepper *s, const bosc_nm_expr *e, int k)
{
    if (e->kind == BOSC_NM_NAME)
        return e->symbol == s->t.seed[k] || !bosc_nm_depends(&s->t, e, k);
    for (int i = 0; i < e->n; ++i)
        if (!is_direct(s, e->arg[i], k))
            return false;
    return true;
}

/* f = factor * rest, where the factor does not depend on the state.  Only the
 * signs and factors that are written are taken off. */
static bosc_nm_expr *take_factor(const stepper *s, bosc_nm_expr **f, int k)
{
    bosc_nm_expr *factor = NUMBER(1);

    for (;;) {
        bosc_nm_expr *e = *f;

        if (e->kind == BOSC_NM_BINARY && e->op == BOSC_NM_DIVIDE &&
            !bosc_nm_depends(&s->t, e->arg[1], k)) {
            factor = FOLD(DIVIDE, factor, e->arg[1]);
            *f = e->arg[0];
        } else if (e->kind == BOSC_NM_BINARY && e->op == BOSC_NM_MULTIPLY &&
                   !bosc_nm_depends(&s->t, e->arg[0], k)) {
            factor = FOLD(MULTIPLY, factor, e->arg[0]);
            *f = e->arg[1];
        } else if (e->kind == BOSC_NM_BINARY && e->op == BOSC_NM_MULTIPLY &&
                   !bosc_nm_depends(&s->t, e->arg[1], k)) {
            factor = FOLD(MULTIPLY, factor, e->arg[1]);
            *f = e->arg[0];
        } else if (e->kind == BOSC_NM_NEGATE) {
            factor = bosc_nm_minus(s->arena, factor);
            *f = e->arg[0];
        } else {
            return factor;
        }
    }
}

static bosc_nm_expr *keep(stepper *s, bosc_nm_list *out, const char *name,
                          bosc_nm_expr *value)
{
    bosc_nm_symbol *kept;

    if (value->kind == BOSC_NM_NUMBER || value->kind == BOSC_NM_NAME)
        return value;
    kept = bosc_nm_fresh(s->arena, name);
    bosc_nm_assign(s->arena, out, kept, value);
    return USE(kept);
}

static bosc_nm_expr *exp_of(stepper *s, bosc_nm_expr *a)
{
    return bosc_nm_call(s->arena, "exp", FOLD(MULTIPLY, a, s->dt));
}

static void step_cnexp(stepper *s, const bosc_nm_stmt *equation, int k,
                       bosc_nm_list *out)
{
    bosc_nm_symbol *x = equation->target->symbol;
    bosc_nm_expr *f = equation->value, *rest = f, *next;
    const bool direct = is_direct(s, f, k);
    bosc_nm_expr *factor = direct ? take_factor(s, &rest, k) : NUMBER(1);
    bosc_nm_expr *slope = bosc_nm_tangent(&s->t, rest, k);
    bosc_nm_expr *a = FOLD(MULTIPLY, factor, slope);

    if (bosc_nm_is(a, 0)) {
        next = FOLD(ADD, USE(x), FOLD(MULTIPLY, s->dt, f));
    } else if (direct) {
        bosc_nm_expr *rest0 = bosc_nm_replace(s->arena, rest, x, NUMBER(0));

        if (bosc_nm_is(rest0, 0)) {
            next = FOLD(MULTIPLY, USE(x), exp_of(s, a));
        } else {
            bosc_nm_expr *goal =
                bosc_nm_minus(s->arena, FOLD(DIVIDE, rest0, slope));

            next = FOLD(ADD, USE(x),
                        FOLD(MULTIPLY, FOLD(SUBTRACT, NUMBER(1), exp_of(s, a)),
                             FOLD(SUBTRACT, goal, USE(x))));
        }
    } else {
        a = keep(s, out, "a", a);
        next = FOLD(
            ADD, USE(x),
            FOLD(MULTIPLY,
                 FOLD(DIVIDE, FOLD(SUBTRACT, exp_of(s, a), NUMBER(1)), a), f));
    }
    bosc_nm_assign(s->arena, out, x, next);
}

/* ---- Newton's method ---- */

/* Where the matrix and the right side of the equations are gathered. */
typedef struct newton {
    stepper s;               /* first: a step finds the rest */
    bosc_nm_symbol **before; /* [n] the states before the step */
    bosc_nm_system system;
    bool own; /* only the diagonal */
} newton;

/* A row that says that an expression is 0. */
static void step_conserved(stepper *s, const bosc_nm_stmt *equation, int k,
                           bosc_nm_list *out)
{
    newton *q = (newton *)s;
    const int n = s->states.n;

    q->system.conserved[k] = true;
    q->system.right[k] =
        keep(s, out, "b", bosc_nm_minus(s->arena, equation->value));
    for (int j = 0; j < n; ++j) {
        bosc_nm_expr *slope = bosc_nm_tangent(&s->t, equation->value, j);

        if (!bosc_nm_is(slope, 0))
            q->system.matrix[k * n + j] = keep(s, out, "a", slope);
    }
}

/* What an equation says that the derivative of its state is. */
static bosc_nm_expr *rate_of(const stepper *s, const bosc_nm_stmt *equation)
{
    return equation->to == NULL ? equation->value
                                : FOLD(DIVIDE, equation->value, equation->to);
}

/* What a state is multiplied with, so that its row has no division: the size
 * of its compartment, if that does not follow from states. */
static bosc_nm_expr *size_of(const stepper *s, const bosc_nm_stmt *equation)
{
    for (int j = 0; equation->to != NULL && j < s->states.n; ++j)
        if (bosc_nm_depends(&s->t, equation->to, j))
            return NULL;
    return equation->to;
}

/* size (x - x0) - dt size f = 0, for the changes of all x. */
static void step_newton(stepper *s, const bosc_nm_stmt *equation, int k,
                        bosc_nm_list *out)
{
    newton *q = (newton *)s;

    if (equation->kind == BOSC_NM_CONSERVE) {
        step_conserved(s, equation, k, out);
        return;
    }

    bosc_nm_expr *x = USE(equation->target->symbol);
    bosc_nm_expr *size = size_of(s, equation);
    bosc_nm_expr *flow = size == NULL ? rate_of(s, equation) : equation->value;
    bosc_nm_expr *f = keep(s, out, "f", flow);

    if (size == NULL)
        size = NUMBER(1);
    q->system.right[k] = keep(
        s, out, "b",
        FOLD(ADD, FOLD(MULTIPLY, size, FOLD(SUBTRACT, USE(q->before[k]), x)),
             FOLD(MULTIPLY, s->dt, f)));
    for (int j = 0; j < s->states.n; ++j) {
        bosc_nm_expr *slope = bosc_nm_tangent(&s->t, flow, j);
        bosc_nm_expr *a = bosc_nm_minus(s->arena, FOLD(MULTIPLY, s->dt, slope));

        if (q->own ? j != k : bosc_nm_is(slope, 0) && j != k)
            continue;
        a = FOLD(ADD, j == k ? size : NUMBER(0), a);
        q->system.matrix[k * s->states.n + j] = keep(s, out, "a", a);
    }
}

/* The code with a row of the system for each equation; *linear says whether
 * one round is enough. */
static bosc_nm_list gather(newton *q, const bosc_nm_list *code, bool *linear)
{
    const int n = q->s.states.n;
    bosc_nm_list rows = {0};

    q->system = (bosc_nm_system){
        .arena = q->s.arena,
        .n = n,
        .steady = q->s.solve->steady,
        .matrix = bosc_nm_new(q->s.arena, (size_t)n * (size_t)n,
                              sizeof *q->system.matrix),
        .right = bosc_nm_new(q->s.arena, (size_t)n, sizeof *q->system.right),
        .conserved = bosc_nm_new(q->s.arena, (size_t)n, sizeof(bool))};
    seed(&q->s, code, &rows);
    walk(&q->s, code, &rows, step_newton);
    bosc_nm_tangents_end(&q->s.t);
    *linear = is_linear(&q->s, &rows, q->system.matrix, q->own);
    return rows;
}

static void solve_newton(const stepper *s, const bosc_nm_list *code,
                         bosc_nm_list *out)
{
    newton q = {.s = *s};
    const int n = s->states.n;
    bosc_nm_list body;
    bool linear;

    q.before = bosc_nm_new(s->arena, (size_t)n, sizeof *q.before);
    for (int k = 0; k < n; ++k) {
        bosc_nm_symbol *x = s->states.item[k];

        q.before[k] =
            bosc_nm_fresh(s->arena, bosc_nm_text(s->arena, "old_%s", x->name));
        bosc_nm_assign(s->arena, out, q.before[k], USE(x));
    }
    body = gather(&q, code, &linear);
    bosc_nm_arrange(&q.system);
    if (!bosc_nm_eliminate(&q.system, &body)) {
        bosc_nm_refuse(s->m->problems, s->solve->place, "",
                       "the equations of '%s' have no solution",
                       s->solve->name);
        return;
    }
    for (int k = 0; k < n; ++k) {
        bosc_nm_symbol *x = s->states.item[k];

        bosc_nm_assign(s->arena, &body, x,
                       FOLD(ADD, USE(x), q.system.right[k]));
    }
    if (linear)
        bosc_nm_append(s->arena, out, &body);
    else
        bosc_nm_repeat(&q.system, &s->states, &body, out);
    bosc_nm_assign_rest(s->m, &s->states, code, out);
}

/* ---- euler ---- */

static void step_euler(stepper *s, const bosc_nm_stmt *equation, int k,
                       bosc_nm_list *out)
{
    newton *q = (newton *)s;

    if (equation->kind == BOSC_NM_EQUATION)
        bosc_nm_assign(s->arena, out, q->before[k], rate_of(s, equation));
}

static void solve_euler(const stepper *s, const bosc_nm_list *code,
                        bosc_nm_list *out)
{
    newton q = {.s = *s};

    q.s.t = (bosc_nm_tangents){.arena = s->arena}; /* none are needed */
    q.before = bosc_nm_new(s->arena, (size_t)s->states.n, sizeof *q.before);
    for (int k = 0; k < s->states.n; ++k) {
        q.before[k] = bosc_nm_fresh(s->arena, "slope");
        bosc_nm_assign(s->arena, out, q.before[k], NUMBER(0));
    }
    walk(&q.s, code, out, step_euler);
    for (int k = 0; k < s->states.n; ++k)
        bosc_nm_assign(s->arena, out, s->states.item[k],
                       FOLD(ADD, USE(s->states.item[k]),
                            FOLD(MULTIPLY, s->dt, USE(q.before[k]))));
}

/* A KINETIC block is solved as a whole, whatever is written. */
static bool is_cnexp(const stepper *s)
{
    return s->solve->symbol->def.block->kind == BOSC_NM_BLOCK_DERIVATIVE &&
           (strcmp(s->solve->method, "cnexp") == 0 ||
            s->solve->method[0] == '\0');
}

/* Does the expression have a FUNCTION of seed k? */
static bool has_function_of(const stepper *s, const bosc_nm_expr *e, int k)
{
    if (e->kind == BOSC_NM_NAME)
        return e->symbol->is_result && bosc_nm_depends(&s->t, e, k);
    for (int i = 0; i < e->n; ++i)
        if (has_function_of(s, e->arg[i], k))
            return true;
    return false;
}

/* Does the slope of the expression depend on seed k, or its value jump there?
 */
static bool is_bent(const stepper *s, const bosc_nm_expr *e, int k)
{
    return bosc_nm_jumps(&s->t, e, k) ||
           bosc_nm_depends(&s->t, bosc_nm_tangent(&s->t, e, k), k);
}

/* True if the right side of any equation is so in its own state. */
static bool any(const stepper *s, const bosc_nm_list *code,
                bool (*is)(const stepper *s, const bosc_nm_expr *e, int k))
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if ((is_equation(stmt) &&
             is(s, stmt->value, index_of(s, stmt->target->symbol))) ||
            any(s, &stmt->body, is) || any(s, &stmt->otherwise, is))
            return true;
    }
    return false;
}

/* NEURON looks at the text of an equation alone: with 'rate' that a procedure
 * makes of x, x' = rate is a step of Euler's method. */
static void solve_cnexp(stepper *s, const bosc_nm_list *code, bosc_nm_list *out)
{
    bool linear, bent;

    seed(s, code, &(bosc_nm_list){0});
    s->literal = !any(s, code, has_function_of);
    bosc_nm_tangents_end(&s->t);
    seed(s, code, &(bosc_nm_list){0});
    bent = any(s, code, is_bent);
    bosc_nm_tangents_end(&s->t);

    newton q = {.s = *s, .own = true};

    q.before = (bosc_nm_symbol **)s->states.item; /* only the matrix counts */
    gather(&q, code, &linear);
    if (!linear || bent) {
        bosc_nm_warn(s->m->problems, s->solve->place, "",
                     "an equation of '%s' is not linear in its state, so it is "
                     "solved by derivimplicit; NEURON 9 may drop terms",
                     s->solve->name);
        solve_newton(s, code, out);
        return;
    }
    seed(s, code, out);
    walk(s, code, out, step_cnexp);
    bosc_nm_tangents_end(&s->t);
}

void bosc_nm_solve(bosc_nm_mechanism *m, const bosc_nm_list *code,
                   const bosc_nm_stmt *solve, bosc_nm_expr *dt,
                   bosc_nm_list *out)
{
    stepper s = {.m = m, .arena = m->arena, .solve = solve, .dt = dt};

    collect_states(&s, code);
    if (s.states.n > BOSC_NM_MOST_EQUATIONS)
        bosc_nm_refuse(m->problems, solve->place, "",
                       "'%s' has over %d equations", solve->name,
                       BOSC_NM_MOST_EQUATIONS);
    else if (s.states.n == 0)
        bosc_nm_append(m->arena, out, code);
    else if (strcmp(solve->method, "euler") == 0)
        solve_euler(&s, code, out);
    else if (is_cnexp(&s))
        solve_cnexp(&s, code, out);
    else
        solve_newton(&s, code, out);
}

/* ---- LINEAR ---- */

static void add_unknowns(stepper *s, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME && e->symbol->kind == BOSC_NM_STATE &&
        index_of(s, e->symbol) < 0)
        bosc_nm_push(s->arena, &s->states, e->symbol);
    for (int i = 0; i < e->n; ++i)
        add_unknowns(s, e->arg[i]);
}

void bosc_nm_solve_linear(bosc_nm_mechanism *m, const bosc_nm_list *zero,
                          const bosc_nm_stmt *solve, bosc_nm_list *out)
{
    stepper state = {.m = m, .arena = m->arena, .solve = solve}, *s = &state;
    bosc_nm_system system = {.arena = m->arena, .n = zero->n};
    const int n = zero->n;
    bool good;

    for (int k = 0; k < n; ++k)
        add_unknowns(s, zero->item[k]);
    if (n > BOSC_NM_MOST_EQUATIONS || s->states.n != n) {
        bosc_nm_refuse(m->problems, solve->place, "",
                       "'%s' has %d equations for %d states", solve->name, n,
                       s->states.n);
        return;
    }
    system.matrix =
        bosc_nm_new(m->arena, (size_t)n * (size_t)n, sizeof *system.matrix);
    system.right = bosc_nm_new(m->arena, (size_t)n, sizeof *system.right);
    seed(s, &(bosc_nm_list){0}, out);
    for (int i = 0; i < n; ++i) {
        bosc_nm_expr *e = zero->item[i];

        for (int k = 0; k < n; ++k) {
            system.matrix[i * n + k] = bosc_nm_tangent(&s->t, e, k);
            e = bosc_nm_replace(m->arena, e, s->states.item[k], NUMBER(0));
        }
        system.right[i] = bosc_nm_minus(m->arena, e);
    }
    good = is_linear(s, &(bosc_nm_list){0}, system.matrix, false);
    bosc_nm_tangents_end(&s->t);
    if (!good || !bosc_nm_eliminate(&system, out))
        bosc_nm_refuse(m->problems, solve->place, "",
                       "the equations of '%s' are not linear, or have no "
                       "solution",
                       solve->name);
    else
        for (int k = 0; k < n; ++k)
            bosc_nm_assign(m->arena, out, s->states.item[k], system.right[k]);
}
