/* watch.c - WATCH: what waits at run time for a condition; FOR_NETCONS.
 *
 *     WATCH (a > b) f   in NET_RECEIVE:  watch = a - b >= -1e-11 ? 2 : 1
 *                       before a step:   if (watch > 0) {
 *                                            if (a - b > 0) {
 *                                                if (watch == 1) send f, now
 *                                                watch = 2
 *                                            } else watch = 1
 *                                        }
 *
 * as in NEURON; the first WATCH that an event meets ends those of earlier
 * events.
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/lower.h"

#define FOLD(op, a, b) bosc_nm_fold(l->m->arena, BOSC_NM_##op, a, b)
#define NUMBER(x) bosc_nm_number(l->m->arena, x)
#define USE(symbol) bosc_nm_use(l->m->arena, symbol)

void bosc_nm_find_watches(bosc_nm_mechanism *m, const bosc_nm_list *body)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];
        bosc_nm_watch *watch;

        bosc_nm_find_watches(m, &stmt->body);
        bosc_nm_find_watches(m, &stmt->otherwise);
        if (stmt->kind != BOSC_NM_WATCH)
            continue;
        watch = bosc_nm_new(m->arena, 1, sizeof *watch);
        watch->stmt = stmt;
        watch->state = bosc_nm_symbol_create(
            m->arena, BOSC_NM_VARIABLE,
            bosc_nm_text(m->arena, "watch_%d", m->watches.n));
        watch->state->is_made = true;
        watch->state->unit = "1";
        bosc_nm_push(m->arena, &m->symbols, watch->state);
        bosc_nm_push(m->arena, &m->watches, watch);
    }
}

/* What must be above 0 for the condition to be true. */
static bosc_nm_expr *lower_condition(bosc_nm_lowerer *l,
                                     const bosc_nm_stmt *stmt)
{
    const bosc_nm_expr *e = stmt->value;
    bosc_nm_expr *a, *b;

    if (e->kind != BOSC_NM_BINARY ||
        (e->op != BOSC_NM_GREATER && e->op != BOSC_NM_LESS &&
         e->op != BOSC_NM_GREATER_EQUAL && e->op != BOSC_NM_LESS_EQUAL)) {
        bosc_nm_refuse(l->m->problems, stmt->place,
                       "write it as a > b or a < b",
                       "WATCH of what is no comparison");
        return NUMBER(0);
    }
    a = bosc_nm_lower_expr(l, e->arg[0]);
    b = bosc_nm_lower_expr(l, e->arg[1]);
    return e->op == BOSC_NM_GREATER || e->op == BOSC_NM_GREATER_EQUAL
               ? FOLD(SUBTRACT, a, b)
               : FOLD(SUBTRACT, b, a);
}

void bosc_nm_lower_watch(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_stmt *first = bosc_nm_stmt_create(arena, BOSC_NM_IF, stmt->place);
    bosc_nm_symbol *state = NULL;
    bosc_nm_expr *is_true;

    first->value = FOLD(EQUAL, USE(l->watched), NUMBER(0));
    for (int i = 0; i < l->m->watches.n; ++i) {
        const bosc_nm_watch *watch = l->m->watches.item[i];

        bosc_nm_assign(arena, &first->body, watch->state, NUMBER(0));
        if (watch->stmt == stmt)
            state = watch->state;
    }
    bosc_nm_push(arena, l->code, first);
    bosc_nm_assign(arena, l->code, l->watched, NUMBER(1));
    is_true = FOLD(GREATER_EQUAL, lower_condition(l, stmt), NUMBER(-1e-11));
    bosc_nm_assign(arena, l->code, state,
                   bosc_nm_select(arena, is_true, NUMBER(2), NUMBER(1)));
}

/* net_send(0, flag). */
static void send_now(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt,
                     bosc_nm_list *code)
{
    bosc_nm_stmt *out =
        bosc_nm_stmt_create(l->m->arena, BOSC_NM_DO, stmt->place);
    bosc_nm_list *outer = l->code;

    out->value = bosc_nm_node(l->m->arena, BOSC_NM_CALL, 2, stmt->place);
    out->value->name = "net_send";
    l->code = code;
    out->value->arg[0] = NUMBER(0);
    out->value->arg[1] = bosc_nm_lower_expr(l, stmt->to);
    l->code = outer;
    bosc_nm_push(l->m->arena, code, out);
}

void bosc_nm_lower_watches(bosc_nm_lowerer *l)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_list *code = l->code;

    for (int i = 0; i < l->m->watches.n; ++i) {
        const bosc_nm_watch *watch = l->m->watches.item[i];
        const bosc_nm_place place = watch->stmt->place;
        bosc_nm_stmt *active = bosc_nm_stmt_create(arena, BOSC_NM_IF, place);
        bosc_nm_stmt *above = bosc_nm_stmt_create(arena, BOSC_NM_IF, place);
        bosc_nm_stmt *rises = bosc_nm_stmt_create(arena, BOSC_NM_IF, place);

        active->value = FOLD(GREATER, USE(watch->state), NUMBER(0));
        l->code = &active->body;
        above->value =
            FOLD(GREATER, lower_condition(l, watch->stmt), NUMBER(0));
        rises->value = FOLD(EQUAL, USE(watch->state), NUMBER(1));
        send_now(l, watch->stmt, &rises->body);
        bosc_nm_push(arena, &above->body, rises);
        bosc_nm_assign(arena, &above->body, watch->state, NUMBER(2));
        bosc_nm_assign(arena, &above->otherwise, watch->state, NUMBER(1));
        bosc_nm_push(arena, &active->body, above);
        l->code = code;
        bosc_nm_push(arena, code, active);
    }
}

/* ---- FOR_NETCONS ---- */

static void add_item(bosc_nm_arena *arena, bosc_nm_list *items,
                     bosc_nm_symbol *symbol)
{
    bosc_nm_item *item = bosc_nm_new(arena, 1, sizeof *item);

    item->name = symbol->name;
    item->symbol = symbol;
    bosc_nm_push(arena, items, item);
}

void bosc_nm_lower_netcons(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt)
{
    bosc_nm_arena *arena = l->m->arena;
    bosc_nm_stmt *out =
        bosc_nm_stmt_create(arena, BOSC_NM_FOR_NETCONS, stmt->place);
    const bosc_nm_list *weights = &l->m->receive->def.arguments;

    if (stmt->names.n > weights->n) {
        bosc_nm_refuse(l->m->problems, stmt->place, "",
                       "FOR_NETCONS names %d values of connections, which "
                       "have %d",
                       stmt->names.n, weights->n);
        return;
    }
    for (int i = 0; i < stmt->names.n; ++i) {
        bosc_nm_symbol *s = ((bosc_nm_item *)stmt->names.item[i])->symbol;

        s->now = bosc_nm_fresh(arena, s->name);
        add_item(arena, &out->names, s->now);
    }
    for (int i = 0; i < weights->n; ++i)
        add_item(arena, &out->right, weights->item[i]);
    bosc_nm_lower_inside(l, stmt, out);
    bosc_nm_push(arena, l->code, out);
}
