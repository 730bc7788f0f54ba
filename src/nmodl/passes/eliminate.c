/* eliminate.c - Gauss elimination of a small system, written out, the rounds of
 * Newton's method around it, and what follows from the states that these find.
 *
 * Pivots are those of the diagonal; rows are swapped only where a pivot is
 * known to be 0.  The matrices of implicit steps, 1 - dt J, have large
 * diagonals.
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/solve.h"

/* Keep a value in a symbol of its own, if it is not simple. */
static bosc_nm_expr *keep(bosc_nm_arena *arena, bosc_nm_list *out,
                          const char *name, bosc_nm_expr *value)
{
    bosc_nm_symbol *s;

    if (value->kind == BOSC_NM_NUMBER || value->kind == BOSC_NM_NAME)
        return value;
    s = bosc_nm_fresh(arena, name);
    bosc_nm_assign(arena, out, s, value);
    return bosc_nm_use(arena, s);
}

/* a - f b; NULL is 0. */
static bosc_nm_expr *reduce(bosc_nm_arena *arena, bosc_nm_expr *a,
                            bosc_nm_expr *f, bosc_nm_expr *b)
{
    bosc_nm_expr *fb = bosc_nm_fold(arena, BOSC_NM_MULTIPLY, f, b);

    return bosc_nm_fold(arena, BOSC_NM_SUBTRACT,
                        a == NULL ? bosc_nm_number(arena, 0) : a, fb);
}

static bool find_pivot(bosc_nm_system *s, int k)
{
    int row = k;

    while (row < s->n && s->matrix[row * s->n + k] == NULL)
        ++row;
    if (row == s->n)
        return false;
    if (row == k)
        return true;
    for (int j = 0; j < s->n; ++j) {
        bosc_nm_expr *swapped = s->matrix[k * s->n + j];

        s->matrix[k * s->n + j] = s->matrix[row * s->n + j];
        s->matrix[row * s->n + j] = swapped;
    }

    bosc_nm_expr *right = s->right[k];

    s->right[k] = s->right[row];
    s->right[row] = right;
    return true;
}

/* a over pivot k, by its reciprocal where there is one. */
static bosc_nm_expr *over_pivot(const bosc_nm_system *s, bosc_nm_expr *a, int k)
{
    return s->per == NULL
               ? bosc_nm_fold(s->arena, BOSC_NM_DIVIDE, a,
                              s->matrix[k * s->n + k])
               : bosc_nm_fold(s->arena, BOSC_NM_MULTIPLY, a, s->per[k]);
}

/* Take row k, as often as needed, from row i. */
static void subtract_row(bosc_nm_system *s, int i, int k, bosc_nm_list *out)
{
    bosc_nm_expr **from = s->matrix + k * s->n, **row = s->matrix + i * s->n;
    bosc_nm_expr *f = keep(s->arena, out, "f", over_pivot(s, row[k], k));

    row[k] = NULL;
    for (int j = k + 1; j < s->n; ++j)
        if (from[j] != NULL)
            row[j] =
                keep(s->arena, out, "a", reduce(s->arena, row[j], f, from[j]));
    s->right[i] =
        keep(s->arena, out, "b", reduce(s->arena, s->right[i], f, s->right[k]));
}

/* ---- the order ---- */

/* How many elements an elimination of unknown k touches (Markowitz, 1957):
 * those of its row times those of its column, beside the diagonal. */
static int count_touched(const bool *has, int n, const bool *gone, int k)
{
    int row = 0, column = 0;

    for (int j = 0; j < n; ++j)
        if (!gone[j] && j != k) {
            row += has[k * n + j];
            column += has[j * n + k];
        }
    return row * column;
}

/* The unknown to be eliminated next; the first one of several, and where the
 * rest of the diagonal is 0. */
static int choose_next(const bool *has, int n, const bool *gone)
{
    int best = -1, least = 0;

    for (int k = 0; k < n; ++k) {
        const int touched =
            gone[k] || !has[k * n + k] ? -1 : count_touched(has, n, gone, k);

        if (touched >= 0 && (best < 0 || touched < least)) {
            best = k;
            least = touched;
        }
    }
    for (int k = 0; best < 0; ++k)
        if (!gone[k])
            best = k;
    return best;
}

static void fill_in(bool *has, int n, const bool *gone, int k)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; !gone[i] && has[i * n + k] && j < n; ++j)
            if (!gone[j] && has[k * n + j])
                has[i * n + j] = true;
}

void bosc_nm_arrange(bosc_nm_system *s)
{
    const int n = s->n;
    const size_t many = (size_t)n;
    bool *has = bosc_nm_new(s->arena, many * many, sizeof *has);
    bool *gone = bosc_nm_new(s->arena, many, sizeof *gone);
    bosc_nm_expr **matrix =
        bosc_nm_new(s->arena, many * many, sizeof(bosc_nm_expr *));
    bosc_nm_expr **right = bosc_nm_new(s->arena, many, sizeof(bosc_nm_expr *));

    if (s->steady)
        return;
    for (int i = 0; i < n * n; ++i)
        has[i] = s->matrix[i] != NULL && !bosc_nm_is(s->matrix[i], 0);
    s->order = bosc_nm_new(s->arena, many, sizeof *s->order);
    for (int k = 0; k < n; ++k) {
        s->order[k] = choose_next(has, n, gone);
        gone[s->order[k]] = true;
        fill_in(has, n, gone, s->order[k]);
    }
    for (int i = 0; i < n; ++i) {
        right[i] = s->right[s->order[i]];
        for (int j = 0; j < n; ++j)
            matrix[i * n + j] = s->matrix[s->order[i] * n + s->order[j]];
    }
    s->matrix = matrix;
    s->right = right;
    s->per = bosc_nm_new(s->arena, many, sizeof(bosc_nm_expr *));
}

/* The solution as the unknowns were given. */
static void rearrange(bosc_nm_system *s)
{
    bosc_nm_expr **right =
        bosc_nm_new(s->arena, (size_t)s->n, sizeof(bosc_nm_expr *));

    for (int k = 0; k < s->n; ++k)
        right[s->order[k]] = s->right[k];
    s->right = right;
}

bool bosc_nm_eliminate(bosc_nm_system *s, bosc_nm_list *out)
{
    for (int k = 0; k < s->n * s->n; ++k)
        if (s->matrix[k] != NULL)
            s->matrix[k] = bosc_nm_is(s->matrix[k], 0)
                               ? NULL
                               : keep(s->arena, out, "a", s->matrix[k]);
    for (int k = 0; k < s->n; ++k)
        s->right[k] = keep(s->arena, out, "b", s->right[k]);
    for (int k = 0; k < s->n; ++k) {
        if (!find_pivot(s, k))
            return false;
        if (s->per != NULL)
            s->per[k] = keep(s->arena, out, "per",
                             bosc_nm_fold(s->arena, BOSC_NM_DIVIDE,
                                          bosc_nm_number(s->arena, 1),
                                          s->matrix[k * s->n + k]));
        for (int i = k + 1; i < s->n; ++i)
            if (s->matrix[i * s->n + k] != NULL)
                subtract_row(s, i, k, out);
    }
    for (int k = s->n - 1; k >= 0; --k) {
        bosc_nm_expr **row = s->matrix + k * s->n, *b = s->right[k];

        for (int j = k + 1; j < s->n; ++j)
            if (row[j] != NULL)
                b = reduce(s->arena, b, row[j], s->right[j]);
        s->right[k] = keep(s->arena, out, "x", over_pivot(s, b, k));
    }
    if (s->order != NULL)
        rearrange(s);
    return true;
}

/* ---- rounds ---- */

/* Who writes what of the body of the rounds. */
typedef struct lifter {
    bosc_nm_set exposed; /* what a round reads of the one before */
    bosc_nm_set written; /* by what is left of the body */
    bosc_nm_set several; /* by more than one of its statements */
    bosc_nm_set here;    /* by the statement that is looked at */
} lifter;

typedef void visitor(lifter *l, const bosc_nm_symbol *s);

/* Call 'visit' for each symbol that a statement assigns to, in an IF too. */
static void each_target(lifter *l, const bosc_nm_stmt *stmt, visitor *visit)
{
    if (stmt->target != NULL)
        visit(l, stmt->target->symbol);
    for (int i = 0; i < stmt->body.n; ++i)
        each_target(l, stmt->body.item[i], visit);
    for (int i = 0; i < stmt->otherwise.n; ++i)
        each_target(l, stmt->otherwise.item[i], visit);
}

static void note(lifter *l, const bosc_nm_symbol *s)
{
    if (bosc_nm_set_has(&l->written, s) && !bosc_nm_set_has(&l->here, s))
        bosc_nm_set_add(&l->several, s);
    bosc_nm_set_add(&l->written, s);
    bosc_nm_set_add(&l->here, s);
}

static void leave(lifter *l, const bosc_nm_symbol *s)
{
    bosc_nm_set_remove(&l->here, s);
}

static void take_off(lifter *l, const bosc_nm_symbol *s)
{
    bosc_nm_set_remove(&l->written, s);
}

static bool uses_any(const bosc_nm_expr *e, const bosc_nm_set *set)
{
    if (e == NULL)
        return false;
    if (e->kind == BOSC_NM_NAME && bosc_nm_set_has(set, e->symbol))
        return true;
    for (int i = 0; i < e->n; ++i)
        if (uses_any(e->arg[i], set))
            return true;
    return false;
}

/* Has a statement the same effect in all rounds? */
static bool is_same(const lifter *l, const bosc_nm_stmt *stmt)
{
    if ((stmt->kind != BOSC_NM_ASSIGN && stmt->kind != BOSC_NM_IF) ||
        uses_any(stmt->value, &l->written))
        return false;
    if (stmt->kind == BOSC_NM_ASSIGN)
        return stmt->target->n == 0 &&
               !bosc_nm_set_has(&l->several, stmt->target->symbol) &&
               !bosc_nm_set_has(&l->exposed, stmt->target->symbol);
    for (int i = 0; i < stmt->body.n; ++i)
        if (!is_same(l, stmt->body.item[i]))
            return false;
    for (int i = 0; i < stmt->otherwise.n; ++i)
        if (!is_same(l, stmt->otherwise.item[i]))
            return false;
    return true;
}

/* Move what is the same in all rounds to 'out'. */
static void lift(bosc_nm_arena *arena, bosc_nm_list *body, bosc_nm_list *out)
{
    const bosc_nm_set none = {.arena = arena};
    lifter l = {none, none, none, none};
    bosc_nm_set sure = none, written = none;
    int kept = 0;

    bosc_nm_exposed(body, &sure, &l.exposed, &written);
    for (int i = 0; i < body->n; ++i) {
        each_target(&l, body->item[i], note);
        each_target(&l, body->item[i], leave);
    }
    for (int i = 0; i < body->n; ++i) {
        bosc_nm_stmt *stmt = body->item[i];

        if (is_same(&l, stmt)) {
            each_target(&l, stmt, take_off);
            bosc_nm_push(arena, out, stmt);
        } else {
            body->item[kept++] = stmt;
        }
    }
    body->n = kept;
}

static void revive(bosc_nm_set *dead, const bosc_nm_expr *e)
{
    if (e != NULL && e->kind == BOSC_NM_NAME)
        bosc_nm_set_remove(dead, e->symbol);
    for (int i = 0; e != NULL && i < e->n; ++i)
        revive(dead, e->arg[i]);
}

static void revive_all(bosc_nm_set *dead, const bosc_nm_stmt *stmt)
{
    revive(dead, stmt->value);
    revive(dead, stmt->to);
    revive(dead, stmt->target);
    for (int i = 0; i < stmt->body.n; ++i)
        revive_all(dead, stmt->body.item[i]);
    for (int i = 0; i < stmt->otherwise.n; ++i)
        revive_all(dead, stmt->otherwise.item[i]);
}

/* Leave out what is assigned anew before anything reads it: tangents begin as
 * 0. */
static void drop_dead(bosc_nm_arena *arena, bosc_nm_list *body)
{
    bosc_nm_set dead = {.arena = arena};
    int kept = body->n;

    for (int i = body->n - 1; i >= 0; --i) {
        bosc_nm_stmt *stmt = body->item[i];
        const bool assigns =
            stmt->kind == BOSC_NM_ASSIGN && stmt->target->n == 0;

        if (assigns && bosc_nm_set_has(&dead, stmt->target->symbol))
            continue;
        if (assigns) {
            bosc_nm_set_add(&dead, stmt->target->symbol);
            revive(&dead, stmt->value);
        } else {
            revive_all(&dead, stmt);
        }
        body->item[--kept] = stmt;
    }
    body->n -= kept;
    for (int i = 0; i < body->n; ++i)
        body->item[i] = body->item[kept + i];
}

/* 1 where a state has moved by more than is close, or one before it has. */
static bosc_nm_expr *moved_by(bosc_nm_arena *arena, bosc_nm_expr *moved,
                              bosc_nm_expr *change, bosc_nm_symbol *state)
{
    bosc_nm_expr *e = bosc_nm_node(arena, BOSC_NM_CALL, 3, change->place);

    e->name = "#moved";
    e->arg[0] = moved;
    e->arg[1] = change;
    e->arg[2] = bosc_nm_use(arena, state);
    return e;
}

void bosc_nm_repeat(const bosc_nm_system *s, const bosc_nm_list *states,
                    bosc_nm_list *body, bosc_nm_list *out)
{
    const bosc_nm_place none = {NULL, 0, 0};
    bosc_nm_arena *arena = s->arena;
    bosc_nm_stmt *rounds = bosc_nm_stmt_create(arena, BOSC_NM_BLOCK, none);
    bosc_nm_stmt *end = bosc_nm_stmt_create(arena, BOSC_NM_IF, none);
    bosc_nm_symbol *moved = bosc_nm_fresh(arena, "moved");
    bosc_nm_expr *any = bosc_nm_number(arena, 0);

    for (int k = 0; k < s->n; ++k) /* what is left of a sum has its error */
        if (!s->conserved[k])
            any = moved_by(arena, any, s->right[k], states->item[k]);
    bosc_nm_assign(arena, body, moved, any);
    end->value = bosc_nm_binary(arena, BOSC_NM_EQUAL, bosc_nm_use(arena, moved),
                                bosc_nm_number(arena, 0));
    bosc_nm_push(arena, &end->body,
                 bosc_nm_stmt_create(arena, BOSC_NM_BREAK, none));
    bosc_nm_push(arena, body, end);
    drop_dead(arena, body);
    lift(arena, body, out);
    rounds->body = *body;
    bosc_nm_push(arena, out, rounds);
}

/* ---- what follows from the states ---- */

/* What a block assigns that follows from the states, or is read by such. */
typedef struct rest {
    const bosc_nm_list *code;
    bosc_nm_set symbols;
    bool grew;
} rest;

static void add_rest(rest *r, const bosc_nm_symbol *s)
{
    r->grew = r->grew || !bosc_nm_set_has(&r->symbols, s);
    bosc_nm_set_add(&r->symbols, s);
}

static bool uses_rest(const rest *r, const bosc_nm_expr *e)
{
    bool found =
        e->kind == BOSC_NM_NAME && bosc_nm_set_has(&r->symbols, e->symbol);

    for (int i = 0; i < e->n; ++i)
        found = found || uses_rest(r, e->arg[i]);
    return found;
}

/* What is assigned once still has its value; other names are used again. */
static void add_read(rest *r, const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_NAME && bosc_nm_writes(r->code, e->symbol) > 1)
        add_rest(r, e->symbol);
    for (int i = 0; i < e->n; ++i)
        add_read(r, e->arg[i]);
}

/* True if any of the code belongs to the rest; all of what 'follows' does. */
static bool find_rest(rest *r, const bosc_nm_list *code, bool follows)
{
    bool any = false;

    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        const bosc_nm_expr *const read[] = {stmt->value, stmt->to,
                                            stmt->target};
        bool touched = follows, found;

        for (size_t k = 0; k < 2; ++k)
            touched = touched || (read[k] != NULL && uses_rest(r, read[k]));
        if (stmt->kind == BOSC_NM_ASSIGN && touched)
            add_rest(r, stmt->target->symbol);
        found = stmt->kind == BOSC_NM_ASSIGN &&
                bosc_nm_set_has(&r->symbols, stmt->target->symbol);
        found = find_rest(r, &stmt->body, touched) || found;
        found = find_rest(r, &stmt->otherwise, touched) || found;
        for (size_t k = 0; found && k < BOSC_LEN(read); ++k)
            if (read[k] != NULL)
                add_read(r, read[k]);
        any = any || found;
    }
    return any;
}

static void keep_rest(const rest *r, bosc_nm_list *code)
{
    int n = 0;

    for (int i = 0; i < code->n; ++i) {
        bosc_nm_stmt *stmt = code->item[i];

        keep_rest(r, &stmt->body);
        keep_rest(r, &stmt->otherwise);
        if (stmt->kind == BOSC_NM_ASSIGN
                ? bosc_nm_set_has(&r->symbols, stmt->target->symbol)
                : stmt->body.n + stmt->otherwise.n > 0)
            code->item[n++] = stmt;
    }
    code->n = n;
}

void bosc_nm_assign_rest(const bosc_nm_mechanism *m, const bosc_nm_list *states,
                         const bosc_nm_list *code, bosc_nm_list *out)
{
    rest r = {.code = code, .symbols = {.arena = m->arena}};
    bosc_nm_list again = {0};

    if (m->drawn != NULL && bosc_nm_writes(code, m->drawn))
        return;
    for (int k = 0; k < states->n; ++k)
        add_rest(&r, states->item[k]);
    while (r.grew) {
        r.grew = false;
        find_rest(&r, code, false);
    }
    bosc_nm_copy_code(m->arena, code, &again);
    keep_rest(&r, &again);
    bosc_nm_append(m->arena, out, &again);
}
