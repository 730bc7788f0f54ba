/* variables.c - which variables of a program are states, hidden states and
 * parameters, what each entry reads and writes of them, and what parts of
 * ADVANCE pass on.
 */
#include "src/nmodl/passes/program.h"

static bool is_in(const bosc_nm_list *list, const bosc_nm_symbol *s)
{
    for (int i = 0; i < list->n; ++i)
        if (list->item[i] == s)
            return true;
    return false;
}

bool bosc_nm_is_state(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    return is_in(&p->states, s);
}

int bosc_nm_pointers(const bosc_nm_program *p, int *state)
{
    int n = 0;

    for (int i = 0; i < p->states.n; ++i)
        if (((const bosc_nm_symbol *)p->states.item[i])->pointer) {
            if (state != NULL)
                state[n] = i;
            ++n;
        }
    return n;
}

bool bosc_nm_is_param(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    return is_in(&p->params, s);
}

bool bosc_nm_is_ion(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    return is_in(&p->ions, s);
}

/* Call 'visit' for each scalar of the file's scope: variables, and the elements
 * of arrays that are used. */
static void each_scalar(bosc_nm_program *p,
                        void (*visit)(bosc_nm_program *p, bosc_nm_symbol *s))
{
    for (int i = 0; i < p->m->symbols.n; ++i) {
        bosc_nm_symbol *s = p->m->symbols.item[i];

        if (s->size == 0)
            visit(p, s);
        for (int k = 0; k < s->size; ++k)
            visit(p, bosc_nm_element_of(p->m->arena, s, k));
    }
}

static void find_exposed(bosc_nm_program *p)
{
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e) {
        bosc_nm_entry *entry = &p->entry[e];

        entry->exposed = (bosc_nm_set){.arena = p->m->arena};
        entry->written = entry->sure = entry->exposed;
        bosc_nm_exposed(&entry->code, &entry->sure, &entry->exposed,
                        &entry->written);
    }
}

bool bosc_nm_is_constant(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    for (int i = 0; i < p->constants.n; ++i)
        if (((const bosc_nm_constant *)p->constants.item[i])->symbol == s)
            return true;
    return false;
}

/* Symbols that were met, and those that were assigned, in an entry. */
typedef struct census {
    bosc_nm_program *p;
    bosc_nm_entry *entry;
    bosc_nm_set met, assigned;
} census;

static void meet(census *c, bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME && !bosc_nm_set_has(&c->met, e->symbol) &&
        !bosc_nm_is_constant(c->p, e->symbol)) {
        bosc_nm_set_add(&c->met, e->symbol);
        bosc_nm_push(c->p->m->arena, &c->entry->variables, e->symbol);
    }
    for (int i = 0; i < e->n; ++i)
        meet(c, e->arg[i]);
}

static void count(census *c, const bosc_nm_list *code, bool outermost)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        const bosc_nm_symbol *s =
            stmt->target == NULL ? NULL : stmt->target->symbol;

        if (stmt->value != NULL)
            meet(c, stmt->value);
        if (stmt->to != NULL)
            meet(c, stmt->to);
        if (stmt->kind == BOSC_NM_FROM) /* declared in its loop */
            bosc_nm_set_add(&c->met, stmt->symbol);
        for (int k = 0; k < stmt->names.n; ++k)
            bosc_nm_set_add(
                &c->met, ((const bosc_nm_item *)stmt->names.item[k])->symbol);
        for (int k = 0; k < stmt->right.n; ++k)
            meet(c, bosc_nm_use(
                        c->p->m->arena,
                        ((const bosc_nm_item *)stmt->right.item[k])->symbol));
        if (s != NULL) {
            meet(c, stmt->target);
            if (outermost && stmt->target->n == 0 &&
                !bosc_nm_set_has(&c->assigned, s) &&
                !bosc_nm_set_has(&c->entry->exposed, s))
                bosc_nm_set_add(&c->entry->single, s);
            else
                bosc_nm_set_remove(&c->entry->single, s);
            bosc_nm_set_add(&c->assigned, s);
        }
        count(c, &stmt->body, false);
        count(c, &stmt->otherwise, false);
    }
}

/* Also those of a list, whether the code has them or not. */
static void find_variables(bosc_nm_program *p, bosc_nm_entry *entry,
                           const bosc_nm_list *others)
{
    bosc_nm_arena *arena = p->m->arena;
    census c = {.p = p,
                .entry = entry,
                .met = {.arena = arena},
                .assigned = {.arena = arena}};

    entry->variables = (bosc_nm_list){0};
    entry->single = (bosc_nm_set){.arena = arena};
    count(&c, &entry->code, true);
    for (int i = 0; i < others->n; ++i)
        meet(&c, bosc_nm_use(arena, others->item[i]));
}

const bosc_nm_symbol *bosc_nm_in_code(const bosc_nm_symbol *s)
{
    return s->array != NULL && s->array->indexed ? s->array : s;
}

static bool is_exposed(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    s = bosc_nm_in_code(s);
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        if (bosc_nm_set_has(&p->entry[e].exposed, s))
            return true;
    return bosc_nm_set_has(&p->prepared, s);
}

static bool is_written(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    s = bosc_nm_in_code(s);
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        if (bosc_nm_set_has(&p->entry[e].written, s))
            return true;
    return false;
}

/* INITIAL gives every state a value, so what only INITIAL exposes is none. */
static bool outlives(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    for (int e = BOSC_NM_INIT + 1; e < BOSC_NM_ENTRIES; ++e)
        if (bosc_nm_set_has(&p->entry[e].exposed, bosc_nm_in_code(s)))
            return is_written(p, s);
    return false;
}

static void add_state(bosc_nm_program *p, bosc_nm_symbol *s)
{
    if (s->kind == BOSC_NM_STATE && s->ion == NULL)
        bosc_nm_push(p->m->arena, &p->states, s);
}

/* What it stands for is copied here. */
static bool is_pointer(const bosc_nm_symbol *s)
{
    return s->pointer && s->used;
}

static bool has_pointers(const bosc_nm_program *p)
{
    for (int i = 0; i < p->m->symbols.n; ++i)
        if (is_pointer(p->m->symbols.item[i]))
            return true;
    return false;
}

/* The current of an electrode is a result: what it computes for others to see
 * is kept; so is what a density computes that has pointers and no current.  Of
 * synapses and other densities there may be very many. */
static bool is_result(const bosc_nm_program *p, const bosc_nm_symbol *s)
{
    const bool shows = p->m->kind == BOSC_NM_POINT_PROCESS
                           ? p->m->receive == NULL
                           : !bosc_nm_has_current(p->m) && has_pointers(p);
    const bosc_nm_entry *entry =
        &p->entry[bosc_nm_has_current(p->m) ? BOSC_NM_CURRENT
                                            : BOSC_NM_ADVANCE];

    return shows && s->kind == BOSC_NM_VARIABLE && (s->range || s->electrode) &&
           bosc_nm_set_has(&entry->written, bosc_nm_in_code(s));
}

/* One that is kept anyway is not 'shown': its name in results does not depend
 * on whether somebody records it. */
static void add_hidden(bosc_nm_program *p, bosc_nm_symbol *s)
{
    if (s->kind != BOSC_NM_VARIABLE && s->kind != BOSC_NM_PARAMETER)
        return;
    s->kept = is_pointer(s) || outlives(p, s) || is_result(p, s);
    if (s->kept || (s->shown && is_written(p, s)))
        bosc_nm_push(p->m->arena, &p->states, s);
}

/* Parameters; and variables that are read, may be set from outside, and that
 * nothing writes. */
static void add_param(bosc_nm_program *p, bosc_nm_symbol *s)
{
    if (s->kind == BOSC_NM_PARAMETER ||
        (s->kind == BOSC_NM_VARIABLE && (s->range || s->global) &&
         !is_pointer(s) && is_exposed(p, s) && !is_written(p, s)))
        bosc_nm_push(p->m->arena, &p->params, s);
}

/* What must be right after an entry. */
static bosc_nm_set results_of(const bosc_nm_program *p, int e)
{
    bosc_nm_set set = {.arena = p->m->arena};

    for (int i = 0; i < p->states.n; ++i)
        bosc_nm_set_add(&set, bosc_nm_in_code(p->states.item[i]));
    for (int i = 0; i < p->ions.n; ++i)
        bosc_nm_set_add(&set, p->ions.item[i]);
    for (int i = 0;
         (e == BOSC_NM_RECEIVE || e == BOSC_NM_CONNECT) && i < p->weights.n;
         ++i)
        bosc_nm_set_add(&set, p->weights.item[i]);
    if (e == BOSC_NM_RECEIVE && p->sets_v)
        bosc_nm_set_add(&set, bosc_nm_find(p->m, "v"));
    if (e == BOSC_NM_CURRENT && p->g != NULL) {
        bosc_nm_set_add(&set, p->g);
        bosc_nm_set_add(&set, p->ge);
    }
    return set;
}

/* What is written on some ways only has its old value on the others. */
static void expose_left(bosc_nm_entry *entry, const bosc_nm_symbol *s)
{
    s = bosc_nm_in_code(s);
    if (bosc_nm_set_has(&entry->written, s) &&
        !bosc_nm_set_has(&entry->sure, s))
        bosc_nm_set_add(&entry->exposed, s);
}

static void expose_results(bosc_nm_program *p)
{
    const bosc_nm_list *const lists[] = {&p->states, &p->ions, &p->weights};

    for (int e = 0; e < BOSC_NM_ENTRIES; ++e) {
        for (size_t k = 0; k < BOSC_LEN(lists); ++k)
            for (int i = 0; i < lists[k]->n; ++i)
                expose_left(&p->entry[e], lists[k]->item[i]);
        expose_left(&p->entry[e], bosc_nm_find(p->m, "v"));
    }
}

void bosc_nm_settle(bosc_nm_program *p)
{
    int n;

    do { /* the fewer states, the less code, the fewer states */
        find_exposed(p);
        n = p->states.n;
        p->states.n = 0;
        each_scalar(p, add_state);
        each_scalar(p, add_hidden);
        for (int e = 0; e < BOSC_NM_ENTRIES; ++e) {
            bosc_nm_set wanted = results_of(p, e);

            bosc_nm_prune(&p->entry[e].code, &wanted);
        }
    } while (p->states.n != n);
    find_exposed(p);
    expose_results(p);
    p->prepared = (bosc_nm_set){.arena = p->m->arena};
    for (int i = 0; i < p->constants.n; ++i)
        bosc_nm_add_used(
            &p->prepared,
            ((const bosc_nm_constant *)p->constants.item[i])->value);
    p->params.n = 0;
    each_scalar(p, add_param);
    for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
        find_variables(p, &p->entry[e], &(bosc_nm_list){0});
}

/* ---- parts of ADVANCE ---- */

/* Rounds end with IF (moved == 0) { BREAK }. */
static const bosc_nm_symbol *moved_in(const bosc_nm_stmt *stmt)
{
    const bosc_nm_stmt *last;

    if (stmt->kind != BOSC_NM_BLOCK || stmt->body.n == 0)
        return NULL;
    last = stmt->body.item[stmt->body.n - 1];
    return last->kind == BOSC_NM_IF ? last->value->arg[0]->symbol : NULL;
}

static bosc_nm_part *add_part(bosc_nm_program *p, const bosc_nm_symbol *moved)
{
    bosc_nm_part *part = bosc_nm_new(p->m->arena, 1, sizeof *part);

    part->moved = moved;
    part->entry.exposed = part->entry.written = part->entry.sure =
        part->stored = (bosc_nm_set){.arena = p->m->arena};
    bosc_nm_push(p->m->arena, &p->parts, part);
    return part;
}

/* False where arrays would have to be passed on, or random numbers be drawn. */
static bool split(bosc_nm_program *p)
{
    const bosc_nm_entry *whole = &p->entry[BOSC_NM_ADVANCE];
    bosc_nm_part *part = add_part(p, NULL);
    bool any = false;

    for (int i = 0; i < whole->variables.n; ++i)
        if (((const bosc_nm_symbol *)whole->variables.item[i])->size > 0)
            return false;
    for (int i = 0; i < whole->code.n; ++i) {
        bosc_nm_stmt *stmt = whole->code.item[i];
        const bosc_nm_list one = {.n = 1, .item = whole->code.item + i};
        const bosc_nm_symbol *moved = moved_in(stmt);

        if (moved == NULL) {
            bosc_nm_copy_code(p->m->arena, &one, &part->entry.code);
            continue;
        }
        part = add_part(p, moved);
        bosc_nm_copy_code(p->m->arena, &stmt->body, &part->entry.code);
        --part->entry.code.n;
        part = add_part(p, NULL);
        any = true;
    }
    return any && p->m->drawn == NULL;
}

/* Is an expression faster computed again than read from memory?  Of names that
 * ADVANCE does not assign, or that the set has. */
static bool is_cheap(const bosc_nm_program *p, const bosc_nm_expr *e,
                     const bosc_nm_set *again)
{
    static const bosc_nm_expr_kind kinds[] = {BOSC_NM_NUMBER, BOSC_NM_NAME,
                                              BOSC_NM_NEGATE, BOSC_NM_BINARY};
    bool known = e->kind == BOSC_NM_CALL && e->n == 3; /* #fma */

    for (size_t i = 0; i < BOSC_LEN(kinds); ++i)
        known = known || e->kind == kinds[i];
    if (!known || (e->kind == BOSC_NM_BINARY && e->op > BOSC_NM_MULTIPLY) ||
        (e->kind == BOSC_NM_NAME &&
         bosc_nm_set_has(&p->entry[BOSC_NM_ADVANCE].written, e->symbol) &&
         !bosc_nm_set_has(again, e->symbol)))
        return false;
    for (int i = 0; i < e->n; ++i)
        if (!is_cheap(p, e->arg[i], again))
            return false;
    return true;
}

/* Put what is cheap of the parts that are done once before those after them.
 */
static void repeat_cheap(bosc_nm_program *p)
{
    bosc_nm_arena *arena = p->m->arena;
    bosc_nm_set again = {.arena = arena};
    bosc_nm_list cheap = {0};

    for (int k = 0; k < p->parts.n; ++k) {
        bosc_nm_part *part = p->parts.item[k];
        const bosc_nm_list own = part->entry.code;

        part->entry.code = (bosc_nm_list){0};
        bosc_nm_copy_code(arena, &cheap, &part->entry.code);
        bosc_nm_append(arena, &part->entry.code, &own);
        for (int i = 0; part->moved == NULL && i < own.n; ++i) {
            bosc_nm_stmt *stmt = own.item[i];

            if (stmt->kind != BOSC_NM_ASSIGN || stmt->target->n > 0 ||
                !bosc_nm_set_has(&p->entry[BOSC_NM_ADVANCE].single,
                                 stmt->target->symbol) ||
                !is_cheap(p, stmt->value, &again))
                continue;
            bosc_nm_set_add(&again, stmt->target->symbol);
            bosc_nm_push(arena, &cheap, stmt);
        }
    }
}

/* What a part reads before it has surely written it, or leaves as it was on
 * some ways. */
static void expose_part(const bosc_nm_program *p, bosc_nm_part *part)
{
    const bosc_nm_list *all = &p->entry[BOSC_NM_ADVANCE].variables;
    bosc_nm_entry *entry = &part->entry;

    entry->exposed = entry->written = entry->sure =
        (bosc_nm_set){.arena = p->m->arena};
    bosc_nm_exposed(&entry->code, &entry->sure, &entry->exposed,
                    &entry->written);
    for (int i = 0; i < all->n; ++i)
        expose_left(entry, all->item[i]);
}

/* From the last part to the first, leave out what none after it needs. */
static void prune_parts(bosc_nm_program *p)
{
    bosc_nm_set wanted = results_of(p, BOSC_NM_ADVANCE);

    for (int k = p->parts.n - 1; k >= 0; --k) {
        bosc_nm_part *part = p->parts.item[k];

        if (part->moved != NULL) { /* a round reads what the last one left */
            expose_part(p, part);
            bosc_nm_set_join(&wanted, &part->entry.exposed);
            bosc_nm_set_add(&wanted, part->moved);
        }
        bosc_nm_prune(&part->entry.code, &wanted);
        expose_part(p, part);
    }
}

/* Does part k take the symbol from one before it, or from the round before? */
static bool takes(const bosc_nm_program *p, int k, const bosc_nm_symbol *s)
{
    const bosc_nm_part *part = p->parts.item[k];

    if (k == 0 || !bosc_nm_set_has(&part->entry.exposed, s))
        return false;
    for (int i = 0; i < k; ++i)
        if (bosc_nm_set_has(
                &((const bosc_nm_part *)p->parts.item[i])->entry.written, s))
            return true;
    return part->moved != NULL && bosc_nm_set_has(&part->entry.written, s);
}

/* Say of a symbol which parts pass it on. */
static void pass_on(bosc_nm_program *p, bosc_nm_symbol *s)
{
    const bool before = bosc_nm_set_has(&p->entry[BOSC_NM_ADVANCE].exposed, s);
    bool any = false;

    for (int k = 1; k < p->parts.n; ++k)
        any = any || takes(p, k, s);
    if (!any)
        return;
    bosc_nm_push(p->m->arena, &p->passed, s);
    for (int k = 0; k < p->parts.n - 1; ++k) {
        bosc_nm_part *part = p->parts.item[k];

        if (!bosc_nm_set_has(&part->entry.written, s)) {
            if (k > 0 || !before)
                continue;
            bosc_nm_set_add(&part->entry.exposed, s);
        }
        bosc_nm_set_add(&part->stored, s);
    }
}

void bosc_nm_cut(bosc_nm_program *p)
{
    const bosc_nm_entry *whole = &p->entry[BOSC_NM_ADVANCE];
    const bosc_nm_set results = results_of(p, BOSC_NM_ADVANCE);
    const bosc_nm_list *all = &whole->variables;
    bosc_nm_part *last;

    if (!split(p)) {
        p->parts.n = 0;
        return;
    }
    repeat_cheap(p);
    prune_parts(p);
    last = p->parts.item[p->parts.n - 1];
    for (int i = 0; i < all->n; ++i) { /* it leaves the results of all parts */
        bosc_nm_symbol *s = all->item[i];

        if (bosc_nm_set_has(&results, s) &&
            bosc_nm_set_has(&whole->written, s) &&
            !bosc_nm_set_has(&last->entry.sure, s))
            bosc_nm_set_add(&last->entry.exposed, s);
    }
    for (int i = 0; i < all->n; ++i)
        pass_on(p, all->item[i]);
    for (int k = 0; k < p->parts.n; ++k) {
        bosc_nm_part *part = p->parts.item[k];
        bosc_nm_list read = {0};

        for (int i = 0; i < all->n; ++i)
            if (bosc_nm_set_has(&part->entry.exposed, all->item[i]))
                bosc_nm_push(p->m->arena, &read, all->item[i]);
        find_variables(p, &part->entry, &read);
    }
    last->entry.written = whole->written;
}
