/* parse.c - the blocks of a file. */
#include "src/nmodl/syntax/parse.h"

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

    bosc_nm_advance(p);
    if (block->kind == BOSC_NM_BLOCK_BEFORE) {
        block->moment = bosc_nm_text(p->arena, "%s %s", blocks[row].word,
                                     bosc_nm_now(p)->text);
        bosc_nm_advance(p);
    }
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

    bosc_nm_advance(p);
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
    bosc_nm_advance(p);
    return true;
}

static bool parse_define(bosc_nm_parser *p)
{
    bosc_nm_declared *d = bosc_nm_new(p->arena, 1, sizeof *d);

    bosc_nm_advance(p);
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

    bosc_nm_advance(p);
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
    bosc_nm_advance(p);
    while (!bosc_nm_at(p, "{") && bosc_nm_now(p)->kind != BOSC_NM_END &&
           !bosc_nm_now(p)->first)
        bosc_nm_advance(p);
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
    for (bosc_nm_advance(p); bosc_nm_now(p)->kind != BOSC_NM_END;
         bosc_nm_advance(p))
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
