/* slope.c - the current's slope g = di/dv, and ge = g v - i. */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"
#include "src/nmodl/passes/tangent.h"

/* Does BREAKPOINT compute the current?  One without an ion may also be left by
 * a SOLVE, and keep its value until the next. */
static bool is_computed(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    return bosc_nm_writes(&p->entry[BOSC_NM_CURRENT].code, s) ||
           (s->ion == NULL &&
            bosc_nm_writes(&p->entry[BOSC_NM_ADVANCE].code, s));
}

/* All currents that flow through the membrane, outward; NULL: there are none.
 * That of an electrode flows in. */
static bosc_nm_expr *total(const bosc_nm_program *p)
{
    bosc_nm_arena *arena = p->m->arena;
    bosc_nm_expr *sum = NULL;

    for (int i = 0; i < p->m->symbols.n; ++i) {
        bosc_nm_symbol *s = p->m->symbols.item[i];
        const bool ion = s->ion != NULL && s == s->ion->i && s->ion->writes_i;
        bosc_nm_expr *use;

        if (!(s->current || ion) || s->size > 0 || !is_computed(p, s))
            continue;
        use = bosc_nm_use(arena, s);
        if (s->electrode)
            use = bosc_nm_minus(arena, use);
        sum = sum == NULL ? use : bosc_nm_fold(arena, BOSC_NM_ADD, sum, use);
    }
    return sum;
}

/* A copy of the code in which 'what' is 0, and symbols that are written are
 * others, their 'now'. */
static bosc_nm_expr *at_zero_expr(bosc_nm_arena *arena, bosc_nm_expr *e,
                                  const bosc_nm_symbol *what)
{
    bosc_nm_expr **arg;

    if (e->kind == BOSC_NM_NAME && e->symbol == what)
        return bosc_nm_number(arena, 0);
    if (e->kind == BOSC_NM_NAME && e->n == 0)
        return e->symbol->now == NULL ? e : bosc_nm_use(arena, e->symbol->now);
    arg = bosc_nm_new(arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = at_zero_expr(arena, e->arg[i], what);
    return bosc_nm_rebuild(arena, e, arg);
}

static void rename_written(bosc_nm_arena *arena, const bosc_nm_list *code,
                           bosc_nm_list *renamed)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->target != NULL) {
            bosc_nm_symbol *s = stmt->target->symbol;

            bosc_nm_push(arena, renamed, s);
            s->now = NULL;
        }
        rename_written(arena, &stmt->body, renamed);
        rename_written(arena, &stmt->otherwise, renamed);
    }
}

static void at_zero(bosc_nm_arena *arena, const bosc_nm_list *code,
                    const bosc_nm_symbol *what, bosc_nm_list *out)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        bosc_nm_stmt *copy = bosc_nm_stmt_like(arena, stmt);

        if (stmt->value != NULL)
            copy->value = at_zero_expr(arena, stmt->value, what);
        if (stmt->to != NULL)
            copy->to = at_zero_expr(arena, stmt->to, what);
        if (stmt->target != NULL)
            copy->target = bosc_nm_use(arena, stmt->target->symbol->now);
        at_zero(arena, &stmt->body, what, &copy->body);
        at_zero(arena, &stmt->otherwise, what, &copy->otherwise);
        bosc_nm_push(arena, out, copy);
    }
}

/* Append the code once more, for v = 0; what the total is there. */
static bosc_nm_expr *total_at_zero(bosc_nm_program *p, bosc_nm_expr *sum,
                                   const bosc_nm_list *code, bosc_nm_list *out)
{
    bosc_nm_arena *arena = p->m->arena;
    const bosc_nm_symbol *v = bosc_nm_find(p->m, "v");
    bosc_nm_list renamed = {0};
    bosc_nm_expr *at;

    rename_written(arena, code, &renamed);
    for (int i = 0; i < renamed.n; ++i) {
        bosc_nm_symbol *s = renamed.item[i];

        if (s->now != NULL)
            continue;
        s->now = bosc_nm_fresh(arena, bosc_nm_text(arena, "%s_at_0", s->name));
        /* what is read first is what it is before the code */
        bosc_nm_assign(arena, out, s->now, bosc_nm_use(arena, s));
    }
    at_zero(arena, code, v, out);
    at = at_zero_expr(arena, sum, v);
    for (int i = 0; i < renamed.n; ++i)
        ((bosc_nm_symbol *)renamed.item[i])->now = NULL;
    return at;
}

static bool writes_elements(const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if ((stmt->target != NULL && stmt->target->n > 0) ||
            writes_elements(&stmt->body) || writes_elements(&stmt->otherwise))
            return true;
    }
    return false;
}

/* Is the slope, which the code computes, the same for all v? */
static bool is_constant(bosc_nm_program *p, const bosc_nm_list *code,
                        const bosc_nm_expr *slope)
{
    bosc_nm_symbol *v = bosc_nm_find(p->m, "v");
    bosc_nm_tangents t = {.arena = p->m->arena, .n = 1, .seed = &v};
    bool constant;

    if (bosc_nm_writes(code, v) || writes_elements(code))
        return false;
    bosc_nm_tangents_begin(&t, code, &(bosc_nm_list){0});
    constant = !bosc_nm_depends(&t, slope, 0) && !bosc_nm_chooses(&t, code, 0);
    bosc_nm_tangents_end(&t);
    return constant;
}

/* The code of CURRENT alone, without what the current does not need. */
static bosc_nm_list only_needed(bosc_nm_program *p, const bosc_nm_expr *sum)
{
    bosc_nm_list code = {0}, copy = {0};
    bosc_nm_symbol *result = bosc_nm_fresh(p->m->arena, "i");
    bosc_nm_set wanted = {.arena = p->m->arena};

    bosc_nm_append(p->m->arena, &code, &p->entry[BOSC_NM_CURRENT].code);
    bosc_nm_assign(p->m->arena, &code, result, (bosc_nm_expr *)sum);
    bosc_nm_set_add(&wanted, result);
    /* pruning changes lists in statements, which the entry still needs */
    bosc_nm_copy_code(p->m->arena, &code, &copy);
    bosc_nm_prune(&copy, &wanted);
    --copy.n; /* the result itself */
    return copy;
}

void bosc_nm_add_slope(bosc_nm_program *p)
{
    bosc_nm_arena *arena = p->m->arena;
    bosc_nm_list *code = &p->entry[BOSC_NM_CURRENT].code, out = {0};
    bosc_nm_symbol *v = bosc_nm_find(p->m, "v");
    bosc_nm_tangents t = {.arena = arena, .n = 1, .seed = &v};
    bosc_nm_expr *sum = total(p), *slope;

    p->has_current = sum != NULL;
    if (sum == NULL)
        return;
    p->g = bosc_nm_fresh(arena, "g");
    p->ge = bosc_nm_fresh(arena, "ge");

    bosc_nm_list needed = only_needed(p, sum), with_slope = {0};
    bosc_nm_symbol *before = bosc_nm_fresh(arena, "v_before");

    bosc_nm_assign(arena, &out, before, bosc_nm_use(arena, v));

    bosc_nm_tangents_begin(&t, &needed, &with_slope);
    for (int i = 0; i < needed.n; ++i)
        bosc_nm_tangents_add(&t, needed.item[i], &with_slope);
    slope = bosc_nm_tangent(&t, sum, 0);
    p->linear = is_constant(p, &with_slope, slope);
    if (p->linear)
        sum = total_at_zero(p, sum, &needed, &out);
    bosc_nm_tangents_end(&t);

    /* CURRENT again, now with the slope */
    t.known = (bosc_nm_list){0};
    bosc_nm_tangents_begin(&t, code, &out);
    for (int i = 0; i < code->n; ++i)
        bosc_nm_tangents_add(&t, code->item[i], &out);
    slope = bosc_nm_tangent(&t, total(p), 0);
    bosc_nm_tangents_end(&t);
    bosc_nm_assign(arena, &out, p->g, slope);
    bosc_nm_assign(arena, &out, p->ge,
                   p->linear
                       ? bosc_nm_minus(arena, sum)
                       : bosc_nm_fold(arena, BOSC_NM_SUBTRACT,
                                      bosc_nm_fold(arena, BOSC_NM_MULTIPLY,
                                                   bosc_nm_use(arena, p->g),
                                                   bosc_nm_use(arena, before)),
                                      sum));
    *code = out;
}
