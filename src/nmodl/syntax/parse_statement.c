/* parse_statement.c - the statements within blocks. */
#include <string.h>

#include "src/nmodl/syntax/parse.h"

static bosc_nm_stmt *parse_one(bosc_nm_parser *p);

/* A statement that begins at the token at hand. */
static bosc_nm_stmt *begin(bosc_nm_parser *p, bosc_nm_stmt_kind kind)
{
    p->operators = 0;
    return bosc_nm_stmt_create(p->arena, kind, bosc_nm_now(p)->place);
}

static bosc_nm_expr *parse_expr(bosc_nm_parser *p)
{
    p->operators = 0;
    return bosc_nm_parse_expr(p);
}

/* A condition or an argument, in its brackets. */
static bosc_nm_expr *parse_in_brackets(bosc_nm_parser *p)
{
    bosc_nm_expr *e;

    if (!bosc_nm_expect(p, "("))
        return NULL;
    e = parse_expr(p);
    return e == NULL || !bosc_nm_expect(p, ")") ? NULL : e;
}

bool bosc_nm_parse_body(bosc_nm_parser *p, bosc_nm_list *body)
{
    bool good = bosc_nm_enter(p) && bosc_nm_expect(p, "{");

    while (good && !bosc_nm_take(p, "}")) {
        bosc_nm_stmt *stmt = parse_one(p);

        good = stmt != NULL;
        if (good)
            bosc_nm_push(p->arena, body, stmt);
    }
    bosc_nm_leave(p);
    return good;
}

/* "{ a b, c }" */
static bool parse_name_block(bosc_nm_parser *p, bosc_nm_list *names)
{
    if (!bosc_nm_expect(p, "{"))
        return false;
    while (!bosc_nm_take(p, "}"))
        if (!bosc_nm_take(p, ",") && !bosc_nm_parse_names(p, names))
            return false;
    return true;
}

/* ---- control ---- */

static bosc_nm_stmt *parse_if(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_IF);

    bosc_nm_advance(p);
    stmt->value = parse_in_brackets(p);
    if (stmt->value == NULL || !bosc_nm_parse_body(p, &stmt->body))
        return NULL;
    if (!bosc_nm_take(p, "ELSE") && !bosc_nm_take(p, "else"))
        return stmt;
    if (!bosc_nm_at(p, "IF") && !bosc_nm_at(p, "if"))
        return bosc_nm_parse_body(p, &stmt->otherwise) ? stmt : NULL;

    bosc_nm_stmt *next = bosc_nm_enter(p) ? parse_if(p) : NULL;

    bosc_nm_leave(p);
    if (next == NULL)
        return NULL;
    bosc_nm_push(p->arena, &stmt->otherwise, next);
    return stmt;
}

static bosc_nm_stmt *parse_while(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_WHILE);

    bosc_nm_advance(p);
    stmt->value = parse_in_brackets(p);
    return stmt->value != NULL && bosc_nm_parse_body(p, &stmt->body) ? stmt
                                                                     : NULL;
}

static bosc_nm_stmt *parse_from(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_FROM);

    bosc_nm_advance(p);
    if ((stmt->name = bosc_nm_take_name(p, "a name")) == NULL ||
        !bosc_nm_expect(p, "=") || (stmt->value = parse_expr(p)) == NULL ||
        !bosc_nm_expect(p, "TO") || (stmt->to = parse_expr(p)) == NULL)
        return NULL;
    if (bosc_nm_take(p, "BY") && (stmt->by = parse_expr(p)) == NULL)
        return NULL;
    return bosc_nm_parse_body(p, &stmt->body) ? stmt : NULL;
}

static bosc_nm_stmt *parse_block_statement(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_BLOCK);

    return bosc_nm_parse_body(p, &stmt->body) ? stmt : NULL;
}

/* INITIAL of a NET_RECEIVE. */
static bosc_nm_stmt *parse_initial(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_INITIAL);

    bosc_nm_advance(p);
    return bosc_nm_parse_body(p, &stmt->body) ? stmt : NULL;
}

/* ---- declarations and solvers ---- */

static bosc_nm_stmt *parse_local(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_LOCAL);

    bosc_nm_advance(p);
    return bosc_nm_parse_names(p, &stmt->names) ? stmt : NULL;
}

static bosc_nm_stmt *parse_table(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_TABLE);

    bosc_nm_advance(p);
    if (!bosc_nm_at(p, "DEPEND") && !bosc_nm_at(p, "FROM") &&
        !bosc_nm_parse_names(p, &stmt->names))
        return NULL;
    if (bosc_nm_take(p, "DEPEND") &&
        !bosc_nm_parse_names(p, &(bosc_nm_list){0}))
        return NULL;
    if (!bosc_nm_expect(p, "FROM") || parse_expr(p) == NULL ||
        !bosc_nm_expect(p, "TO") || parse_expr(p) == NULL ||
        !bosc_nm_expect(p, "WITH") || parse_expr(p) == NULL)
        return NULL;
    return stmt;
}

static bosc_nm_stmt *parse_solve(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_SOLVE);
    bosc_nm_list unused = {0};

    bosc_nm_advance(p);
    stmt->name = bosc_nm_take_name(p, "the name of a block");
    if (stmt->name == NULL)
        return NULL;
    if (bosc_nm_take(p, "STEADYSTATE"))
        stmt->steady = true;
    else if (!bosc_nm_take(p, "METHOD") && !bosc_nm_take(p, "USING"))
        return stmt;
    stmt->method = bosc_nm_take_name(p, "a method");
    if (stmt->method == NULL)
        return NULL;
    if (bosc_nm_take(p, "IFERROR") && !bosc_nm_parse_body(p, &unused))
        return NULL;
    return stmt;
}

/* CONDUCTANCE g USEION k: slopes are derived, so it is not needed. */
static bosc_nm_stmt *parse_conductance(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_BLOCK);

    bosc_nm_advance(p);
    if (bosc_nm_take_name(p, "a conductance") == NULL ||
        (bosc_nm_take(p, "USEION") &&
         bosc_nm_take_name(p, "the name of an ion") == NULL))
        return NULL;
    return stmt;
}

/* COMPARTMENT and LONGITUDINAL_DIFFUSION: [index ,] size { names }. */
static bosc_nm_stmt *parse_sized(bosc_nm_parser *p)
{
    const bool diffusion = bosc_nm_at(p, "LONGITUDINAL_DIFFUSION");
    bosc_nm_stmt *stmt =
        begin(p, diffusion ? BOSC_NM_DIFFUSION : BOSC_NM_COMPARTMENT);

    bosc_nm_advance(p);
    if (bosc_nm_now(p)->kind == BOSC_NM_WORD &&
        strcmp(bosc_nm_ahead(p, 1)->text, ",") == 0) {
        stmt->name = bosc_nm_now(p)->text;
        p->at += 2;
    }
    stmt->value = parse_expr(p);
    return stmt->value != NULL && parse_name_block(p, &stmt->names) ? stmt
                                                                    : NULL;
}

/* value = to */
static bosc_nm_stmt *parse_sides(bosc_nm_parser *p, bosc_nm_stmt *stmt)
{
    return (stmt->value = parse_expr(p)) != NULL && bosc_nm_expect(p, "=") &&
                   (stmt->to = parse_expr(p)) != NULL
               ? stmt
               : NULL;
}

static bosc_nm_stmt *parse_conserve(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_CONSERVE);

    bosc_nm_advance(p);
    return parse_sides(p, stmt);
}

/* ---- reactions and equations ---- */

/* "A + 2 B[i]" */
static bool parse_side(bosc_nm_parser *p, bosc_nm_list *side)
{
    do {
        bosc_nm_item *item = bosc_nm_new(p->arena, 1, sizeof *item);

        item->place = bosc_nm_now(p)->place;
        item->times = 1;
        if (bosc_nm_now(p)->kind == BOSC_NM_DIGITS &&
            !bosc_nm_take_number(p, &item->times))
            return false;
        if ((item->name = bosc_nm_take_name(p, "a state")) == NULL)
            return false;
        if (bosc_nm_take(p, "[") &&
            ((item->index = parse_expr(p)) == NULL || !bosc_nm_expect(p, "]")))
            return false;
        bosc_nm_push(p->arena, side, item);
    } while (bosc_nm_take(p, "+"));
    return true;
}

/* The sign that tells what stands behind '~': "" where there is none. */
static const char *find_arrow(const bosc_nm_parser *p)
{
    static const char *const arrows[] = {"<->", "<<", "->", "="};

    for (int k = p->at; k < p->n; ++k) {
        const bosc_nm_token *token = p->token[k];

        if (token->kind == BOSC_NM_SIGN &&
            (strcmp(token->text, "~") == 0 || strcmp(token->text, "}") == 0))
            break;
        for (size_t i = 0; i < BOSC_LEN(arrows); ++i)
            if (token->kind == BOSC_NM_SIGN &&
                strcmp(token->text, arrows[i]) == 0)
                return arrows[i];
    }
    return "";
}

static bosc_nm_stmt *parse_reaction(bosc_nm_parser *p)
{
    ++p->at; /* ~ */

    const char *arrow = find_arrow(p);
    bosc_nm_stmt *stmt =
        begin(p, strcmp(arrow, "<<") == 0 ? BOSC_NM_FLUX_IN : BOSC_NM_REACTION);

    if (strcmp(arrow, "=") == 0)
        return parse_sides(p, begin(p, BOSC_NM_LINEAR));
    if (arrow[0] == '\0') {
        bosc_nm_unexpected(p, "a reaction: A <-> B (f, b), A << (f), A -> (f)");
        return NULL;
    }
    if (!parse_side(p, &stmt->names) || !bosc_nm_expect(p, arrow))
        return NULL;
    if (strcmp(arrow, "<->") == 0 && !parse_side(p, &stmt->right))
        return NULL;
    if (!bosc_nm_expect(p, "(") || (stmt->value = parse_expr(p)) == NULL)
        return NULL;
    if (strcmp(arrow, "<->") == 0 &&
        (!bosc_nm_expect(p, ",") || (stmt->to = parse_expr(p)) == NULL))
        return NULL;
    return bosc_nm_expect(p, ")") ? stmt : NULL;
}

/* ---- events ---- */

/* WATCH (v > a) 1, (v < b) 2: a block of one statement each. */
static bosc_nm_stmt *parse_watch(bosc_nm_parser *p)
{
    bosc_nm_stmt *all = begin(p, BOSC_NM_BLOCK);

    bosc_nm_advance(p);
    do {
        bosc_nm_stmt *stmt = begin(p, BOSC_NM_WATCH);

        if ((stmt->value = parse_in_brackets(p)) == NULL ||
            (stmt->to = parse_expr(p)) == NULL)
            return NULL;
        bosc_nm_push(p->arena, &all->body, stmt);
    } while (bosc_nm_take(p, ","));
    return all;
}

static bosc_nm_stmt *parse_for_netcons(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_FOR_NETCONS);

    bosc_nm_advance(p);
    if (!bosc_nm_expect(p, "(") || !bosc_nm_parse_names(p, &stmt->names) ||
        !bosc_nm_expect(p, ")"))
        return NULL;
    return bosc_nm_parse_body(p, &stmt->body) ? stmt : NULL;
}

/* ---- the rest ---- */

static bosc_nm_stmt *parse_code(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_CODE);

    stmt->name = bosc_nm_now(p)->text;
    bosc_nm_advance(p);
    return stmt;
}

/* A statement of a language that nobody uses any more: its line is left out,
 * and the model refuses it. */
static bosc_nm_stmt *parse_other(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_OTHER);

    stmt->name = bosc_nm_now(p)->text;
    do
        bosc_nm_advance(p);
    while (!bosc_nm_now(p)->first && bosc_nm_now(p)->kind != BOSC_NM_END &&
           !bosc_nm_at(p, "}"));
    return stmt;
}

static bosc_nm_stmt *parse_assignment(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_ASSIGN);
    const bosc_nm_token *name = bosc_nm_now(p);
    bosc_nm_expr *index = NULL;

    if (bosc_nm_take_name(p, "a statement") == NULL)
        return NULL;
    if (bosc_nm_take(p, "[") &&
        ((index = parse_expr(p)) == NULL || !bosc_nm_expect(p, "]")))
        return NULL;
    stmt->target =
        bosc_nm_node(p->arena, BOSC_NM_NAME, index != NULL, name->place);
    stmt->target->name = name->text;
    if (index != NULL)
        stmt->target->arg[0] = index;
    if (bosc_nm_take(p, "'"))
        stmt->kind = BOSC_NM_EQUATION;
    if (bosc_nm_at(p, "'")) {
        bosc_nm_refuse(p->problems, name->place,
                       "write it as two equations of first order",
                       "a second derivative");
        return NULL;
    }
    if (!bosc_nm_expect(p, "=") || (stmt->value = parse_expr(p)) == NULL)
        return NULL;
    return stmt;
}

static bosc_nm_stmt *parse_call(bosc_nm_parser *p)
{
    bosc_nm_stmt *stmt = begin(p, BOSC_NM_DO);

    stmt->value = bosc_nm_parse_expr(p);
    if (stmt->value == NULL)
        return NULL;
    if (stmt->value->kind != BOSC_NM_CALL) {
        bosc_nm_refuse(p->problems, stmt->place, "",
                       "an expression where a statement is expected");
        return NULL;
    }
    return stmt;
}

static bosc_nm_stmt *parse_one(bosc_nm_parser *p)
{
    static const struct {
        const char *word;
        bosc_nm_stmt *(*parse)(bosc_nm_parser *p);
    } words[] = {
        {"IF", parse_if},
        {"if", parse_if},
        {"WHILE", parse_while},
        {"while", parse_while},
        {"FROM", parse_from},
        {"LOCAL", parse_local},
        {"TABLE", parse_table},
        {"SOLVE", parse_solve},
        {"CONDUCTANCE", parse_conductance},
        {"COMPARTMENT", parse_sized},
        {"LONGITUDINAL_DIFFUSION", parse_sized},
        {"CONSERVE", parse_conserve},
        {"WATCH", parse_watch},
        {"FOR_NETCONS", parse_for_netcons},
        {"INITIAL", parse_initial},
        {"LAG", parse_other},
        {"RESET", parse_other},
        {"MATCH", parse_other},
        {"SENS", parse_other},
        {"FORALL", parse_other},
        {"{", parse_block_statement},
        {"~", parse_reaction},
    };

    if (bosc_nm_now(p)->kind == BOSC_NM_C_CODE)
        return parse_code(p);
    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (bosc_nm_at(p, words[i].word))
            return words[i].parse(p);
    if (bosc_nm_now(p)->kind == BOSC_NM_WORD &&
        strcmp(bosc_nm_ahead(p, 1)->text, "(") == 0)
        return parse_call(p);
    return parse_assignment(p);
}
