/* parse_token.c - the parser's way over the tokens. */
#include "src/nmodl/syntax/parse.h"

#include <string.h>

#include "src/text/did_you_mean.h"

static const char *const block_words[] = {
    "NEURON",   "UNITS",       "PARAMETER",   "CONSTANT",   "ASSIGNED",
    "STATE",    "STEPPED",     "INDEPENDENT", "INITIAL",    "BREAKPOINT",
    "EQUATION", "DERIVATIVE",  "KINETIC",     "LINEAR",     "NONLINEAR",
    "DISCRETE", "FUNCTION",    "PROCEDURE",   "BEFORE",     "AFTER",
    "PLOT",     "NET_RECEIVE", "CONSTRUCTOR", "DESTRUCTOR", "FUNCTION_TABLE",
    "DEFINE",   "LOCAL",       "TERMINAL",
};

static const char *const other_keywords[] = {
    "IF",          "ELSE",        "WHILE",       "if",
    "else",        "while",       "FROM",        "TO",
    "BY",          "TABLE",       "DEPEND",      "WITH",
    "SOLVE",       "METHOD",      "STEADYSTATE", "USING",
    "CONSERVE",    "COMPARTMENT", "WATCH",       "FOR_NETCONS",
    "CONDUCTANCE", "LAG",         "RESET",       "MATCH",
    "SENS",        "SOLVEFOR",    "FORALL",      "LONGITUDINAL_DIFFUSION",
};

bool bosc_nm_begins_block(const char *word)
{
    return bosc_is_among(word, BOSC_LEN(block_words), block_words);
}

/* True for all words that cannot be the name of a variable. */
static bool is_keyword(const char *word)
{
    return bosc_nm_begins_block(word) ||
           bosc_is_among(word, BOSC_LEN(other_keywords), other_keywords);
}

const bosc_nm_token *bosc_nm_ahead(const bosc_nm_parser *p, int k)
{
    return p->token[p->at + k < p->n ? p->at + k : p->n - 1];
}

const bosc_nm_token *bosc_nm_now(const bosc_nm_parser *p)
{
    return bosc_nm_ahead(p, 0);
}

bool bosc_nm_at(const bosc_nm_parser *p, const char *text)
{
    const bosc_nm_token *now = bosc_nm_now(p);

    return (now->kind == BOSC_NM_WORD || now->kind == BOSC_NM_SIGN) &&
           strcmp(now->text, text) == 0;
}

void bosc_nm_advance(bosc_nm_parser *p)
{
    p->at += p->at < p->n - 1;
}

bool bosc_nm_take(bosc_nm_parser *p, const char *text)
{
    if (!bosc_nm_at(p, text))
        return false;
    bosc_nm_advance(p);
    return true;
}

bool bosc_nm_unexpected(bosc_nm_parser *p, const char *wanted)
{
    const bosc_nm_token *now = bosc_nm_now(p);

    if (now->kind == BOSC_NM_END)
        bosc_nm_refuse(p->problems, now->place, "",
                       "the file ends where %s is expected", wanted);
    else if (now->kind == BOSC_NM_C_CODE)
        bosc_nm_refuse(p->problems, now->place, "",
                       "VERBATIM stands where %s is expected", wanted);
    else
        bosc_nm_refuse(p->problems, now->place, "",
                       "'%.40s' stands where %s is expected", now->text,
                       wanted);
    return false;
}

bool bosc_nm_expect(bosc_nm_parser *p, const char *text)
{
    char wanted[32] = "'";

    if (bosc_nm_take(p, text))
        return true;
    strncat(strncat(wanted, text, sizeof wanted - 3), "'", 2);
    return bosc_nm_unexpected(p, wanted);
}

const char *bosc_nm_take_name(bosc_nm_parser *p, const char *what)
{
    const bosc_nm_token *now = bosc_nm_now(p);

    if (now->kind != BOSC_NM_WORD || is_keyword(now->text)) {
        bosc_nm_unexpected(p, what);
        return NULL;
    }
    bosc_nm_advance(p);
    return now->text;
}

const char *bosc_nm_take_unit(bosc_nm_parser *p)
{
    const bosc_nm_token *open = bosc_nm_now(p);
    int depth = 0;

    if (!bosc_nm_at(p, "("))
        return "";
    do {
        const bosc_nm_token *now = bosc_nm_now(p);

        if (now->kind == BOSC_NM_END || now->place.line != open->place.line) {
            bosc_nm_refuse(p->problems, open->place, "",
                           "the bracket of a unit is not closed");
            return NULL;
        }
        depth += bosc_nm_at(p, "(") - bosc_nm_at(p, ")");
        bosc_nm_advance(p);
    } while (depth > 0);
    return bosc_nm_between(p->arena, open, p->token[p->at - 1]);
}

/* The number that DEFINE gave a name. */
static const bosc_nm_declared *find_define(const bosc_nm_parser *p,
                                           const char *name)
{
    for (int i = 0; i < p->file->declared.n; ++i) {
        const bosc_nm_declared *d = p->file->declared.item[i];

        if (d->where == BOSC_NM_IN_DEFINE && strcmp(d->name, name) == 0)
            return d;
    }
    return NULL;
}

bool bosc_nm_take_number(bosc_nm_parser *p, double *value)
{
    const bool negative = bosc_nm_at(p, "-");

    if (!bosc_nm_take(p, "-"))
        bosc_nm_take(p, "+");

    const bosc_nm_token *now = bosc_nm_now(p);
    const bosc_nm_declared *define =
        now->kind == BOSC_NM_WORD ? find_define(p, now->text) : NULL;

    if (define == NULL && now->kind != BOSC_NM_DIGITS)
        return bosc_nm_unexpected(p, "a number");
    *value = define != NULL ? define->value : now->value;
    if (negative)
        *value = -*value;
    bosc_nm_advance(p);
    return true;
}

bool bosc_nm_take_size(bosc_nm_parser *p, int *size)
{
    enum { MOST = 100000 };
    const bosc_nm_place place = bosc_nm_now(p)->place;
    double value = 0;

    *size = 0;
    if (!bosc_nm_take(p, "["))
        return true;
    if (!bosc_nm_take_number(p, &value) || !bosc_nm_expect(p, "]"))
        return false;
    if (!(value >= 1 && value <= MOST)) {
        bosc_nm_refuse(p->problems, place, "",
                       "an array has 1 to %d elements, not %g", MOST, value);
        return false;
    }
    *size = (int)value;
    return true;
}

bool bosc_nm_skip_braces(bosc_nm_parser *p)
{
    int depth = 0;

    if (!bosc_nm_at(p, "{"))
        return bosc_nm_unexpected(p, "'{'");
    do {
        if (bosc_nm_now(p)->kind == BOSC_NM_END)
            return bosc_nm_unexpected(p, "'}'");
        depth += bosc_nm_at(p, "{") - bosc_nm_at(p, "}");
        bosc_nm_advance(p);
    } while (depth > 0);
    return true;
}

bool bosc_nm_enter(bosc_nm_parser *p)
{
    if (++p->depth <= BOSC_NM_DEEPEST)
        return true;
    bosc_nm_refuse(
        p->problems, bosc_nm_now(p)->place, "write it in several statements",
        "brackets within one another more than %d deep", BOSC_NM_DEEPEST);
    return false;
}

void bosc_nm_leave(bosc_nm_parser *p)
{
    --p->depth;
}
