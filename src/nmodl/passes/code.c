#include "src/nmodl/passes/code.h"

#include <string.h>

bosc_nm_expr *bosc_nm_use(bosc_nm_arena *arena, bosc_nm_symbol *symbol)
{
    bosc_nm_expr *e =
        bosc_nm_node(arena, BOSC_NM_NAME, 0, (bosc_nm_place){NULL, 0, 0});

    e->name = symbol->name;
    e->symbol = symbol;
    return e;
}

bosc_nm_stmt *bosc_nm_assign(bosc_nm_arena *arena, bosc_nm_list *code,
                             bosc_nm_symbol *target, bosc_nm_expr *value)
{
    bosc_nm_stmt *stmt =
        bosc_nm_stmt_create(arena, BOSC_NM_ASSIGN, value->place);

    stmt->target = bosc_nm_use(arena, target);
    stmt->value = value;
    bosc_nm_push(arena, code, stmt);
    return stmt;
}

bosc_nm_symbol *bosc_nm_fresh(bosc_nm_arena *arena, const char *name)
{
    return bosc_nm_symbol_create(arena, BOSC_NM_LOCAL_OF, name);
}

bosc_nm_symbol *bosc_nm_element_of(bosc_nm_arena *arena, bosc_nm_symbol *array,
                                   int k)
{
    if (array->element == NULL)
        array->element =
            bosc_nm_new(arena, (size_t)array->size, sizeof *array->element);
    if (array->element[k] == NULL) {
        bosc_nm_symbol *s = bosc_nm_symbol_create(
            arena, array->kind, bosc_nm_text(arena, "%s_%d", array->name, k));
        const int number = s->number;
        const char *name = s->name;

        *s = *array;
        s->number = number;
        s->name = name;
        s->size = 0;
        s->element = NULL;
        s->indexed = false;
        s->array = array;
        s->is_made = true;
        array->element[k] = s;
    }
    return array->element[k];
}

void bosc_nm_append(bosc_nm_arena *arena, bosc_nm_list *code,
                    const bosc_nm_list *more)
{
    for (int i = 0; i < more->n; ++i)
        bosc_nm_push(arena, code, more->item[i]);
}

bosc_nm_stmt *bosc_nm_stmt_like(bosc_nm_arena *arena, const bosc_nm_stmt *stmt)
{
    bosc_nm_stmt *copy = bosc_nm_new(arena, 1, sizeof *copy);

    *copy = *stmt;
    copy->body = copy->otherwise = (bosc_nm_list){0};
    return copy;
}

int bosc_nm_writes(const bosc_nm_list *code, const bosc_nm_symbol *s)
{
    int n = 0;

    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        n += stmt->target != NULL && stmt->target->symbol == s;
        n += bosc_nm_writes(&stmt->body, s);
        n += bosc_nm_writes(&stmt->otherwise, s);
    }
    return n;
}

bool bosc_nm_has_kind(const bosc_nm_list *code, bosc_nm_stmt_kind kind)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        if (stmt->kind == kind || bosc_nm_has_kind(&stmt->body, kind) ||
            bosc_nm_has_kind(&stmt->otherwise, kind))
            return true;
    }
    return false;
}

/* ---- sets ---- */

static void make_room(bosc_nm_set *set, int number)
{
    bool *grown;
    int room = set->room < 64 ? 64 : set->room;

    if (number < set->room)
        return;
    while (room <= number)
        room *= 2;
    grown = bosc_nm_new(set->arena, (size_t)room, sizeof *grown);
    if (set->room > 0)
        memcpy(grown, set->has, (size_t)set->room);
    set->has = grown;
    set->room = room;
}

bool bosc_nm_set_has(const bosc_nm_set *set, const bosc_nm_symbol *s)
{
    return s->number < set->room && set->has[s->number];
}

void bosc_nm_set_add(bosc_nm_set *set, const bosc_nm_symbol *s)
{
    make_room(set, s->number);
    set->has[s->number] = true;
}

void bosc_nm_set_remove(bosc_nm_set *set, const bosc_nm_symbol *s)
{
    if (s->number < set->room)
        set->has[s->number] = false;
}

bosc_nm_set bosc_nm_set_copy(const bosc_nm_set *set)
{
    bosc_nm_set copy = *set;

    if (set->room > 0) {
        copy.has = bosc_nm_new(set->arena, (size_t)set->room, sizeof *copy.has);
        memcpy(copy.has, set->has, (size_t)set->room);
    }
    return copy;
}

void bosc_nm_set_both(bosc_nm_set *set, const bosc_nm_set *other)
{
    for (int k = 0; k < set->room; ++k)
        set->has[k] = set->has[k] && k < other->room && other->has[k];
}

void bosc_nm_set_join(bosc_nm_set *set, const bosc_nm_set *other)
{
    if (other->room > 0)
        make_room(set, other->room - 1);
    for (int k = 0; k < other->room; ++k)
        set->has[k] = set->has[k] || other->has[k];
}

/* ---- what is needed ---- */

void bosc_nm_add_used(bosc_nm_set *set, const bosc_nm_expr *e)
{
    if (e == NULL)
        return;
    if (e->kind == BOSC_NM_NAME && e->symbol != NULL)
        bosc_nm_set_add(set, e->symbol);
    for (int i = 0; i < e->n; ++i)
        bosc_nm_add_used(set, e->arg[i]);
}

/* All that the statements of a list read. */
static void add_read(bosc_nm_set *set, const bosc_nm_list *code)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        bosc_nm_add_used(set, stmt->value);
        bosc_nm_add_used(set, stmt->to);
        if (stmt->target != NULL && stmt->target->n > 0)
            bosc_nm_add_used(set, stmt->target);
        add_read(set, &stmt->body);
        add_read(set, &stmt->otherwise);
    }
}

static void add_items(bosc_nm_set *set, const bosc_nm_list *items)
{
    for (int i = 0; i < items->n; ++i)
        bosc_nm_set_add(set, ((const bosc_nm_item *)items->item[i])->symbol);
}

/* A loop that may run not at all: true if it stays. */
static bool prune_loop(bosc_nm_stmt *stmt, bosc_nm_set *wanted)
{
    bosc_nm_set inner;

    add_read(wanted, &stmt->body);
    inner = bosc_nm_set_copy(wanted);
    add_items(&inner, &stmt->names);
    add_items(&inner, &stmt->right);
    bosc_nm_prune(&stmt->body, &inner);
    bosc_nm_set_join(wanted, &inner);
    if (stmt->body.n == 0)
        return false;
    add_items(wanted, &stmt->right);
    bosc_nm_add_used(wanted, stmt->value);
    bosc_nm_add_used(wanted, stmt->to);
    return true;
}

/* True if the statement stays. */
static bool prune_stmt(bosc_nm_stmt *stmt, bosc_nm_set *wanted)
{
    bosc_nm_set other;

    switch (stmt->kind) {
    case BOSC_NM_ASSIGN:
        if (!bosc_nm_set_has(wanted, stmt->target->symbol))
            return false;
        if (stmt->target->n > 0)
            bosc_nm_add_used(wanted, stmt->target);
        else
            bosc_nm_set_remove(wanted, stmt->target->symbol);
        break;
    case BOSC_NM_IF:
        other = bosc_nm_set_copy(wanted);
        bosc_nm_prune(&stmt->body, wanted);
        bosc_nm_prune(&stmt->otherwise, &other);
        bosc_nm_set_join(wanted, &other);
        if (stmt->body.n == 0 && stmt->otherwise.n == 0)
            return false;
        break;
    case BOSC_NM_BLOCK: /* what an iteration leaves, the next one may read */
        add_read(wanted, &stmt->body);
        other = bosc_nm_set_copy(wanted);
        bosc_nm_prune(&stmt->body, wanted);
        bosc_nm_set_join(wanted, &other);
        return stmt->body.n > 0;
    case BOSC_NM_FROM:
    case BOSC_NM_FOR_NETCONS:
        return prune_loop(stmt, wanted);
    default:
        break;
    }
    bosc_nm_add_used(wanted, stmt->value);
    return true;
}

void bosc_nm_prune(bosc_nm_list *code, bosc_nm_set *wanted)
{
    int kept = code->n;

    /* from the end; what stays is gathered there, then moved to the front */
    for (int i = code->n - 1; i >= 0; --i)
        if (prune_stmt(code->item[i], wanted))
            code->item[--kept] = code->item[i];
    code->n -= kept;
    for (int i = 0; i < code->n; ++i)
        code->item[i] = code->item[kept + i];
}

/* ---- what is read before it is written ---- */

static void expose(const bosc_nm_expr *e, const bosc_nm_set *sure,
                   bosc_nm_set *exposed)
{
    if (e == NULL)
        return;
    if (e->kind == BOSC_NM_NAME && e->symbol != NULL &&
        !bosc_nm_set_has(sure, e->symbol))
        bosc_nm_set_add(exposed, e->symbol);
    for (int i = 0; i < e->n; ++i)
        expose(e->arg[i], sure, exposed);
}

static void expose_branches(const bosc_nm_stmt *stmt, bosc_nm_set *sure,
                            bosc_nm_set *exposed, bosc_nm_set *written)
{
    bosc_nm_set other = bosc_nm_set_copy(sure);

    if (stmt->kind == BOSC_NM_FROM || stmt->kind == BOSC_NM_FOR_NETCONS) {
        add_items(&other, &stmt->names);
        if (stmt->symbol != NULL)
            bosc_nm_set_add(&other, stmt->symbol);
        for (int i = 0; i < stmt->right.n; ++i) {
            const bosc_nm_item *item = stmt->right.item[i];

            bosc_nm_set_add(written, item->symbol);
            if (!bosc_nm_set_has(sure, item->symbol))
                bosc_nm_set_add(exposed, item->symbol);
        }
        bosc_nm_exposed(&stmt->body, &other, exposed, written);
        return;
    }
    bosc_nm_exposed(&stmt->body, sure, exposed, written);
    bosc_nm_exposed(&stmt->otherwise, &other, exposed, written);
    if (stmt->kind == BOSC_NM_IF)
        bosc_nm_set_both(sure, &other);
}

void bosc_nm_exposed(const bosc_nm_list *code, bosc_nm_set *sure,
                     bosc_nm_set *exposed, bosc_nm_set *written)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        expose(stmt->value, sure, exposed);
        expose(stmt->to, sure, exposed);
        if (stmt->body.n > 0 || stmt->otherwise.n > 0)
            expose_branches(stmt, sure, exposed, written);
        if (stmt->target == NULL)
            continue;
        bosc_nm_set_add(written, stmt->target->symbol);
        if (stmt->kind != BOSC_NM_ASSIGN || stmt->target->n > 0)
            expose(stmt->target, sure, exposed); /* from its old value */
        if (stmt->target->n == 0)
            bosc_nm_set_add(sure, stmt->target->symbol);
    }
}

void bosc_nm_copy_code(bosc_nm_arena *arena, const bosc_nm_list *code,
                       bosc_nm_list *out)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        bosc_nm_stmt *copy = bosc_nm_stmt_like(arena, stmt);

        bosc_nm_copy_code(arena, &stmt->body, &copy->body);
        bosc_nm_copy_code(arena, &stmt->otherwise, &copy->otherwise);
        bosc_nm_push(arena, out, copy);
    }
}
