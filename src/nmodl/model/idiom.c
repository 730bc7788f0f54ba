/* idiom.c - C of VERBATIM whose meaning is known.
 *
 * What NMODL could say is parsed (c_code.h).  What changes nothing is left out:
 * messages, 'cai = _ion_cai', a sequence of random numbers set to its start
 * where it starts.  A FUNCTION that picks from NEURON's streams becomes
 * one that draws from ours.  Statements under a condition on a Vector, which
 * the interpreter would have to give, are left out: there is none.
 */
#include <string.h>

#include "src/nmodl/model/c_code.h"
#include "src/nmodl/model/model.h"

/* ---- text of C ---- */

static const char *skip_blank(const char *text)
{
    return text + (*text == ' ');
}

/* Braces that open, less those that close. */
static int depth_of(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; ++text)
        depth += (*text == '{') - (*text == '}');
    return depth;
}

/* Behind the brace that closes 'depth' open ones; NULL: none does. */
static const char *behind_closing(const char *text, int depth)
{
    for (; *text != '\0'; ++text) {
        depth += (*text == '{') - (*text == '}');
        if (depth == 0)
            return text + 1;
    }
    return NULL;
}

/* ---- single statements ---- */

/* "cai = _ion_cai", which is so anyway. */
static bool is_ion_copy(const char *text, size_t n)
{
    static const char ion[] = "_ion_";
    const char *equal = memchr(text, '=', n), *from, *end = text + n;
    size_t name;

    if (equal == NULL)
        return false;
    end -= n > 0 && end[-1] == ';';
    name = strcspn(text, " =");
    from = equal + 1;
    from += *from == ' ';
    return (size_t)(end - from) == name + strlen(ion) &&
           memcmp(from, ion, strlen(ion)) == 0 &&
           memcmp(from + strlen(ion), text, name) == 0;
}

/* "FILE *out", "out=fopen(...)": where messages go. */
static bool is_file(const char *text)
{
    const size_t name = strcspn(text, " =(");
    const char *value = skip_blank(text + name);

    if (strncmp(text, "FILE", 4) == 0 && strchr(" *", text[4]) != NULL)
        return true;
    return *value == '=' && strncmp(skip_blank(value + 1), "fopen(", 6) == 0;
}

/* Does it only call functions that change nothing? */
static bool is_message(const char *text, size_t n)
{
    static const char *const calls[] = {
        "printf",      "fprintf",       "fflush",           "fclose",
        "hoc_warning", "hoc_execerror", "nrnran123_setseq", "assert"};
    const char *body;

    for (size_t i = 0; i < BOSC_LEN(calls); ++i)
        if (strncmp(text, calls[i], strlen(calls[i])) == 0 &&
            *skip_blank(text + strlen(calls[i])) == '(')
            return true;
    if (is_file(text))
        return true;
    if (strncmp(text, "if", 2) != 0 || n < 8)
        return false;

    const char *open = skip_blank(text + 2),
               *close = bosc_nm_c_behind_bracket(open);
    const bool known = strcspn(open + 1, "(=") >= (size_t)(close - open - 1);

    body = skip_blank(close);
    if (*body == '{')
        body = skip_blank(body + 1);
    return known && bosc_nm_c_behind(body) <= text + n &&
           is_message(body, (size_t)(bosc_nm_c_behind(body) - body)) &&
           strspn(bosc_nm_c_behind(body), " }") >=
               (size_t)(text + n - bosc_nm_c_behind(body));
}

/* "if (auto* vv = *reinterpret_cast<IvocVect**>(&space)) ...": there is none.
 */
static bool asks_for_vector(const char *text)
{
    const char *end;

    if (strncmp(text, "if", 2) != 0 || *skip_blank(text + 2) != '(')
        return false;
    end = bosc_nm_c_behind_bracket(skip_blank(text + 2));
    text = strstr(text, "IvocVect");
    return text != NULL && text < end;
}

/* The length of a statement that changes nothing; 0: it may. */
static size_t idle_length(const char *text)
{
    const size_t n = (size_t)(bosc_nm_c_behind(text) - text);

    return n > 0 && (is_ion_copy(text, n) || is_message(text, n) ||
                     asks_for_vector(text))
               ? n
               : 0;
}

/* A directive after which what follows may not count; NULL: there is none. */
static const char *directive_of(const char *code)
{
    static const char *const choices[] = {"#else", "#elif", "#ifdef", "#if 0"};

    for (size_t i = 0; i < BOSC_LEN(choices); ++i)
        if (strstr(code, choices[i]) != NULL)
            return choices[i];
    return NULL;
}

#define PLAYS_REMEDY                                                           \
    "use 'sources: [{type: file, file: times.tsv, ...}]', which projections "  \
    "name as they name populations"

/* Does C of an artificial cell read the times that a Vector has (VecStim), or
 * what became of one (PatternStim)? */
static bool plays(const char *code)
{
    static const char *const words[] = {"vector_capacity(", "->tvec"};

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (strstr(code, words[i]) != NULL)
            return true;
    return false;
}

/* Append what the C means; false, with what is not understood in the statement,
 * where that is not known. */
static bool take_code(bosc_nm_mechanism *m, const bosc_nm_block *block,
                      bosc_nm_stmt *stmt, const char *code, bosc_nm_list *names,
                      bosc_nm_list *out)
{
    bosc_nm_c c = {.arena = m->arena,
                   .place = stmt->place,
                   .result = block->kind == BOSC_NM_BLOCK_FUNCTION ? block->name
                                                                   : NULL,
                   .idle = idle_length,
                   .text = code,
                   .names = *names};
    bosc_nm_list made = {0};
    const bool known = bosc_nm_c_parse(&c, &made);
    const char *choice = made.n > 0 ? directive_of(stmt->name) : NULL;

    *names = c.names;
    if (choice != NULL)
        c.unknown = choice;
    if ((!known || choice != NULL) && m->artificial && plays(code)) {
        if (!m->plays)
            bosc_nm_warn(m->problems, stmt->place, PLAYS_REMEDY,
                         "the times that %s plays come from NEURON's "
                         "interpreter; cells of it are refused in a job",
                         m->name);
        m->plays = true;
        return true;
    }
    if (!known || choice != NULL) {
        stmt->method =
            bosc_nm_copy(m->arena, c.unknown,
                         (size_t)(bosc_nm_c_behind(c.unknown) - c.unknown));
        return false;
    }
    for (int i = 0; i < made.n; ++i)
        bosc_nm_push(m->arena, out, made.item[i]);
    if ((strstr(code, "hoc_execerror(") != NULL ||
         strstr(code, "assert(") != NULL) &&
        strstr(code, "cvode_active_") == NULL)
        bosc_nm_warn(m->problems, stmt->place, "",
                     "where NEURON stops with hoc_execerror() or assert(), "
                     "bosc goes on");
    return true;
}

/* ---- lists ---- */

/* Statements from item i on, the first of which is C that opens a block under a
 * condition on a Vector: the C behind that block, and in *last the statement in
 * which it ends; NULL: there is no such block. */
static const char *behind_vector(bosc_nm_mechanism *m, const bosc_nm_list *body,
                                 int i, int *last)
{
    const bosc_nm_stmt *stmt = body->item[i];
    const char *text = bosc_nm_c_squeeze(m->arena, stmt->name);
    int depth = depth_of(text);

    if (depth <= 0 || strstr(text, "vector_capacity") == NULL)
        return NULL;
    while (++i < body->n) {
        const char *end;

        stmt = body->item[i];
        if (stmt->kind != BOSC_NM_CODE)
            continue;
        text = bosc_nm_c_squeeze(m->arena, stmt->name);
        end = behind_closing(text, depth);
        *last = i;
        if (end != NULL)
            return end;
        depth += depth_of(text);
    }
    return NULL;
}

/* names: variables that C of the block has declared so far. */
static void recognise_list(bosc_nm_mechanism *m, const bosc_nm_block *block,
                           bosc_nm_list *names, bosc_nm_list *body)
{
    bosc_nm_list out = {0};

    for (int i = 0; i < body->n; ++i) {
        bosc_nm_stmt *stmt = body->item[i];
        const char *text;
        int last = i;

        recognise_list(m, block, names, &stmt->body);
        recognise_list(m, block, names, &stmt->otherwise);
        if (stmt->kind != BOSC_NM_CODE) {
            bosc_nm_push(m->arena, &out, stmt);
            continue;
        }
        text = behind_vector(m, body, i, &last);
        if (text == NULL)
            text = bosc_nm_c_squeeze(m->arena, stmt->name), last = i;
        if (take_code(m, block, stmt, text, names, &out))
            i = last;
        else
            bosc_nm_push(m->arena, &out, stmt);
    }
    *body = out;
}

/* ---- random numbers ---- */

/* What a FUNCTION draws from, by the words in it; NULL: it does not draw. */
typedef struct picks {
    bool picks, other; /* it has C that does; something else */
    const char *draw;  /* the function that does the same here */
} picks;

static void look_at_words(picks *p, const char *text)
{
    static const struct {
        const char *word, *draw;
    } known[] = {{"nrnran123_negexp", "random_negexp"},
                 {"exprand", "random_negexp"},
                 {"nrnran123_normal", "random_normal"},
                 {"normrand", "random_normal"},
                 {"nrnran123_dblpick", "random_uniform"},
                 {"nrnran123_uniform", "random_uniform"},
                 {"scop_random", "random_uniform"}};

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (p->draw == NULL && strstr(text, known[i].word) != NULL)
            p->draw = known[i].draw;
    p->picks = p->picks || strstr(text, "nrn_random_pick") != NULL ||
               strstr(text, "nrnran123_dblpick") != NULL ||
               strstr(text, "nrnran123_negexp") != NULL ||
               strstr(text, "nrnran123_normal") != NULL ||
               strstr(text, "nrnran123_uniform") != NULL;
}

static void look_at(bosc_nm_mechanism *m, picks *p, const bosc_nm_list *body)
{
    for (int i = 0; i < body->n; ++i) {
        const bosc_nm_stmt *stmt = body->item[i];

        if (stmt->kind == BOSC_NM_CODE)
            look_at_words(p, bosc_nm_c_squeeze(m->arena, stmt->name));
        else if (stmt->kind == BOSC_NM_ASSIGN &&
                 stmt->value->kind == BOSC_NM_CALL)
            look_at_words(p, stmt->value->name);
        else if (stmt->kind != BOSC_NM_LOCAL && stmt->kind != BOSC_NM_IF &&
                 stmt->kind != BOSC_NM_ASSIGN)
            p->other = true;
        look_at(m, p, &stmt->body);
        look_at(m, p, &stmt->otherwise);
    }
}

/* NAME = draw() in place of a body that picks. */
static bool recognise_draw(bosc_nm_mechanism *m, bosc_nm_block *block)
{
    picks p = {.picks = false};
    bosc_nm_stmt *stmt;

    if (block->kind != BOSC_NM_BLOCK_FUNCTION || block->arguments.n > 0)
        return false;
    look_at(m, &p, &block->body);
    if (!p.picks || p.other)
        return false;
    if (p.draw == NULL) {
        p.draw = "random_uniform";
        bosc_nm_warn(m->problems, block->place, "",
                     "'%s' picks from a Random of NEURON's interpreter; here "
                     "it is uniform between 0 and 1",
                     block->name);
    }
    stmt = bosc_nm_stmt_create(m->arena, BOSC_NM_ASSIGN, block->place);
    stmt->target = bosc_nm_node(m->arena, BOSC_NM_NAME, 0, block->place);
    stmt->target->name = block->name;
    stmt->value = bosc_nm_node(m->arena, BOSC_NM_CALL, 0, block->place);
    stmt->value->name = p.draw;
    block->body = (bosc_nm_list){0};
    bosc_nm_push(m->arena, &block->body, stmt);
    return true;
}

void bosc_nm_recognise(bosc_nm_mechanism *m, bosc_nm_block *block)
{
    bosc_nm_list names = {0};

    if (!recognise_draw(m, block))
        recognise_list(m, block, &names, &block->body);
}

/* ---- C of the file ---- */

/* What NEURON's libraries have. */
static const char library[] =
    /* how many waiting times fit, part by part: exp(-500) is no 0 */
    "double poisrand(double mean) {"
    "    double n = 0;"
    "    while (mean > 0) {"
    "        double part = mean < 500 ? mean : 500, left = exp(-part);"
    "        double product = random_uniform();"
    "        while (product > left) {"
    "            product *= random_uniform();"
    "            n += 1;"
    "        }"
    "        mean -= part;"
    "    }"
    "    return n;"
    "}";

/* The function as a block, where the text has it; else NULL. */
static bosc_nm_symbol *make_c_function(bosc_nm_mechanism *m, const char *text,
                                       const char *name, bosc_nm_place place)
{
    bosc_nm_block *block = bosc_nm_new(m->arena, 1, sizeof *block);
    bosc_nm_stmt *stmt = bosc_nm_stmt_create(m->arena, BOSC_NM_CODE, place);
    bosc_nm_symbol *s;
    bool value;

    stmt->name = bosc_nm_c_function(m->arena, bosc_nm_c_squeeze(m->arena, text),
                                    name, &block->arguments, &value);
    if (stmt->name == NULL)
        return NULL;
    block->kind = value ? BOSC_NM_BLOCK_FUNCTION : BOSC_NM_BLOCK_PROCEDURE;
    block->name = name;
    block->place = place;
    bosc_nm_push(m->arena, &block->body, stmt);
    s = bosc_nm_symbol_create(m->arena, BOSC_NM_ROUTINE, name);
    s->def.block = block;
    bosc_nm_push(m->arena, &m->symbols, s);
    return s;
}

bosc_nm_symbol *bosc_nm_find_c_function(bosc_nm_mechanism *m, const char *name,
                                        bosc_nm_place place)
{
    bosc_nm_symbol *found = NULL;

    for (int i = 0; found == NULL && i < m->file->blocks.n; ++i) {
        const bosc_nm_block *code = m->file->blocks.item[i];

        if (code->kind == BOSC_NM_BLOCK_CODE)
            found =
                make_c_function(m, ((bosc_nm_stmt *)code->body.item[0])->name,
                                name, code->place);
    }
    return found != NULL ? found : make_c_function(m, library, name, place);
}

bosc_nm_symbol *bosc_nm_find_c_number(bosc_nm_mechanism *m, const char *name)
{
    double value;

    for (int i = 0; i < m->file->blocks.n; ++i) {
        const bosc_nm_block *code = m->file->blocks.item[i];

        if (code->kind == BOSC_NM_BLOCK_CODE &&
            bosc_nm_c_define(((bosc_nm_stmt *)code->body.item[0])->name, name,
                             &value)) {
            bosc_nm_symbol *s =
                bosc_nm_symbol_create(m->arena, BOSC_NM_CONSTANT, name);

            s->value = value;
            bosc_nm_push(m->arena, &m->symbols, s);
            return s;
        }
    }
    return NULL;
}
