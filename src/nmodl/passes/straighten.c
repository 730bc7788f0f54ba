/* straighten.c - code of which each variable has one value.
 *
 *     IF (c) { x = a } ELSE { x = b }     x = c ? a : b
 *     IF (c) { x = a }                    x = c ? a : x
 *
 *     x = a   y = f(x)                    x1 = a   y = f(x1)
 *     x = b   z = f(x)              ->    x2 = b   z = f(x2)
 *
 * so that later passes see what a name stands for.  In a vector both ways of an
 * IF are computed, whatever is written.
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"

/* Ways with more statements stay an IF. */
enum { MOST_IN_WAY = 8 };

/* ---- selections ---- */

static bool uses_any(const bosc_nm_expr *e, const bosc_nm_list *code, int n)
{
    for (int i = 0; i < n; ++i)
        if (bosc_nm_uses(e,
                         ((const bosc_nm_stmt *)code->item[i])->target->symbol))
            return true;
    return false;
}

/* Do both ways assign the same scalars in the same order, none of which the
 * condition or a later statement reads? */
static bool is_choice(const bosc_nm_stmt *stmt)
{
    const bosc_nm_list *a = &stmt->body, *b = &stmt->otherwise;

    if (stmt->kind != BOSC_NM_IF || a->n == 0 || a->n > MOST_IN_WAY)
        return false;
    if (b->n == 0)
        b = a; /* variables keep their values */
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; ++i) {
        const bosc_nm_stmt *x = a->item[i], *y = b->item[i];

        if (x->kind != BOSC_NM_ASSIGN || y->kind != BOSC_NM_ASSIGN ||
            x->target->n > 0 || x->target->symbol != y->target->symbol ||
            uses_any(x->value, a, i) || uses_any(y->value, b, i))
            return false;
    }
    return !uses_any(stmt->value, a, a->n - 1);
}

static void choose(bosc_nm_arena *arena, bosc_nm_list *code)
{
    bosc_nm_list out = {0};

    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        choose(arena, &stmt->body);
        choose(arena, &stmt->otherwise);
        if (!is_choice(stmt)) {
            bosc_nm_push(arena, &out, stmt);
            continue;
        }
        for (int k = 0; k < stmt->body.n; ++k) {
            const bosc_nm_stmt *a = stmt->body.item[k];
            const bosc_nm_stmt *b =
                stmt->otherwise.n > 0 ? stmt->otherwise.item[k] : NULL;

            bosc_nm_assign(arena, &out, a->target->symbol,
                           bosc_nm_select(arena, stmt->value, a->value,
                                          b != NULL ? b->value : a->target));
        }
    }
    *code = out;
}

/* ---- one value each ---- */

typedef struct renamer {
    bosc_nm_program *p;
    bosc_nm_set nested; /* what is assigned in an IF or a loop */
} renamer;

static void find_nested(bosc_nm_set *set, const bosc_nm_list *code, bool inside)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->target != NULL && (inside || stmt->target->n > 0))
            bosc_nm_set_add(set, stmt->target->symbol);
        find_nested(set, &stmt->body, true);
        find_nested(set, &stmt->otherwise, true);
    }
}

static bosc_nm_expr *renew(bosc_nm_arena *arena, bosc_nm_expr *e)
{
    bosc_nm_expr **arg;

    if (e == NULL || (e->kind == BOSC_NM_NAME && e->n == 0))
        return e == NULL || e->symbol->now == NULL
                   ? e
                   : bosc_nm_use(arena, e->symbol->now);
    arg = bosc_nm_new(arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = renew(arena, e->arg[i]);
    return bosc_nm_rebuild(arena, e, arg);
}

/* May another symbol stand for what is assigned?  Not where it is a result. */
static bool is_free(const renamer *r, const bosc_nm_symbol *s)
{
    return (s->kind == BOSC_NM_LOCAL_OF || s->kind == BOSC_NM_VARIABLE ||
            s->kind == BOSC_NM_VOLTAGE) &&
           s->size == 0 && !bosc_nm_is_state(r->p, s) &&
           !bosc_nm_is_ion(r->p, s) && s != r->p->g && s != r->p->ge &&
           !bosc_nm_set_has(&r->nested, s);
}

static void rename_list(const renamer *r, bosc_nm_list *code, bool outermost)
{
    bosc_nm_arena *arena = r->p->m->arena;

    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        stmt->value = renew(arena, stmt->value);
        stmt->to = renew(arena, stmt->to);
        rename_list(r, &stmt->body, false);
        rename_list(r, &stmt->otherwise, false);
        if (stmt->target == NULL)
            continue;
        if (stmt->target->n > 0)
            stmt->target = renew(arena, stmt->target);
        else if (outermost && is_free(r, stmt->target->symbol)) {
            bosc_nm_symbol *s = stmt->target->symbol;

            s->now = bosc_nm_fresh(arena, s->name);
            stmt->target = bosc_nm_use(arena, s->now);
        }
    }
}

static void collect(bosc_nm_arena *arena, const bosc_nm_list *code,
                    bosc_nm_list *targets)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->target != NULL)
            bosc_nm_push(arena, targets, stmt->target->symbol);
    }
}

void bosc_nm_straighten(bosc_nm_program *p)
{
    for (int e = BOSC_NM_INIT; e <= BOSC_NM_ADVANCE; ++e) {
        bosc_nm_list *code = &p->entry[e].code, targets = {0};
        renamer r = {.p = p, .nested = {.arena = p->m->arena}};

        choose(p->m->arena, code);
        find_nested(&r.nested, code, false);
        collect(p->m->arena, code, &targets);
        for (int i = 0; i < targets.n; ++i)
            ((bosc_nm_symbol *)targets.item[i])->now = NULL;
        rename_list(&r, code, true);
        for (int i = 0; i < targets.n; ++i)
            ((bosc_nm_symbol *)targets.item[i])->now = NULL;
    }
}
