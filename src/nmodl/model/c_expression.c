/* c_expression.c - expressions of C of VERBATIM. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/model/c_parse.h"
#include "src/nmodl/model/function.h"

/* ---- names ---- */

const bosc_nm_c_name *bosc_nm_c_find(const bosc_nm_c *c, const char *text)
{
    for (int i = c->names.n - 1; i >= 0; --i) {
        const bosc_nm_c_name *n = c->names.item[i];

        if (strcmp(n->name, text) == 0)
            return n;
    }
    return NULL;
}

bosc_nm_expr *bosc_nm_c_use(bosc_nm_c *c, const char *text)
{
    bosc_nm_expr *e = bosc_nm_node(c->arena, BOSC_NM_NAME, 0, c->place);

    e->name = text;
    return e;
}

/* ---- expressions ---- */

static const bosc_nm_c_value nothing = {NULL, false};

static bosc_nm_c_value not_understood(bosc_nm_c *c)
{
    bosc_nm_c_fail(c);
    return nothing;
}

/* As C cuts a number that becomes an int. */
bosc_nm_c_value bosc_nm_c_cut(bosc_nm_c *c, bosc_nm_c_value x)
{
    if (x.e == NULL || x.whole)
        return x;
    return (bosc_nm_c_value){bosc_nm_call(c->arena, "trunc", x.e), true};
}

/* Does it do more than to compute?  Then C may leave it out, behind '&&'. */
static bool acts(const bosc_nm_expr *e)
{
    if (e->kind == BOSC_NM_CALL) {
        const bosc_nm_function *known = bosc_nm_function_find(e->name);

        if (known == NULL || known->kind != BOSC_NM_MATH)
            return true;
    }
    for (int i = 0; i < e->n; ++i)
        if (acts(e->arg[i]))
            return true;
    return false;
}

/* Arguments of a call, without those that only NEURON's C has. */
static bosc_nm_c_value parse_call(bosc_nm_c *c, const char *function)
{
    bosc_nm_list arguments = {0};
    bosc_nm_expr *call;

    while (!bosc_nm_c_sees(c, ")")) {
        bosc_nm_c_value x;

        if (bosc_nm_c_take(c, "_threadargs_")) {
            bosc_nm_c_take(c, ",");
            continue;
        }
        bosc_nm_c_take(c, "_threadargscomma_");
        x = bosc_nm_c_parse_value(c);
        if (x.e == NULL)
            return nothing;
        bosc_nm_push(c->arena, &arguments, x.e);
        if (!bosc_nm_c_take(c, ",") && !bosc_nm_c_sees(c, ")"))
            return not_understood(c);
    }
    bosc_nm_c_take(c, ")");
    call = bosc_nm_node(c->arena, BOSC_NM_CALL, arguments.n, c->place);
    call->name = function;
    for (int i = 0; i < arguments.n; ++i)
        call->arg[i] = arguments.item[i];
    return (bosc_nm_c_value){call, false};
}

/* A variable, an element of one, a call.  '_lx' is the argument or LOCAL x. */
bosc_nm_c_value bosc_nm_c_parse_name(bosc_nm_c *c)
{
    const char *start = c->text, *word = bosc_nm_c_take_word(c);
    const bosc_nm_c_name *known = bosc_nm_c_find(c, word);
    bosc_nm_expr *e;

    if (bosc_nm_c_take(c, "("))
        return parse_call(c, word);
    if (known == NULL && strncmp(word, "_l", 2) == 0)
        word += 2;
    if (strcmp(word, "M_PI") == 0)
        return (bosc_nm_c_value){bosc_nm_number(c->arena, acos(-1.0)), false};
    if ((known != NULL && known->type == BOSC_NM_C_POINTER) || word[0] == '_') {
        c->text = start;
        return not_understood(c);
    }
    e = bosc_nm_c_use(c, word);
    if (bosc_nm_c_take(c, "[")) {
        const bosc_nm_c_value index = bosc_nm_c_parse_value(c);

        if (index.e == NULL || !bosc_nm_c_expect(c, "]"))
            return nothing;
        e = bosc_nm_node(c->arena, BOSC_NM_NAME, 1, c->place);
        e->name = word;
        e->arg[0] = bosc_nm_c_cut(c, index).e;
    }
    return (bosc_nm_c_value){e, known != NULL && known->type == BOSC_NM_C_INT};
}

static bosc_nm_c_value parse_number(bosc_nm_c *c)
{
    char *end;
    const double x = strtod(c->text, &end);
    const size_t n = (size_t)(end - c->text);
    const bool whole = strcspn(c->text, ".eExX") >= n;

    if (n == 0 || bosc_nm_c_is_word(*end))
        return not_understood(c);
    c->text = end;
    return (bosc_nm_c_value){bosc_nm_number(c->arena, x), whole};
}

static bosc_nm_c_value parse_unary(bosc_nm_c *c)
{
    static const char *const ints[] = {"(int)", "(long)"};
    bosc_nm_c_value x;

    for (size_t i = 0; i < BOSC_LEN(ints); ++i)
        if (bosc_nm_c_take(c, ints[i]))
            return bosc_nm_c_cut(c, parse_unary(c));
    if (bosc_nm_c_take(c, "(double)"))
        return (bosc_nm_c_value){parse_unary(c).e, false};
    if (bosc_nm_c_sees(c, "--") || bosc_nm_c_sees(c, "++"))
        return not_understood(c);
    if (bosc_nm_c_sees(c, "-") || bosc_nm_c_sees(c, "!")) {
        const bool minus = *c->text++ == '-';

        x = parse_unary(c);
        if (x.e == NULL)
            return nothing;
        return (bosc_nm_c_value){
            bosc_nm_unary(c->arena, minus ? BOSC_NM_NEGATE : BOSC_NM_NOT, x.e),
            x.whole || !minus};
    }
    if (bosc_nm_c_take(c, "+"))
        return parse_unary(c);
    if (bosc_nm_c_take(c, "(")) {
        x = bosc_nm_c_parse_value(c);
        return x.e != NULL && bosc_nm_c_expect(c, ")") ? x : nothing;
    }
    return bosc_nm_c_word_length(c->text) > 0 ? bosc_nm_c_parse_name(c)
                                              : parse_number(c);
}

/* Operators, the longer ones first; the higher the level, the tighter. */
static const struct infix {
    const char *text;
    int level;
    bosc_nm_op op;
} infixes[] = {
    {"||", 1, BOSC_NM_OR},         {"&&", 2, BOSC_NM_AND},
    {"==", 3, BOSC_NM_EQUAL},      {"!=", 3, BOSC_NM_NOT_EQUAL},
    {"<=", 4, BOSC_NM_LESS_EQUAL}, {">=", 4, BOSC_NM_GREATER_EQUAL},
    {"<", 4, BOSC_NM_LESS},        {">", 4, BOSC_NM_GREATER},
    {"+", 5, BOSC_NM_ADD},         {"-", 5, BOSC_NM_SUBTRACT},
    {"*", 6, BOSC_NM_MULTIPLY},    {"/", 6, BOSC_NM_DIVIDE},
};

static const struct infix *find_infix(bosc_nm_c *c, int level)
{
    for (size_t i = 0; i < BOSC_LEN(infixes); ++i)
        if (infixes[i].level >= level && bosc_nm_c_sees(c, infixes[i].text)) {
            const char next = c->text[strlen(infixes[i].text)];
            const char *twice = "<>+-*/";

            /* neither '<<' nor '+=' */
            if (strchr(twice, infixes[i].text[0]) != NULL &&
                infixes[i].text[1] == '\0' &&
                (next == '=' ||
                 (next == infixes[i].text[0] && next != '-' && next != '*')))
                return NULL;
            return &infixes[i];
        }
    return NULL;
}

static bosc_nm_c_value parse_binary(bosc_nm_c *c, int level)
{
    const struct infix *found;
    bosc_nm_c_value a = parse_unary(c);

    while (a.e != NULL && (found = find_infix(c, level)) != NULL) {
        bosc_nm_c_value b;
        bool whole;

        c->text += strlen(found->text);
        b = parse_binary(c, found->level + 1);
        if (b.e == NULL)
            return nothing;
        if (found->level <= 2 && acts(b.e))
            return not_understood(c);
        whole = a.whole && b.whole;
        a.e = bosc_nm_binary(c->arena, found->op, a.e, b.e);
        a.whole = whole || found->level <= 4;
        if (found->op == BOSC_NM_DIVIDE && whole)
            a = bosc_nm_c_cut(c, (bosc_nm_c_value){a.e, false});
    }
    return a;
}

/* a ? b : c and all that binds tighter. */
bosc_nm_c_value bosc_nm_c_parse_value(bosc_nm_c *c)
{
    bosc_nm_c_value condition = parse_binary(c, 1), yes, no;
    bosc_nm_expr *e;

    if (condition.e == NULL || !bosc_nm_c_take(c, "?"))
        return condition;
    yes = bosc_nm_c_parse_value(c);
    if (yes.e == NULL || !bosc_nm_c_expect(c, ":"))
        return nothing;
    no = bosc_nm_c_parse_value(c);
    if (no.e == NULL || acts(yes.e) || acts(no.e))
        return not_understood(c);
    e = bosc_nm_node(c->arena, BOSC_NM_SELECT, 3, c->place);
    e->arg[0] = condition.e;
    e->arg[1] = yes.e;
    e->arg[2] = no.e;
    return (bosc_nm_c_value){e, yes.whole && no.whole};
}
