/* c_statement.c - statements of C of VERBATIM. */
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/model/c_parse.h"

/* ---- statements ---- */

static bool parse_statement(bosc_nm_c *c, bosc_nm_list *out);

static bosc_nm_stmt *add(bosc_nm_c *c, bosc_nm_list *out,
                         bosc_nm_stmt_kind kind)
{
    bosc_nm_stmt *stmt = bosc_nm_stmt_create(c->arena, kind, c->place);

    bosc_nm_push(c->arena, out, stmt);
    return stmt;
}

static void assign(bosc_nm_c *c, bosc_nm_list *out, bosc_nm_expr *target,
                   bosc_nm_expr *e)
{
    bosc_nm_stmt *stmt = add(c, out, BOSC_NM_ASSIGN);

    stmt->target = target;
    stmt->value = e;
}

static bosc_nm_expr *element(bosc_nm_c *c, const char *array, int k)
{
    bosc_nm_expr *e = bosc_nm_node(c->arena, BOSC_NM_NAME, 1, c->place);

    e->name = array;
    e->arg[0] = bosc_nm_number(c->arena, k);
    return e;
}

/* "x", "x = 1", "a[2] = {1, 2}" behind a type.  Each starts as 0, so that no
 * value of an earlier call is kept for it. */
static bool parse_declared(bosc_nm_c *c, bosc_nm_c_type type, bool constant,
                           bosc_nm_list *out)
{
    const bool pointer = bosc_nm_c_take(c, "*");
    bosc_nm_c_name *n = bosc_nm_new(c->arena, 1, sizeof *n);
    bosc_nm_item *item = bosc_nm_new(c->arena, 1, sizeof *item);
    bosc_nm_c_value x = {bosc_nm_number(c->arena, 0), true};
    int k = 0;

    n->name = item->name = bosc_nm_c_take_word(c);
    n->type = pointer    ? BOSC_NM_C_POINTER
              : constant ? BOSC_NM_C_CONSTANT
                         : type;
    item->unit = "";
    item->place = c->place;
    if (n->name == NULL)
        return bosc_nm_c_fail(c);
    if (bosc_nm_c_take(c, "(")) { /* a prototype */
        c->text = bosc_nm_c_behind_bracket(c->text - 1);
        return true;
    }
    bosc_nm_push(c->arena, &c->names, n);
    if (pointer)
        return bosc_nm_c_sees(c, ",") || bosc_nm_c_sees(c, ";") ||
               bosc_nm_c_fail(c);
    if (bosc_nm_c_take(c, "[")) {
        item->size = (int)strtol(c->text, (char **)&c->text, 10);
        if (item->size < 1 || !bosc_nm_c_expect(c, "]"))
            return bosc_nm_c_fail(c);
    }
    bosc_nm_push(c->arena, &add(c, out, BOSC_NM_LOCAL)->names, item);
    if (item->size == 0) {
        if (bosc_nm_c_take(c, "="))
            x = bosc_nm_c_parse_value(c);
        if (x.e == NULL)
            return false;
        assign(c, out, bosc_nm_c_use(c, n->name),
               type == BOSC_NM_C_INT ? bosc_nm_c_cut(c, x).e : x.e);
        return true;
    }
    if (bosc_nm_c_take(c, "=")) {
        if (!bosc_nm_c_expect(c, "{"))
            return false;
        do {
            x = bosc_nm_c_parse_value(c);
            if (x.e == NULL || k == item->size)
                return bosc_nm_c_fail(c);
            assign(c, out, element(c, n->name, k++), x.e);
        } while (bosc_nm_c_take(c, ","));
        if (!bosc_nm_c_expect(c, "}"))
            return false;
    }
    for (; k < item->size; ++k)
        assign(c, out, element(c, n->name, k), bosc_nm_number(c->arena, 0));
    return true;
}

/* "double x, *p, a[3] = {1, 2, 3};" */
static bool parse_declaration(bosc_nm_c *c, bosc_nm_c_type type, bool constant,
                              bosc_nm_list *out)
{
    do {
        if (!parse_declared(c, type, constant, out))
            return false;
    } while (bosc_nm_c_take(c, ","));
    return bosc_nm_c_expect(c, ";");
}

/* "x = 1", "x += 1", "++x", "f(x)"; without what ends it. */
static bool parse_action(bosc_nm_c *c, bosc_nm_list *out)
{
    static const struct {
        const char *text;
        bosc_nm_op op;
    } changes[] = {{"+=", BOSC_NM_ADD},
                   {"-=", BOSC_NM_SUBTRACT},
                   {"*=", BOSC_NM_MULTIPLY},
                   {"/=", BOSC_NM_DIVIDE}};
    const bool up = bosc_nm_c_take(c, "++"),
               down = !up && bosc_nm_c_take(c, "--");
    const char *start = c->text = bosc_nm_c_skip_blank(c->text);
    bosc_nm_c_value target = {NULL, false};
    bosc_nm_c_value x = {bosc_nm_number(c->arena, 1), true};
    bosc_nm_op op = down ? BOSC_NM_SUBTRACT : BOSC_NM_ADD;
    bool sets = false;
    const bosc_nm_c_name *known;

    if (bosc_nm_c_word_length(start) > 0)
        target = bosc_nm_c_parse_name(c);
    if (target.e == NULL)
        return bosc_nm_c_fail(c);
    if (target.e->kind == BOSC_NM_CALL && !up && !down) {
        add(c, out, BOSC_NM_DO)->value = target.e;
        return true;
    }
    known = bosc_nm_c_find(c, target.e->name);
    if (target.e->kind != BOSC_NM_NAME ||
        (known != NULL && known->type == BOSC_NM_C_CONSTANT)) {
        c->text = start;
        return bosc_nm_c_fail(c);
    }
    if (!up && !down && !bosc_nm_c_take(c, "++")) {
        if (bosc_nm_c_take(c, "--")) {
            op = BOSC_NM_SUBTRACT;
        } else {
            size_t i = 0;

            while (i < BOSC_LEN(changes) && !bosc_nm_c_take(c, changes[i].text))
                ++i;
            sets = i == BOSC_LEN(changes);
            op = sets ? op : changes[i].op;
            if (sets && !bosc_nm_c_expect(c, "="))
                return false;
            x = bosc_nm_c_parse_value(c);
        }
    }
    if (x.e == NULL)
        return false;
    if (!sets)
        x = (bosc_nm_c_value){bosc_nm_binary(c->arena, op, target.e, x.e),
                              target.whole && x.whole && op != BOSC_NM_DIVIDE};
    assign(c, out, target.e, target.whole ? bosc_nm_c_cut(c, x).e : x.e);
    return true;
}

static bool parse_condition(bosc_nm_c *c, bosc_nm_expr **out)
{
    if (!bosc_nm_c_expect(c, "("))
        return false;
    *out = bosc_nm_c_parse_value(c).e;
    return *out != NULL && bosc_nm_c_expect(c, ")");
}

static bool parse_if(bosc_nm_c *c, bosc_nm_list *out)
{
    bosc_nm_stmt *stmt = add(c, out, BOSC_NM_IF);

    if (!parse_condition(c, &stmt->value) || !parse_statement(c, &stmt->body))
        return false;
    return !bosc_nm_c_take(c, "else") || parse_statement(c, &stmt->otherwise);
}

/* "i = 0, j = 1", up to that end. */
static bool parse_actions(bosc_nm_c *c, const char *end, bosc_nm_list *out)
{
    while (!bosc_nm_c_sees(c, end)) {
        if (!parse_action(c, out))
            return false;
        if (!bosc_nm_c_take(c, ",") && !bosc_nm_c_sees(c, end))
            return bosc_nm_c_fail(c);
    }
    return bosc_nm_c_take(c, end);
}

/* for (start; while; step) body -> start WHILE (while) { body step } */
static bool parse_for(bosc_nm_c *c, bosc_nm_list *out)
{
    bosc_nm_list step = {0};
    bosc_nm_stmt *loop;
    bool constant, outside;
    bosc_nm_c_type type;

    if (!bosc_nm_c_expect(c, "("))
        return false;
    if (bosc_nm_c_take_type(c, &type, &constant, &outside)
            ? !parse_declaration(c, type, constant, out)
            : !parse_actions(c, ";", out))
        return false;
    loop = add(c, out, BOSC_NM_WHILE);
    loop->value = bosc_nm_c_sees(c, ";") ? bosc_nm_number(c->arena, 1)
                                         : bosc_nm_c_parse_value(c).e;
    if (loop->value == NULL || !bosc_nm_c_expect(c, ";") ||
        !parse_actions(c, ")", &step) || !parse_statement(c, &loop->body))
        return false;
    for (int i = 0; i < step.n; ++i)
        bosc_nm_push(c->arena, &loop->body, step.item[i]);
    return true;
}

static bool parse_while(bosc_nm_c *c, bosc_nm_list *out)
{
    bosc_nm_stmt *loop = add(c, out, BOSC_NM_WHILE);

    return parse_condition(c, &loop->value) && parse_statement(c, &loop->body);
}

/* do body while (x); -> WHILE (1) { body IF (!x) { break } } */
static bool parse_do(bosc_nm_c *c, bosc_nm_list *out)
{
    bosc_nm_stmt *loop = add(c, out, BOSC_NM_WHILE), *leave;
    bosc_nm_expr *again;

    loop->value = bosc_nm_number(c->arena, 1);
    if (!parse_statement(c, &loop->body) || !bosc_nm_c_expect(c, "while") ||
        !parse_condition(c, &again) || !bosc_nm_c_expect(c, ";"))
        return false;
    leave = add(c, &loop->body, BOSC_NM_IF);
    leave->value = bosc_nm_unary(c->arena, BOSC_NM_NOT, again);
    add(c, &leave->body, BOSC_NM_BREAK);
    return true;
}

static bool parse_return(bosc_nm_c *c, bosc_nm_list *out)
{
    if (!bosc_nm_c_sees(c, ";")) {
        const bosc_nm_c_value x = bosc_nm_c_parse_value(c);

        if (x.e == NULL)
            return false;
        if (c->result != NULL)
            assign(c, out, bosc_nm_c_use(c, c->result), x.e);
    }
    add(c, out, BOSC_NM_RETURN);
    return bosc_nm_c_take(c, ";") || *c->text == '\0' || bosc_nm_c_fail(c);
}

static bool parse_block(bosc_nm_c *c, bosc_nm_list *out)
{
    bosc_nm_stmt *block = add(c, out, BOSC_NM_BLOCK);
    const int n = c->names.n;

    while (!bosc_nm_c_take(c, "}"))
        if (*c->text == '\0' || !parse_statement(c, &block->body))
            return bosc_nm_c_fail(c);
    c->names.n = n;
    return true;
}

static bool parse_statement(bosc_nm_c *c, bosc_nm_list *out)
{
    static const struct {
        const char *word;
        bool (*parse)(bosc_nm_c *c, bosc_nm_list *out);
    } kinds[] = {{"{", parse_block}, {"if", parse_if},
                 {"for", parse_for}, {"while", parse_while},
                 {"do", parse_do},   {"return", parse_return}};
    bool constant, outside;
    bosc_nm_c_type type;
    size_t n;

    c->text = bosc_nm_c_skip_blank(c->text);
    n = c->idle(c->text);
    if (n > 0) {
        c->text += n;
        return true;
    }
    for (size_t i = 0; i < BOSC_LEN(kinds); ++i)
        if (bosc_nm_c_take(c, kinds[i].word))
            return kinds[i].parse(c, out);
    if (bosc_nm_c_take(c, "break")) {
        add(c, out, BOSC_NM_BREAK);
        return bosc_nm_c_expect(c, ";");
    }
    if (bosc_nm_c_take(c, ";"))
        return true;
    if (bosc_nm_c_take_type(c, &type, &constant, &outside)) {
        bosc_nm_list none = {0};

        return parse_declaration(c, type, constant, outside ? &none : out);
    }
    return parse_action(c, out) &&
           (*c->text == '\0' || bosc_nm_c_expect(c, ";"));
}

bool bosc_nm_c_parse(bosc_nm_c *c, bosc_nm_list *out)
{
    while (*(c->text = bosc_nm_c_skip_blank(c->text)) != '\0')
        if (!parse_statement(c, out))
            return bosc_nm_c_fail(c);
    return true;
}
