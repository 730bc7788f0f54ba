/* bind.c - every name of the blocks that are reached gets its symbol.
 *
 * A block is reached from INITIAL, BREAKPOINT, NET_RECEIVE or a moment, through
 * calls and SOLVE.  Names are looked up in the blocks around a statement, from
 * the inside out, then in the file.
 */
#include <string.h>

#include "src/nmodl/model/function.h"
#include "src/nmodl/model/model.h"
#include "src/text/did_you_mean.h"

/* The names that a block adds to those around it. */
typedef struct scope {
    const struct scope *around;
    bosc_nm_list symbols;
} scope;

typedef struct binder {
    bosc_nm_mechanism *m;
    const scope *scope;
    bosc_nm_symbol *routine; /* the block at hand */
    int loops;               /* around the statement */
} binder;

/* To be bound, once. */
static void reach(bosc_nm_mechanism *m, bosc_nm_symbol *routine)
{
    if (!routine->def.bound)
        bosc_nm_push(m->arena, &m->reached, routine);
    routine->def.bound = true;
}

static void bind_body(binder *b, bosc_nm_list *body);
static void bind_expr(void *with, bosc_nm_expr **at);

static bosc_nm_symbol *look_up(const binder *b, const char *name)
{
    for (const scope *s = b->scope; s != NULL; s = s->around)
        for (int i = s->symbols.n - 1; i >= 0; --i) {
            bosc_nm_symbol *symbol = s->symbols.item[i];

            if (strcmp(symbol->name, name) == 0)
                return symbol;
        }
    if (b->routine->def.result != NULL && strcmp(b->routine->name, name) == 0)
        return b->routine->def.result;
    return bosc_nm_find(b->m, name);
}

static void refuse_unknown(const binder *b, const bosc_nm_expr *e)
{
    const bosc_nm_list *known = &b->m->symbols;
    const char *remedy = "declare it as ASSIGNED, PARAMETER or LOCAL";

    if (b->m->problems->all.n < BOSC_NM_MOST_PROBLEMS) {
        const char **names =
            bosc_nm_new(b->m->arena, (size_t)known->n, sizeof *names);
        const char *meant;

        for (int i = 0; i < known->n; ++i)
            names[i] = ((bosc_nm_symbol *)known->item[i])->name;
        meant = bosc_suggest(e->name, (size_t)known->n, names);
        if (meant != NULL)
            remedy = bosc_nm_text(b->m->arena, "did you mean '%s'?", meant);
    }
    bosc_nm_refuse(b->m->problems, e->place, remedy, "'%s' is not declared",
                   e->name);
}

/* 'x0' of a STATE x is a parameter that NEURON declares: what x starts with. */
static bosc_nm_symbol *start_of(const binder *b, const char *name)
{
    const size_t n = strlen(name);
    const bosc_nm_symbol *state = NULL;
    bosc_nm_symbol *s;

    if (n > 1 && name[n - 1] == '0')
        state = bosc_nm_find(b->m, bosc_nm_copy(b->m->arena, name, n - 1));
    if (state == NULL || state->kind != BOSC_NM_STATE || state->size > 0)
        return NULL;
    s = bosc_nm_symbol_create(b->m->arena, BOSC_NM_PARAMETER, name);
    s->unit = state->unit;
    s->value = state->value;
    s->declared = state->declared;
    bosc_nm_push(b->m->arena, &b->m->symbols, s);
    return s;
}

/* The flag of an event where the file declares a variable of that name. */
static bosc_nm_symbol *flag_of(bosc_nm_mechanism *m)
{
    if (m->flag == NULL) {
        m->flag = bosc_nm_symbol_create(m->arena, BOSC_NM_FLAG, "flag");
        m->flag->is_made = true;
        bosc_nm_push(m->arena, &m->symbols, m->flag);
    }
    return m->flag;
}

static const char *remedy_of_foreign(const bosc_nm_mechanism *m)
{
    return m->artificial ? "an ARTIFICIAL_CELL has no compartment; give it the "
                           "value as a parameter"
                         : "give it as a parameter, or as a POINTER of one "
                           "number";
}

static void bind_name(binder *b, bosc_nm_expr *e)
{
    bosc_nm_symbol *s = look_up(b, e->name);

    /* in NET_RECEIVE it is that of the event, also where a variable has its
     * name */
    if (s != NULL && s->kind == BOSC_NM_VARIABLE &&
        b->routine == b->m->receive && strcmp(e->name, "flag") == 0)
        s = flag_of(b->m);
    if (s == NULL &&
        (strcmp(e->name, "flag") == 0 || strcmp(e->name, "f_flux") == 0 ||
         strcmp(e->name, "b_flux") == 0)) {
        s = bosc_nm_symbol_create(
            b->m->arena, e->name[1] == 'l' ? BOSC_NM_FLAG : BOSC_NM_VARIABLE,
            e->name);
        bosc_nm_push(b->m->arena, &b->m->symbols, s);
    }
    if (s == NULL)
        s = start_of(b, e->name);
    if (s == NULL)
        s = bosc_nm_find_c_number(b->m, e->name);
    if (s == NULL) {
        if (!b->m->file->broken)
            refuse_unknown(b, e);
        return;
    }
    if (s->kind == BOSC_NM_ROUTINE)
        bosc_nm_refuse(b->m->problems, e->place, "call it with brackets",
                       "'%s' is a block, not a variable", e->name);
    if (e->n > 0 && s->size == 0)
        bosc_nm_refuse(b->m->problems, e->place, "", "'%s' is not an array",
                       e->name);
    if (e->n == 0 && s->size > 0)
        bosc_nm_refuse(b->m->problems, e->place, "say which element: name[0]",
                       "'%s' is an array of %d", e->name, s->size);
    if (s->kind == BOSC_NM_FOREIGN)
        bosc_nm_refuse(b->m->problems, e->place, remedy_of_foreign(b->m),
                       "'%s' belongs to something else (EXTERNAL, RANDOM, or "
                       "POINTER of an array or a cell)",
                       e->name);
    s->used = true;
    e->symbol = s;
}

static void bind_call(binder *b, bosc_nm_expr *e)
{
    bosc_nm_symbol *s = bosc_nm_find(b->m, e->name);
    const bosc_nm_function *known =
        s == NULL ? bosc_nm_function_find(e->name) : NULL;

    if (s == NULL && known == NULL)
        s = bosc_nm_find_c_function(b->m, e->name, e->place);
    if (s != NULL && s->kind == BOSC_NM_ROUTINE) {
        e->symbol = s;
        if (e->n != s->def.block->arguments.n)
            bosc_nm_refuse(b->m->problems, e->place, "",
                           "'%s' has %d arguments, not %d", e->name,
                           s->def.block->arguments.n, e->n);
        reach(b->m, s);
    } else if (known == NULL) {
        if (!b->m->file->broken)
            bosc_nm_refuse(b->m->problems, e->place,
                           "write it as a FUNCTION of the file",
                           "there is no function '%s'", e->name);
    } else if (known->arguments > 0 && known->arguments != e->n) {
        bosc_nm_refuse(b->m->problems, e->place, "",
                       "%s() has %d arguments, not %d", e->name,
                       known->arguments, e->n);
    }
}

/* random_uniform(r): all streams of an instance are one. */
static void take_stream(const binder *b, bosc_nm_expr *e)
{
    const bosc_nm_symbol *s;

    if (strncmp(e->name, "random_", 7) != 0 || e->n == 0 ||
        e->arg[0]->kind != BOSC_NM_NAME)
        return;
    s = bosc_nm_find(b->m, e->arg[0]->name);
    if (s == NULL || s->kind != BOSC_NM_FOREIGN || s->declared == NULL ||
        s->declared->where != BOSC_NM_IN_RANDOM)
        return;
    ++e->arg;
    --e->n;
}

static void bind_expr(void *with, bosc_nm_expr **at)
{
    binder *b = with;
    bosc_nm_expr *e = *at;

    if (e->kind == BOSC_NM_CALL)
        take_stream(b, e);
    for (int i = 0; i < e->n; ++i)
        bind_expr(b, &e->arg[i]);
    if (e->kind == BOSC_NM_NAME)
        bind_name(b, e);
    else if (e->kind == BOSC_NM_CALL)
        bind_call(b, e);
}

/* ---- statements ---- */

static bosc_nm_symbol *add_local(binder *b, scope *into,
                                 const bosc_nm_item *item)
{
    bosc_nm_symbol *s =
        bosc_nm_symbol_create(b->m->arena, BOSC_NM_LOCAL_OF, item->name);

    s->size = item->size;
    bosc_nm_push(b->m->arena, &into->symbols, s);
    return s;
}

static void bind_target(binder *b, bosc_nm_stmt *stmt)
{
    bosc_nm_symbol *s = stmt->target->symbol;

    if (s == NULL)
        return;
    if (s->kind == BOSC_NM_CONSTANT)
        bosc_nm_refuse(b->m->problems, stmt->place, "make it an ASSIGNED",
                       "the constant '%s' is assigned to", s->name);
    if (s->kind == BOSC_NM_TIME || s->kind == BOSC_NM_STEP ||
        s->kind == BOSC_NM_CELSIUS || s->kind == BOSC_NM_GEOMETRY)
        bosc_nm_refuse(b->m->problems, stmt->place,
                       "only the simulator changes it", "'%s' is assigned to",
                       s->name);
    if (stmt->kind == BOSC_NM_EQUATION && s->kind != BOSC_NM_STATE)
        bosc_nm_refuse(b->m->problems, stmt->place, "list it in STATE",
                       "'%s' has an equation, and is no state", s->name);
    s->written = true;
}

static void bind_solve(binder *b, bosc_nm_stmt *stmt)
{
    bosc_nm_symbol *s = bosc_nm_find(b->m, stmt->name);

    if (s == NULL || s->kind != BOSC_NM_ROUTINE) {
        if (!b->m->file->broken)
            bosc_nm_refuse(b->m->problems, stmt->place, "",
                           "there is no block '%s' to be solved", stmt->name);
        return;
    }
    stmt->symbol = s;
    reach(b->m, s);
}

/* States of reactions, CONSERVE and COMPARTMENT. */
static void bind_items(binder *b, bosc_nm_list *items)
{
    for (int i = 0; i < items->n; ++i) {
        bosc_nm_item *item = items->item[i];

        item->symbol = look_up(b, item->name);
        if (item->symbol == NULL || (item->symbol->kind != BOSC_NM_STATE &&
                                     item->symbol->kind != BOSC_NM_VARIABLE &&
                                     item->symbol->kind != BOSC_NM_ION &&
                                     item->symbol->kind != BOSC_NM_PARAMETER)) {
            if (!b->m->file->broken)
                bosc_nm_refuse(b->m->problems, item->place, "list it in STATE",
                               "'%s' takes part in a reaction, and is no state",
                               item->name);
        }
    }
}

/* Statements whose body has a name of its own: FROM, FOR_NETCONS, and the
 * COMPARTMENT of an array. */
static void bind_with_name(binder *b, bosc_nm_stmt *stmt)
{
    scope inner = {.around = b->scope};
    const scope *outer = b->scope;

    if (stmt->kind == BOSC_NM_FOR_NETCONS)
        for (int i = 0; i < stmt->names.n; ++i) {
            bosc_nm_item *item = stmt->names.item[i];

            item->symbol = add_local(b, &inner, item);
        }
    else if (stmt->name[0] != '\0')
        stmt->symbol =
            add_local(b, &inner, &(bosc_nm_item){.name = stmt->name});
    b->scope = &inner;
    if (stmt->kind == BOSC_NM_FROM || stmt->kind == BOSC_NM_FOR_NETCONS) {
        ++b->loops;
        bind_body(b, &stmt->body);
        --b->loops;
        b->scope = outer;
    }
    bosc_nm_each_expr(stmt, bind_expr, b);
    b->scope = outer;
}

static void bind_stmt(binder *b, scope *here, bosc_nm_stmt *stmt)
{
    switch (stmt->kind) {
    case BOSC_NM_LOCAL:
        for (int i = 0; i < stmt->names.n; ++i) {
            bosc_nm_item *item = stmt->names.item[i];

            item->symbol = add_local(b, here, item);
        }
        return;
    case BOSC_NM_TABLE:
        return;
    case BOSC_NM_SOLVE:
        bind_solve(b, stmt);
        return;
    case BOSC_NM_FROM:
    case BOSC_NM_FOR_NETCONS:
        bind_with_name(b, stmt);
        return;
    case BOSC_NM_COMPARTMENT:
    case BOSC_NM_DIFFUSION:
        bind_with_name(b, stmt);
        bind_items(b, &stmt->names);
        return;
    case BOSC_NM_REACTION:
    case BOSC_NM_FLUX_IN:
        bind_items(b, &stmt->names);
        bind_items(b, &stmt->right);
        break;
    default:
        break;
    }
    bosc_nm_each_expr(stmt, bind_expr, b);
    if (stmt->target != NULL)
        bind_target(b, stmt);
    b->loops += stmt->kind == BOSC_NM_WHILE;
    bind_body(b, &stmt->body);
    b->loops -= stmt->kind == BOSC_NM_WHILE;
    bind_body(b, &stmt->otherwise);
}

static void bind_body(binder *b, bosc_nm_list *body)
{
    const scope *outer = b->scope;
    scope here = {.around = outer};

    b->scope = &here;
    for (int i = 0; i < body->n; ++i) {
        bosc_nm_stmt *stmt = body->item[i];

        bosc_nm_refuse_stmt(b->m, stmt);
        if (stmt->kind == BOSC_NM_BREAK && b->loops == 0)
            bosc_nm_refuse(b->m->problems, stmt->place, "",
                           "a break outside of a loop");
        if (b->routine != b->m->receive &&
            (stmt->kind == BOSC_NM_WATCH || stmt->kind == BOSC_NM_FOR_NETCONS))
            bosc_nm_refuse(b->m->problems, stmt->place, "move it there",
                           "WATCH and FOR_NETCONS belong to NET_RECEIVE");
        bind_stmt(b, &here, stmt);
    }
    b->scope = outer;
}

static void bind_routine(bosc_nm_mechanism *m, bosc_nm_symbol *routine)
{
    const bosc_nm_block *block = routine->def.block;
    scope arguments = {0};
    binder b = {.m = m, .scope = &arguments, .routine = routine};

    bosc_nm_refuse_block(m, block);
    bosc_nm_recognise(m, routine->def.block);
    for (int i = 0; i < block->arguments.n; ++i) {
        bosc_nm_symbol *s = add_local(&b, &arguments, block->arguments.item[i]);

        if (block->kind == BOSC_NM_BLOCK_NET_RECEIVE)
            s->kind = BOSC_NM_WEIGHT;
        if (s->kind == BOSC_NM_WEIGHT && strcmp(s->name, "flag") == 0)
            --arguments.symbols.n; /* the flag has that name, and no weight */
        bosc_nm_push(m->arena, &routine->def.arguments, s);
    }
    if (block->kind == BOSC_NM_BLOCK_FUNCTION)
        routine->def.result =
            bosc_nm_symbol_create(m->arena, BOSC_NM_LOCAL_OF, routine->name);
    bind_body(&b, &routine->def.block->body);
}

void bosc_nm_bind(bosc_nm_mechanism *m)
{
    bosc_nm_symbol *const entries[] = {m->initial, m->breakpoint, m->receive};

    for (size_t i = 0; i < BOSC_LEN(entries); ++i)
        if (entries[i] != NULL)
            reach(m, entries[i]);
    for (int k = 0; k < BOSC_NM_MOMENTS; ++k)
        if (m->at[k] != NULL)
            reach(m, m->at[k]);
    for (int i = 0; i < m->reached.n; ++i) /* it grows */
        bind_routine(m, m->reached.item[i]);
}
