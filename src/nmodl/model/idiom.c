/* idiom.c - C of VERBATIM whose meaning is known.
 *
 * What changes nothing is left out: messages, 'cai = _ion_cai', a sequence of
 * random numbers set to its start where it starts.  'return' becomes a
 * statement of its own.  A FUNCTION that picks from NEURON's streams becomes
 * one that draws from ours.  Statements under a condition on a Vector, which
 * the interpreter would have to give, are left out: there is none.
 */
#include <ctype.h>
#include <string.h>

#include "src/nmodl/model/model.h"

/* ---- text of C ---- */

/* The code without comments, directives and needless blanks. */
static char *squeeze(bosc_nm_arena *arena, const char *code)
{
    char *out = bosc_nm_new(arena, strlen(code) + 1, 1);
    size_t n = 0;

    while (*code != '\0') {
        if (strncmp(code, "//", 2) == 0 || *code == '#') {
            code += strcspn(code, "\r\n");
        } else if (strncmp(code, "/*", 2) == 0) {
            const char *end = strstr(code + 2, "*/");

            code = end == NULL ? code + strlen(code) : end + 2;
        } else if (isspace((unsigned char)*code)) {
            if (n > 0 && out[n - 1] != ' ' && out[n - 1] != ';')
                out[n++] = ' ';
            ++code;
        } else {
            if (*code == ';' && n > 0 && out[n - 1] == ' ')
                --n;
            out[n++] = *code++;
        }
    }
    while (n > 0 && out[n - 1] == ' ')
        --n;
    out[n] = '\0';
    return out;
}

/* Behind a bracket that opens at the text: behind its end, or the end. */
static const char *behind_bracket(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; ++text) {
        depth += *text == '(' || *text == '{';
        depth -= *text == ')' || *text == '}';
        if (depth == 0)
            return text + 1;
    }
    return text;
}

static const char *skip_blank(const char *text)
{
    return text + (*text == ' ');
}

/* Behind the first statement of the text. */
static const char *behind_statement(const char *text)
{
    if (strncmp(text, "if", 2) == 0 && strchr("( ", text[2]) != NULL &&
        text[2] != '\0') {
        text = skip_blank(behind_bracket(skip_blank(text + 2)));
        text = skip_blank(*text == '{' ? behind_bracket(text)
                                       : behind_statement(text));
        if (strncmp(text, "else", 4) == 0)
            text = behind_statement(skip_blank(text + 4));
        return text;
    }
    if (*text == '{')
        return behind_bracket(text);
    while (*text != '\0' && *text != ';')
        text = *text == '(' || *text == '{' ? behind_bracket(text) : text + 1;
    return text + (*text == ';');
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

static bool is_return(const char *text, size_t n)
{
    static const char *const returns[] = {"return",     "return 0", "return 0.",
                                          "return 0.0", "return 1", "return 1.",
                                          "return 1.0", "return(0)"};

    n -= n > 0 && text[n - 1] == ';';
    for (size_t i = 0; i < BOSC_LEN(returns); ++i)
        if (strlen(returns[i]) == n && memcmp(returns[i], text, n) == 0)
            return true;
    return false;
}

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
        "printf(",      "fprintf(",       "fflush(",          "fclose(",
        "hoc_warning(", "hoc_execerror(", "nrnran123_setseq("};
    const char *body;

    for (size_t i = 0; i < BOSC_LEN(calls); ++i)
        if (strncmp(text, calls[i], strlen(calls[i])) == 0)
            return true;
    if (is_file(text))
        return true;
    if (strncmp(text, "if", 2) != 0 || n < 8)
        return false;

    const char *open = skip_blank(text + 2), *close = behind_bracket(open);
    const bool known = strcspn(open + 1, "(=") >= (size_t)(close - open - 1);

    body = skip_blank(close);
    if (*body == '{')
        body = skip_blank(body + 1);
    return known && behind_statement(body) <= text + n &&
           is_message(body, (size_t)(behind_statement(body) - body)) &&
           strspn(behind_statement(body), " }") ==
               (size_t)(text + n - behind_statement(body));
}

/* 'return 0' of a FUNCTION: its result is that, whatever was assigned. */
static void assign_result(bosc_nm_mechanism *m, const bosc_nm_block *block,
                          const bosc_nm_stmt *code, const char *text,
                          bosc_nm_list *out)
{
    const char *number = text + strcspn(text, "01;");
    bosc_nm_stmt *stmt =
        bosc_nm_stmt_create(m->arena, BOSC_NM_ASSIGN, code->place);

    if (*number != '0' && *number != '1')
        return;
    stmt->target = bosc_nm_node(m->arena, BOSC_NM_NAME, 0, code->place);
    stmt->target->name = block->name;
    stmt->value = bosc_nm_number(m->arena, *number - '0');
    bosc_nm_push(m->arena, out, stmt);
}

/* Append what the statements of C mean; false where that is not known. */
static bool take_code(bosc_nm_mechanism *m, const bosc_nm_block *block,
                      const bosc_nm_stmt *stmt, const char *code,
                      bosc_nm_list *out)
{
    const char *text = skip_blank(code);
    bool returns = false;

    while (*text != '\0' && !returns) {
        const char *end = behind_statement(text);
        const size_t n = (size_t)(end - text);

        returns = is_return(text, n);
        if (returns && block->kind == BOSC_NM_BLOCK_FUNCTION)
            assign_result(m, block, stmt, text, out);
        if (!returns && n > 1 && !is_ion_copy(text, n) && !is_message(text, n))
            return false;
        text = skip_blank(end);
    }
    if (strstr(code, "hoc_execerror(") != NULL &&
        strstr(code, "cvode_active_") == NULL)
        bosc_nm_warn(m->problems, stmt->place, "",
                     "where NEURON stops with hoc_execerror(), bosc goes on");
    if (returns)
        bosc_nm_push(
            m->arena, out,
            bosc_nm_stmt_create(m->arena, BOSC_NM_RETURN, stmt->place));
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
    const char *text = squeeze(m->arena, stmt->name);
    int depth = depth_of(text);

    if (depth <= 0 || strstr(text, "vector_capacity") == NULL)
        return NULL;
    while (++i < body->n) {
        const char *end;

        stmt = body->item[i];
        if (stmt->kind != BOSC_NM_CODE)
            continue;
        text = squeeze(m->arena, stmt->name);
        end = behind_closing(text, depth);
        *last = i;
        if (end != NULL)
            return end;
        depth += depth_of(text);
    }
    return NULL;
}

static void recognise_list(bosc_nm_mechanism *m, const bosc_nm_block *block,
                           bosc_nm_list *body)
{
    bosc_nm_list out = {0};

    for (int i = 0; i < body->n; ++i) {
        bosc_nm_stmt *stmt = body->item[i];
        const char *text;
        int last = i;

        recognise_list(m, block, &stmt->body);
        recognise_list(m, block, &stmt->otherwise);
        if (stmt->kind != BOSC_NM_CODE) {
            bosc_nm_push(m->arena, &out, stmt);
            continue;
        }
        text = behind_vector(m, body, i, &last);
        if (text == NULL)
            text = squeeze(m->arena, stmt->name), last = i;
        if (take_code(m, block, stmt, text, &out))
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
            look_at_words(p, squeeze(m->arena, stmt->name));
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
    if (!recognise_draw(m, block))
        recognise_list(m, block, &block->body);
}
