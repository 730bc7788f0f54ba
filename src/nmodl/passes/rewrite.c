/* rewrite.c - the same values by fewer divisions.
 *
 *     x / c                   x * (1 / c), where c is uniform: a constant
 *     tau = c / y, x / tau    x * (y / c)
 *
 * Each changes the last bits of a result, as any other way to write a formula
 * would.  Powers of two lose nothing.
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"

/* A variable that is uniform over what is not: 1 over another variable. */
typedef struct inverse {
    const bosc_nm_symbol *of;
    bosc_nm_symbol *symbol;
} inverse;

typedef struct rewriter {
    bosc_nm_program *p;
    const bosc_nm_entry *entry;
    bosc_nm_list inverses; /* inverse */
    bosc_nm_set uniform;   /* variables of the entry */
} rewriter;

/* Does it have the same value in every call of a step? */
static bool is_uniform(const rewriter *r, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME)
        return e->symbol->kind == BOSC_NM_CELSIUS ||
               e->symbol->kind == BOSC_NM_STEP ||
               bosc_nm_set_has(&r->uniform, e->symbol) ||
               (bosc_nm_is_param(r->p, e->symbol) && !e->symbol->written);
    for (int i = 0; i < e->n; ++i)
        if (!is_uniform(r, e->arg[i]))
            return false;
    return true;
}

static bosc_nm_symbol *find_inverse(const rewriter *r, const bosc_nm_expr *e)
{
    for (int i = 0; e->kind == BOSC_NM_NAME && i < r->inverses.n; ++i) {
        const inverse *one = r->inverses.item[i];

        if (one->of == e->symbol)
            return one->symbol;
    }
    return NULL;
}

static bosc_nm_expr *over(const rewriter *r, bosc_nm_expr *a, bosc_nm_expr *b)
{
    bosc_nm_arena *arena = r->p->m->arena;
    bosc_nm_symbol *inverted = find_inverse(r, b);
    bosc_nm_expr *factor;

    if (inverted != NULL)
        return bosc_nm_fold(arena, BOSC_NM_MULTIPLY, a,
                            bosc_nm_use(arena, inverted));
    if (bosc_nm_is(a, 1) || !is_uniform(r, b) || is_uniform(r, a))
        return bosc_nm_fold(arena, BOSC_NM_DIVIDE, a, b);
    factor = bosc_nm_fold(arena, BOSC_NM_DIVIDE, bosc_nm_number(arena, 1), b);
    return bosc_nm_fold(arena, BOSC_NM_MULTIPLY, a, factor);
}

static bosc_nm_expr *rewrite(const rewriter *r, bosc_nm_expr *e)
{
    bosc_nm_expr **arg;

    if (e->n == 0)
        return e;
    arg = bosc_nm_new(r->p->m->arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = rewrite(r, e->arg[i]);
    if (e->kind == BOSC_NM_BINARY && e->op == BOSC_NM_DIVIDE)
        return over(r, arg[0], arg[1]);
    return bosc_nm_rebuild(r->p->m->arena, e, arg);
}

/* A product: uniform factors, and how many others are above and below. */
typedef struct product {
    bosc_nm_expr *uniform, *below;
    int n_above, n_below;
} product;

static void take_apart(const rewriter *r, bosc_nm_expr *e, bool above,
                       product *p)
{
    bosc_nm_arena *arena = r->p->m->arena;

    if (is_uniform(r, e)) {
        p->uniform = bosc_nm_fold(
            arena, above ? BOSC_NM_MULTIPLY : BOSC_NM_DIVIDE, p->uniform, e);
    } else if (e->kind == BOSC_NM_BINARY &&
               (e->op == BOSC_NM_MULTIPLY || e->op == BOSC_NM_DIVIDE)) {
        take_apart(r, e->arg[0], above, p);
        take_apart(r, e->arg[1], (e->op == BOSC_NM_MULTIPLY) == above, p);
    } else if (above) {
        ++p->n_above;
    } else {
        ++p->n_below;
        p->below = e;
    }
}

/* If a variable is c / y with a uniform c, and never anything else, compute y /
 * c before, and remember that. */
static void note_inverse(rewriter *r, bosc_nm_stmt *stmt, bosc_nm_list *out)
{
    bosc_nm_arena *arena = r->p->m->arena;
    bosc_nm_symbol *s = stmt->target->symbol;
    product p = {.uniform = bosc_nm_number(arena, 1)};
    inverse *one;

    if (stmt->target->n > 0 || !bosc_nm_set_has(&r->entry->single, s))
        return;
    if (is_uniform(r, stmt->value)) {
        bosc_nm_set_add(&r->uniform, s);
        return;
    }
    take_apart(r, stmt->value, true, &p);
    if (p.n_above > 0 || p.n_below != 1)
        return;
    one = bosc_nm_new(arena, 1, sizeof *one);
    one->of = s;
    one->symbol = bosc_nm_fresh(arena, bosc_nm_text(arena, "per_%s", s->name));
    if (!bosc_nm_is(p.uniform, 1))
        p.below =
            bosc_nm_fold(arena, BOSC_NM_MULTIPLY, p.below,
                         bosc_nm_fold(arena, BOSC_NM_DIVIDE,
                                      bosc_nm_number(arena, 1), p.uniform));
    bosc_nm_assign(arena, out, one->symbol, p.below);
    stmt->value = bosc_nm_fold(arena, BOSC_NM_DIVIDE, bosc_nm_number(arena, 1),
                               bosc_nm_use(arena, one->symbol));
    bosc_nm_push(arena, &r->inverses, one);
}

static void rewrite_list(rewriter *r, bosc_nm_list *code)
{
    bosc_nm_list out = {0};

    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (stmt->value != NULL)
            stmt->value = rewrite(r, stmt->value);
        if (stmt->kind == BOSC_NM_ASSIGN)
            note_inverse(r, stmt, &out);
        rewrite_list(r, &stmt->body);
        rewrite_list(r, &stmt->otherwise);
        bosc_nm_push(r->p->m->arena, &out, stmt);
    }
    *code = out;
}

void bosc_nm_rewrite(bosc_nm_program *p)
{
    for (int e = BOSC_NM_CURRENT; e <= BOSC_NM_ADVANCE; ++e) {
        rewriter r = {
            .p = p, .entry = &p->entry[e], .uniform = {.arena = p->m->arena}};

        rewrite_list(&r, &p->entry[e].code);
    }
}
