/* hoist.c - what is the same in every call of a step is computed once.
 *
 * An expression of parameters, celsius, dt and numbers alone is uniform.  A
 * variable of an entry that is assigned once, whatever the conditions, from a
 * uniform expression is uniform, too, and disappears:
 *
 *     q = 3^((celsius - 6.3) / 10)
 *     tau = 1 / (q * (a + b))          ->  tau = 1 / (k[0] * (a + b))
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"

typedef struct hoister {
    bosc_nm_program *p;
    bosc_nm_entry_kind entry;
    bool names; /* parameters by themselves become constants, too */
} hoister;

static bool is_constant(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    for (int i = 0; i < p->constants.n; ++i)
        if (((const bosc_nm_constant *)p->constants.item[i])->symbol == s)
            return true;
    return false;
}

static bool is_uniform(const bosc_nm_program *p, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME) {
        const bosc_nm_symbol *s =
            e->symbol->now != NULL ? e->symbol->now : e->symbol;

        return s->kind == BOSC_NM_CELSIUS || s->kind == BOSC_NM_STEP ||
               is_constant(p, s) || (bosc_nm_is_param(p, s) && !s->written);
    }
    for (int i = 0; i < e->n; ++i)
        if (!is_uniform(p, e->arg[i]))
            return false;
    return true;
}

/* The expression with uniform variables of the entry as constants. */
static bosc_nm_expr *renew(const hoister *h, bosc_nm_expr *e)
{
    bosc_nm_expr **arg;

    if (e->kind == BOSC_NM_NAME)
        return e->symbol->now == NULL
                   ? e
                   : bosc_nm_use(h->p->m->arena, e->symbol->now);
    arg = bosc_nm_new(h->p->m->arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = renew(h, e->arg[i]);
    return bosc_nm_rebuild(h->p->m->arena, e, arg);
}

/* The constant of that value, which may be there already. */
static bosc_nm_symbol *constant_of(const hoister *h, bosc_nm_expr *value)
{
    bosc_nm_program *p = h->p;
    bosc_nm_constant *constant;

    for (int i = 0; i < p->constants.n; ++i) {
        constant = p->constants.item[i];
        if (bosc_nm_same(constant->value, value))
            return constant->symbol;
    }
    constant = bosc_nm_new(p->m->arena, 1, sizeof *constant);
    constant->symbol = bosc_nm_fresh(p->m->arena, "k");
    constant->value = value;
    bosc_nm_push(p->m->arena, &p->constants, constant);
    return constant->symbol;
}

static bool is_name_to_hoist(const hoister *h, const bosc_nm_expr *e)
{
    const bosc_nm_symbol_kind kind = e->symbol->kind;

    return kind == BOSC_NM_CELSIUS || kind == BOSC_NM_STEP ||
           (h->names && bosc_nm_is_param(h->p, e->symbol));
}

/* The expression with its largest uniform parts as constants. */
static bosc_nm_expr *hoist_expr(const hoister *h, bosc_nm_expr *e)
{
    bosc_nm_arena *arena = h->p->m->arena;
    bosc_nm_expr **arg;

    if (e->kind == BOSC_NM_NUMBER || e->kind == BOSC_NM_STRING)
        return e;
    if (is_uniform(h->p, e)) {
        e = renew(h, e);
        if (e->kind == BOSC_NM_NUMBER ||
            (e->kind == BOSC_NM_NAME && !is_name_to_hoist(h, e)))
            return e;
        return bosc_nm_use(arena, constant_of(h, e));
    }
    arg = bosc_nm_new(arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = hoist_expr(h, e->arg[i]);
    return bosc_nm_rebuild(arena, e, arg);
}

static int count_writes(const bosc_nm_list *code, const bosc_nm_symbol *s)
{
    int n = 0;

    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        n += stmt->target != NULL && stmt->target->symbol == s;
        n += count_writes(&stmt->body, s) + count_writes(&stmt->otherwise, s);
    }
    return n;
}

/* May the target of a statement of the entry itself become a constant? */
static bool disappears(const hoister *h, const bosc_nm_stmt *stmt)
{
    const bosc_nm_program *p = h->p;
    const bosc_nm_symbol *s = stmt->target->symbol;
    const bosc_nm_entry *entry = &p->entry[h->entry];

    return (s->kind == BOSC_NM_LOCAL_OF || s->kind == BOSC_NM_VARIABLE) &&
           s != p->g && s != p->ge && !bosc_nm_is_state(p, s) &&
           !bosc_nm_is_ion(p, s) && !bosc_nm_set_has(&entry->exposed, s) &&
           is_uniform(p, stmt->value) && count_writes(&entry->code, s) == 1;
}

static void hoist_list(const hoister *h, bosc_nm_list *code, bool outermost)
{
    int kept = 0;

    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_ASSIGN && outermost && disappears(h, stmt)) {
            bosc_nm_expr *value = renew(h, stmt->value);

            stmt->target->symbol->now = value->kind == BOSC_NM_NAME
                                            ? value->symbol
                                            : constant_of(h, value);
            continue;
        }
        if (stmt->value != NULL)
            stmt->value = hoist_expr(h, stmt->value);
        hoist_list(h, &stmt->body, false);
        hoist_list(h, &stmt->otherwise, false);
        code->item[kept++] = stmt;
    }
    code->n = kept;
}

static void forget(const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->target != NULL)
            stmt->target->symbol->now = NULL;
        forget(&stmt->body);
        forget(&stmt->otherwise);
    }
}

static void hoist_entry(bosc_nm_program *p, bosc_nm_entry_kind entry,
                        bool names)
{
    const hoister h = {.p = p, .entry = entry, .names = names};
    bosc_nm_list before = {0};

    bosc_nm_append(p->m->arena, &before, &p->entry[entry].code);
    forget(&before);
    hoist_list(&h, &p->entry[entry].code, true);
    forget(&before);
}

void bosc_nm_hoist(bosc_nm_program *p)
{
    const bool full = p->form == BOSC_NM_FULL;

    if (full) {
        hoist_entry(p, BOSC_NM_INIT, false);
        hoist_entry(p, BOSC_NM_CURRENT, false);
        hoist_entry(p, BOSC_NM_CONNECT, false);
    }
    hoist_entry(p, BOSC_NM_ADVANCE, false);
    hoist_entry(p, BOSC_NM_RECEIVE, !full);
}
