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

static bool is_uniform(const bosc_nm_program *p, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME) {
        const bosc_nm_symbol *s =
            e->symbol->now != NULL ? e->symbol->now : e->symbol;

        return s->kind == BOSC_NM_CELSIUS || s->kind == BOSC_NM_STEP ||
               s->kind == BOSC_NM_CONSTANT || bosc_nm_is_constant(p, s) ||
               (bosc_nm_is_param(p, s) && !s->written);
    }
    for (int i = 0; i < e->n; ++i)
        if (!is_uniform(p, e->arg[i]))
            return false;
    return true;
}

/* The expression with uniform variables of the entry as constants. */
static bosc_nm_expr *renew(const hoister *h, bosc_nm_expr *e)
{
    const bool name = e->kind == BOSC_NM_NAME && e->n == 0;
    bosc_nm_expr **arg;

    if (name && e->symbol->now == NULL)
        return e;
    if (name && e->symbol->now->kind == BOSC_NM_CONSTANT)
        return bosc_nm_number(h->p->m->arena, e->symbol->now->value);
    if (name)
        return bosc_nm_use(h->p->m->arena, e->symbol->now);
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

/* What stands for a variable of that uniform value. */
static bosc_nm_symbol *symbol_of(const hoister *h, bosc_nm_expr *value)
{
    bosc_nm_symbol *s;

    if (value->kind == BOSC_NM_NUMBER) {
        s = bosc_nm_symbol_create(h->p->m->arena, BOSC_NM_CONSTANT, "number");
        s->value = value->value;
        return s;
    }
    if (value->kind == BOSC_NM_NAME && !is_name_to_hoist(h, value))
        return value->symbol;
    return constant_of(h, value);
}

static bosc_nm_expr *hoist_arguments(const hoister *h, bosc_nm_expr *e);
static bosc_nm_expr *hoist_product(const hoister *h, bosc_nm_expr *e);

/* The expression with its largest uniform parts as constants. */
static bosc_nm_expr *hoist_expr(const hoister *h, bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NUMBER || e->kind == BOSC_NM_STRING)
        return e;
    if (!is_uniform(h->p, e))
        return e->kind == BOSC_NM_BINARY && e->op == BOSC_NM_MULTIPLY
                   ? hoist_product(h, e)
                   : hoist_arguments(h, e);
    e = renew(h, e);
    if (e->kind == BOSC_NM_NUMBER ||
        (e->kind == BOSC_NM_NAME && !is_name_to_hoist(h, e)))
        return e;
    return bosc_nm_use(h->p->m->arena, constant_of(h, e));
}

static bosc_nm_expr *hoist_arguments(const hoister *h, bosc_nm_expr *e)
{
    bosc_nm_expr **arg = bosc_nm_new(h->p->m->arena, (size_t)e->n, sizeof *arg);

    for (int i = 0; i < e->n; ++i)
        arg[i] = hoist_expr(h, e->arg[i]);
    return bosc_nm_rebuild(h->p->m->arena, e, arg);
}

static bosc_nm_expr *times(const hoister *h, bosc_nm_expr *a, bosc_nm_expr *b)
{
    return a == NULL ? b : bosc_nm_fold(h->p->m->arena, BOSC_NM_MULTIPLY, a, b);
}

static void take_factors(const hoister *h, bosc_nm_expr *e,
                         bosc_nm_expr **uniform, bosc_nm_expr **rest)
{
    if (is_uniform(h->p, e)) {
        *uniform = times(h, *uniform, e);
    } else if (e->kind == BOSC_NM_BINARY && e->op == BOSC_NM_MULTIPLY) {
        take_factors(h, e->arg[0], uniform, rest);
        take_factors(h, e->arg[1], uniform, rest);
    } else {
        *rest = times(h, *rest, hoist_expr(h, e));
    }
}

/* Uniform factors become one, wherever they stand. */
static bosc_nm_expr *hoist_product(const hoister *h, bosc_nm_expr *e)
{
    bosc_nm_expr *uniform = NULL, *rest = NULL;

    take_factors(h, e, &uniform, &rest);
    return uniform == NULL ? rest : times(h, hoist_expr(h, uniform), rest);
}

/* May the target of a statement of the entry itself become a constant? */
static bool disappears(const hoister *h, const bosc_nm_stmt *stmt)
{
    const bosc_nm_program *p = h->p;
    const bosc_nm_symbol *s = stmt->target->symbol;
    const bosc_nm_entry *entry = &p->entry[h->entry];

    return (s->kind == BOSC_NM_LOCAL_OF || s->kind == BOSC_NM_VARIABLE) &&
           stmt->target->n == 0 && s != p->g && s != p->ge &&
           !bosc_nm_is_state(p, s) && !bosc_nm_is_ion(p, s) &&
           !bosc_nm_set_has(&entry->exposed, s) && is_uniform(p, stmt->value) &&
           bosc_nm_writes(&entry->code, s) == 1;
}

static void hoist_list(const hoister *h, bosc_nm_list *code, bool outermost)
{
    int kept = 0;

    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == BOSC_NM_ASSIGN && outermost && disappears(h, stmt)) {
            stmt->target->symbol->now = symbol_of(h, renew(h, stmt->value));
            continue;
        }
        if (stmt->kind == BOSC_NM_DO) /* it is done, whatever it is given */
            stmt->value = hoist_arguments(h, stmt->value);
        else if (stmt->value != NULL)
            stmt->value = hoist_expr(h, stmt->value);
        if (stmt->to != NULL)
            stmt->to = hoist_expr(h, stmt->to);
        if (stmt->target != NULL && stmt->target->n > 0)
            stmt->target = hoist_arguments(h, stmt->target);
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

/* ---- states that are constants ---- */

static bool is_written_later(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    for (int e = BOSC_NM_INIT + 1; e < BOSC_NM_ENTRIES; ++e)
        if (bosc_nm_set_has(&p->entry[e].written, s))
            return true;
    return false;
}

/* May entries read a constant in place of the symbol, which INITIAL sets? */
static bool is_to_promote(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    return s->kind == BOSC_NM_VARIABLE && bosc_nm_is_state(p, s) &&
           !is_written_later(p, s) &&
           (p->form == BOSC_NM_FULL ||
            !bosc_nm_set_has(&p->entry[BOSC_NM_CURRENT].exposed, s));
}

/* A hidden state that INITIAL computes of uniform values is a constant, such as
 * a factor for the temperature. */
static void promote_states(bosc_nm_program *p)
{
    const hoister h = {.p = p, .entry = BOSC_NM_INIT};
    const bosc_nm_entry *init = &p->entry[BOSC_NM_INIT];

    for (int i = 0; i < init->code.n; ++i) {
        const bosc_nm_stmt *stmt = init->code.item[i];
        bosc_nm_symbol *s = stmt->target == NULL ? NULL : stmt->target->symbol;

        if (s == NULL || !bosc_nm_set_has(&init->single, s) ||
            !is_uniform(p, stmt->value) ||
            (s->kind != BOSC_NM_LOCAL_OF && !is_to_promote(p, s)))
            continue;
        s->now = symbol_of(&h, renew(&h, stmt->value));
    }
    for (int i = 0; i < init->code.n; ++i) {
        const bosc_nm_stmt *stmt = init->code.item[i];

        if (stmt->target != NULL &&
            stmt->target->symbol->kind == BOSC_NM_LOCAL_OF)
            stmt->target->symbol->now = NULL;
    }
}

static void forget_states(bosc_nm_program *p)
{
    for (int i = 0; i < p->states.n; ++i)
        ((bosc_nm_symbol *)p->states.item[i])->now = NULL;
}

/* ---- constants that are used ---- */

static void add_all_used(bosc_nm_set *set, const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        bosc_nm_add_used(set, stmt->value);
        bosc_nm_add_used(set, stmt->to);
        if (stmt->target != NULL)
            bosc_nm_add_used(set, stmt->target);
        add_all_used(set, &stmt->body);
        add_all_used(set, &stmt->otherwise);
    }
}

/* Drop the constants that nobody uses, and give those that entries use a slot.
 * Constants are made of those before them, so one way back finds the users. */
static void drop_unused(bosc_nm_program *p)
{
    bosc_nm_set used = {.arena = p->m->arena};
    bosc_nm_list kept = {0};

    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        add_all_used(&used, &p->entry[e].code);
    for (int i = 0; i < p->constants.n; ++i) {
        bosc_nm_constant *constant = p->constants.item[i];

        constant->slot =
            bosc_nm_set_has(&used, constant->symbol) ? p->n_slots++ : -1;
    }
    for (int i = p->constants.n - 1; i >= 0; --i) {
        const bosc_nm_constant *constant = p->constants.item[i];

        if (bosc_nm_set_has(&used, constant->symbol))
            bosc_nm_add_used(&used, constant->value);
    }
    for (int i = 0; i < p->constants.n; ++i) {
        bosc_nm_constant *constant = p->constants.item[i];

        if (bosc_nm_set_has(&used, constant->symbol))
            bosc_nm_push(p->m->arena, &kept, constant);
    }
    p->constants = kept;
}

void bosc_nm_hoist(bosc_nm_program *p)
{
    const bool full = p->form == BOSC_NM_FULL;

    if (p->form == BOSC_NM_STATIC)
        return;
    if (full)
        hoist_entry(p, BOSC_NM_INIT, false);
    promote_states(p);

    if (full) {
        hoist_entry(p, BOSC_NM_CURRENT, false);
        hoist_entry(p, BOSC_NM_CONNECT, false);
    }
    hoist_entry(p, BOSC_NM_ADVANCE, false);
    hoist_entry(p, BOSC_NM_RECEIVE, !full);
    hoist_entry(p, BOSC_NM_WATCHES, false);
    forget_states(p);
    bosc_nm_settle(p);
    drop_unused(p);
}
