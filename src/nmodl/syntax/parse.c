/* parse.c - the parser's way over the tokens, and the blocks of a file. */
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

bool bosc_nm_is_keyword(const char *word)
{
    return bosc_nm_begins_block(word) ||
           bosc_is_among(word, BOSC_LEN(other_keywords), other_keywords);
}

/* ---- tokens ---- */

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

static void advance(bosc_nm_parser *p)
{
    p->at += p->at < p->n - 1;
}

bool bosc_nm_take(bosc_nm_parser *p, const char *text)
{
    if (!bosc_nm_at(p, text))
        return false;
    advance(p);
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

    if (now->kind != BOSC_NM_WORD || bosc_nm_is_keyword(now->text)) {
        bosc_nm_unexpected(p, what);
        return NULL;
    }
    advance(p);
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
        advance(p);
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
    advance(p);
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
        advance(p);
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

/* ---- blocks ---- */

static const struct {
    const char *word;
    bosc_nm_block_kind kind;
    bool named, arguments;
} blocks[] = {
    {"INITIAL", BOSC_NM_BLOCK_INITIAL, false, false},
    {"BREAKPOINT", BOSC_NM_BLOCK_BREAKPOINT, false, false},
    {"EQUATION", BOSC_NM_BLOCK_BREAKPOINT, false, false},
    {"DERIVATIVE", BOSC_NM_BLOCK_DERIVATIVE, true, false},
    {"KINETIC", BOSC_NM_BLOCK_KINETIC, true, false},
    {"LINEAR", BOSC_NM_BLOCK_LINEAR, true, false},
    {"NONLINEAR", BOSC_NM_BLOCK_NONLINEAR, true, false},
    {"DISCRETE", BOSC_NM_BLOCK_DISCRETE, true, false},
    {"FUNCTION", BOSC_NM_BLOCK_FUNCTION, true, true},
    {"PROCEDURE", BOSC_NM_BLOCK_PROCEDURE, true, true},
    {"NET_RECEIVE", BOSC_NM_BLOCK_NET_RECEIVE, false, true},
    {"BEFORE", BOSC_NM_BLOCK_BEFORE, false, false},
    {"AFTER", BOSC_NM_BLOCK_BEFORE, false, false},
    {"CONSTRUCTOR", BOSC_NM_BLOCK_CONSTRUCTOR, false, false},
    {"DESTRUCTOR", BOSC_NM_BLOCK_DESTRUCTOR, false, false},
};

static bool parse_arguments(bosc_nm_parser *p, bosc_nm_list *arguments)
{
    if (!bosc_nm_expect(p, "("))
        return false;
    while (!bosc_nm_take(p, ")")) {
        bosc_nm_item *item = bosc_nm_new(p->arena, 1, sizeof *item);

        item->place = bosc_nm_now(p)->place;
        if ((item->name = bosc_nm_take_name(p, "an argument")) == NULL ||
            (item->unit = bosc_nm_take_unit(p)) == NULL)
            return false;
        bosc_nm_push(p->arena, arguments, item);
        if (!bosc_nm_take(p, ",") && !bosc_nm_at(p, ")"))
            return bosc_nm_unexpected(p, "',' or ')'");
    }
    return bosc_nm_take_unit(p) != NULL;
}

static bosc_nm_block *add_block(bosc_nm_parser *p, bosc_nm_block_kind kind)
{
    bosc_nm_block *block = bosc_nm_new(p->arena, 1, sizeof *block);

    block->kind = kind;
    block->name = "";
    block->place = bosc_nm_now(p)->place;
    bosc_nm_push(p->arena, &p->file->blocks, block);
    return block;
}

static bool name_block(bosc_nm_parser *p, bosc_nm_block *block,
                       const char *what)
{
    const char *name = bosc_nm_take_name(p, what);

    if (name != NULL)
        block->name = name;
    return name != NULL;
}

static bool parse_block(bosc_nm_parser *p, size_t row)
{
    bosc_nm_block *block = add_block(p, blocks[row].kind);

    advance(p);
    if (block->kind == BOSC_NM_BLOCK_BEFORE)
        advance(p); /* BREAKPOINT, STEP, ... */
    if (blocks[row].named && !name_block(p, block, "the name of a block"))
        return false;
    if (bosc_nm_take(p, "SOLVEFOR") &&
        !bosc_nm_parse_names(p, &(bosc_nm_list){0}))
        return false;
    if (blocks[row].arguments && !parse_arguments(p, &block->arguments))
        return false;
    return bosc_nm_parse_body(p, &block->body);
}

static bool parse_function_table(bosc_nm_parser *p)
{
    bosc_nm_block *block = add_block(p, BOSC_NM_BLOCK_FUNCTION_TABLE);

    advance(p);
    return name_block(p, block, "the name of a table") &&
           parse_arguments(p, &block->arguments);
}

/* C of the file itself: a block of one statement. */
static bool parse_code(bosc_nm_parser *p)
{
    bosc_nm_block *block = add_block(p, BOSC_NM_BLOCK_CODE);
    bosc_nm_stmt *code =
        bosc_nm_stmt_create(p->arena, BOSC_NM_CODE, block->place);

    code->name = bosc_nm_now(p)->text;
    bosc_nm_push(p->arena, &block->body, code);
    advance(p);
    return true;
}

static bool parse_define(bosc_nm_parser *p)
{
    bosc_nm_declared *d = bosc_nm_new(p->arena, 1, sizeof *d);

    advance(p);
    d->where = BOSC_NM_IN_DEFINE;
    d->place = bosc_nm_now(p)->place;
    d->unit = "";
    d->has_value = true;
    d->name = bosc_nm_take_name(p, "the name of a number");
    if (d->name == NULL || !bosc_nm_take_number(p, &d->value))
        return false;
    bosc_nm_push(p->arena, &p->file->declared, d);
    return true;
}

static bool parse_file_local(bosc_nm_parser *p)
{
    bosc_nm_list names = {0};

    advance(p);
    if (!bosc_nm_parse_names(p, &names))
        return false;
    for (int i = 0; i < names.n; ++i) {
        const bosc_nm_item *item = names.item[i];
        bosc_nm_declared *d = bosc_nm_new(p->arena, 1, sizeof *d);

        *d = (bosc_nm_declared){.where = BOSC_NM_IN_LOCAL,
                                .name = item->name,
                                .unit = "",
                                .size = item->size,
                                .place = item->place};
        bosc_nm_push(p->arena, &p->file->declared, d);
    }
    return true;
}

/* INDEPENDENT, PLOT and the like say nothing that a simulator needs. */
static bool parse_idle(bosc_nm_parser *p)
{
    advance(p);
    while (!bosc_nm_at(p, "{") && bosc_nm_now(p)->kind != BOSC_NM_END &&
           !bosc_nm_now(p)->first)
        advance(p);
    return !bosc_nm_at(p, "{") || bosc_nm_skip_braces(p);
}

static bool parse_top(bosc_nm_parser *p)
{
    static const struct {
        const char *word;
        bosc_nm_where where;
    } variables[] = {{"PARAMETER", BOSC_NM_IN_PARAMETER},
                     {"CONSTANT", BOSC_NM_IN_CONSTANT},
                     {"ASSIGNED", BOSC_NM_IN_ASSIGNED},
                     {"STATE", BOSC_NM_IN_STATE}};
    static const struct {
        const char *word;
        bool (*parse)(bosc_nm_parser *p);
    } others[] = {{"NEURON", bosc_nm_parse_neuron},
                  {"UNITS", bosc_nm_parse_units},
                  {"DEFINE", parse_define},
                  {"LOCAL", parse_file_local},
                  {"FUNCTION_TABLE", parse_function_table},
                  {"INDEPENDENT", parse_idle},
                  {"STEPPED", parse_idle},
                  {"PLOT", parse_idle},
                  {"TERMINAL", parse_idle}};

    if (bosc_nm_now(p)->kind == BOSC_NM_C_CODE)
        return parse_code(p);
    for (size_t i = 0; i < BOSC_LEN(variables); ++i)
        if (bosc_nm_take(p, variables[i].word))
            return bosc_nm_parse_variables(p, variables[i].where);
    for (size_t i = 0; i < BOSC_LEN(others); ++i)
        if (bosc_nm_at(p, others[i].word))
            return others[i].parse(p);
    for (size_t i = 0; i < BOSC_LEN(blocks); ++i)
        if (bosc_nm_at(p, blocks[i].word))
            return parse_block(p, i);
    return bosc_nm_unexpected(p, "a block");
}

/* After a problem: go to the next word that begins a block and a line. */
static void recover(bosc_nm_parser *p)
{
    p->file->broken = true;
    for (advance(p); bosc_nm_now(p)->kind != BOSC_NM_END; advance(p))
        if (bosc_nm_now(p)->kind == BOSC_NM_WORD && bosc_nm_now(p)->first &&
            bosc_nm_begins_block(bosc_nm_now(p)->text) &&
            !bosc_nm_at(p, "LOCAL"))
            return;
}

bosc_nm_file *bosc_nm_parse(bosc_nm_tokens *tokens,
                            const bosc_nm_source *source)
{
    bosc_nm_file *file = bosc_nm_new(tokens->arena, 1, sizeof *file);
    bosc_nm_parser p = {
        .arena = tokens->arena, .problems = tokens->problems, .file = file};

    file->source = source;
    file->name = "";
    file->name_place = (bosc_nm_place){source, 0, 0};
    bosc_nm_lex(tokens, source);
    p.token = (bosc_nm_token **)tokens->all.item;
    p.n = tokens->all.n;
    while (bosc_nm_now(&p)->kind != BOSC_NM_END) {
        p.depth = 0;
        if (!parse_top(&p))
            recover(&p);
    }
    return file;
}
