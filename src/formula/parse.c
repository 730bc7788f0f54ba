/* parse.c - a recursive descent over the characters of a formula.
 *
 * It is not the parser of mod files (src/nmodl/syntax), whose language differs
 * where formulas are written: there ':' and '?' begin comments, a bracket
 * behind a number is its unit, so that 2(3) is 2, keywords are no names, and
 * braces, points in names, '**' and conditionals do not occur. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/formula/code.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"

enum { WORD = 40 }; /* characters of a word in messages */

typedef struct parser {
    const char *text, *at, *end;
    int n_names;
    const char *const *names;
    int depth;
    int waiting;       /* values that the steps so far leave on the stack */
    bosc_formula *out; /* with room for a step a character */
    bosc_error *err;
} parser;

static bool parse_expression(parser *p);
static bool parse_level(parser *p, bosc_formula_level level);

/* Write the message about the character at 'where'.  False. */
BOSC_PRINTF(3, 4)
static bool fail(const parser *p, const char *where, const char *format, ...)
{
    bosc_error why;
    va_list args;

    va_start(args, format);
    vsnprintf(why.text, sizeof why.text, format, args);
    va_end(args);
    bosc_fail(p->err, BOSC_EFORMAT, "column %d: %s", (int)(where - p->text) + 1,
              why.text);
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at) != NULL)
        ++p->at;
}

/* The length of the name at p->at, 0 where there is none. */
static int name_length(const parser *p)
{
    const char *at = p->at;

    while (at < p->end &&
           (is_letter(*at) || (at > p->at && bosc_is_digit(*at))))
        ++at;
    return (int)(at - p->at);
}

static bool is_word(const char *text, int n, const char *word)
{
    return strlen(word) == (size_t)n && memcmp(text, word, (size_t)n) == 0;
}

/* If this sign, or word, stands here, go on behind it and the blanks there. */
static bool take(parser *p, const char *text)
{
    const size_t n = strlen(text);

    if (is_letter(text[0]) ? !is_word(p->at, name_length(p), text)
                           : strncmp(p->at, text, n) != 0)
        return false;
    p->at += n;
    skip_blanks(p);
    return true;
}

/* What stands at p->at, as messages name it. */
static const char *describe(const parser *p, char out[WORD + 10])
{
    const unsigned char c = (unsigned char)*p->at;
    const char *stop = p->at;

    while (stop < p->end && stop < p->at + WORD &&
           (is_letter(*stop) || bosc_is_digit(*stop) || *stop == '.'))
        ++stop;
    if (stop == p->at) /* one character, maybe of several bytes */
        for (++stop; c >= 0xc0 && (*stop & 0xc0) == 0x80 && stop < p->at + 4;)
            ++stop;
    if (c < ' ' || c == 0x7f || (c >= 0x80 && stop == p->at + 1))
        snprintf(out, WORD + 10, "byte 0x%02x", c);
    else
        snprintf(out, WORD + 10, "'%.*s'", (int)(stop - p->at), p->at);
    return out;
}

/* Something else is expected here.  False. */
static bool unexpected(const parser *p, const char *wanted)
{
    static const struct {
        const char *sign, *remedy;
    } hints[] = {
        {"=", "; '==' compares"},        {"&", "; write 'and'"},
        {"|", "; write 'or'"},           {"?", "; write if(condition, a, b)"},
        {"\xe2\x88\x92", "; write '-'"}, /* the minus of printed texts */
        {"\xe2\x80\x93", "; write '-'"}, {"\xc2\xb7", "; write '*'"},
        {"\xc3\x97", "; write '*'"},
    };
    const char *remedy = "";
    char what[WORD + 10];

    if (p->at == p->end)
        return fail(p, p->at, "the formula ends where %s is expected", wanted);
    for (size_t i = 0; i < BOSC_LEN(hints); ++i)
        if (strncmp(p->at, hints[i].sign, strlen(hints[i].sign)) == 0)
            remedy = hints[i].remedy;
    return fail(p, p->at, "%s stands where %s is expected%s", describe(p, what),
                wanted, remedy);
}

/* Add a step, which leaves 'more' values more. */
static bosc_formula_step *add(parser *p, bosc_formula_kind kind, int more)
{
    bosc_formula_step *step = &p->out->step[p->out->n++];

    p->waiting += more;
    assert(p->out->n <= p->end - p->text && p->waiting >= 1 &&
           p->waiting <= BOSC_FORMULA_STACK);
    step->kind = kind;
    return step;
}

static void add_one(parser *p, double (*one)(double))
{
    add(p, BOSC_FORMULA_ONE, 0)->one = one;
}

static void add_two(parser *p, double (*two)(double, double))
{
    add(p, BOSC_FORMULA_TWO, -1)->two = two;
}

static bool enter(parser *p)
{
    if (++p->depth <= BOSC_FORMULA_DEEPEST)
        return true;
    return fail(p, p->at, "more than %d levels of brackets",
                BOSC_FORMULA_DEEPEST);
}

/* Behind a bracket that 'open' opens. */
static bool close(parser *p, const char *open, const char *bracket)
{
    if (take(p, bracket))
        return true;
    if (p->at == p->end)
        return fail(p, open, "this bracket is not closed");
    return unexpected(p, *bracket == ')' ? "an operator or ')'" : "'}'");
}

static bool parse_number(parser *p)
{
    const char *begin = p->at;
    double value = 0;
    const char *after = bosc_number_parse(begin, p->end, &value);

    if (after == NULL)
        return fail(p, begin, "this number is too long");
    if (!isfinite(value))
        return fail(p, begin, "this number is too large");
    p->at = after;
    if (p->at < p->end && is_letter(*p->at))
        return unexpected(p, "an operator");
    skip_blanks(p);
    add(p, BOSC_FORMULA_NUMBER, 1)->number = value;
    return true;
}

static bool parse_arguments(parser *p, const char *name,
                            const bosc_formula_function *f)
{
    const char *open = p->at;
    int n = 0;

    take(p, "(");
    while (!(n == 0 && take(p, ")"))) {
        if (n == f->most)
            break;
        if (!parse_expression(p))
            return false;
        if (++n > 1 && f->two != NULL)
            add_two(p, f->two);
        if (take(p, ","))
            continue;
        if (!close(p, open, ")"))
            return false;
        if (n >= f->least)
            return true;
        break;
    }
    return fail(p, name, "'%s' takes %d%s argument%s, not %s%d", f->name,
                f->least, f->least < f->most ? " or more" : "",
                f->most > 1 ? "s" : "", n == f->most ? "over " : "", n);
}

/* Which of the caller's names stands at p->at, n characters long; -1: none. */
static int find_name(const parser *p, int n)
{
    for (int i = 0; i < p->n_names; ++i)
        if (is_word(p->at, n, p->names[i]))
            return i;
    return -1;
}

/* The function whose name that is; NULL: none. */
static const bosc_formula_function *find_function(const parser *p, int n)
{
    const bosc_formula_function *f;
    int i = 0;

    while ((f = bosc_formula_function_at(i)) != NULL &&
           !is_word(p->at, n, f->name))
        ++i;
    return f;
}

static bool no_function(const parser *p, int n)
{
    const char *known[WORD];
    char word[WORD + 1], hint[300];
    int rows = 0;

    snprintf(word, sizeof word, "%.*s", n, p->at);
    if (find_name(p, n) >= 0)
        return fail(p, p->at, "'%s' is no function; is a '*' missing?", word);
    for (; bosc_formula_function_at(rows) != NULL; ++rows)
        known[rows] = bosc_formula_function_at(rows)->name;
    return fail(p, p->at, "there is no function '%s'; %s", word,
                bosc_did_you_mean(word, (size_t)rows, known, "there are", hint,
                                  sizeof hint));
}

static bool no_name(const parser *p, int n)
{
    char word[WORD + 1], hint[300];

    snprintf(word, sizeof word, "%.*s", n, p->at);
    if (find_function(p, n) != NULL)
        return fail(p, p->at, "'%s' is a function; write %s(...)", word, word);
    if (p->n_names == 0)
        return fail(p, p->at, "there is no name '%s' here", word);
    return fail(p, p->at, "there is no name '%s'; %s", word,
                bosc_did_you_mean(word, (size_t)p->n_names, p->names,
                                  "there are", hint, sizeof hint));
}

/* The function that is called at p->at by a name of n characters. */
static bool parse_call(parser *p, int n)
{
    const bosc_formula_function *f = find_function(p, n);
    const char *name = p->at;

    if (f == NULL)
        return no_function(p, n);
    p->at += n;
    skip_blanks(p);
    if (!parse_arguments(p, name, f))
        return false;
    if (f->one != NULL)
        add_one(p, f->one);
    if (f->least == 3)
        add(p, BOSC_FORMULA_IF, -2);
    return true;
}

/* The name of n characters at p->at. */
static bool parse_name(parser *p, int n)
{
    const int i = find_name(p, n);

    if (i < 0)
        return no_name(p, n);
    add(p, BOSC_FORMULA_VALUE, 1)->name = i;
    p->at += n;
    skip_blanks(p);
    return true;
}

static bool is_reserved(const char *text, int n)
{
    static const char *const words[] = {"and", "or", "not", "if", "else"};

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (is_word(text, n, words[i]))
            return true;
    return false;
}

/* A name, or a call, with what may stand before it. */
static bool parse_word(parser *p)
{
    static const char *const modules[] = {"math", "numpy", "np"};
    int n = name_length(p);
    bool called, of_module = false;

    for (size_t i = 0; i < BOSC_LEN(modules); ++i)
        if (is_word(p->at, n, modules[i]) && p->at[n] == '.') {
            p->at += n + 1;
            n = name_length(p);
            of_module = true;
            if (n == 0)
                return unexpected(p, "the name of a function");
            break;
        }

    parser behind = *p;

    behind.at += n;
    skip_blanks(&behind);
    called = *behind.at == '(';
    if (is_reserved(p->at, n) && !(called && is_word(p->at, n, "if")))
        return unexpected(p, "a number, a name or '('");
    if (called)
        return parse_call(p, n);
    if (!is_word(p->at, n, "pi") || (!of_module && find_name(p, n) >= 0))
        return of_module ? unexpected(p, "the name of a function")
                         : parse_name(p, n);
    p->at += n;
    skip_blanks(p);
    add(p, BOSC_FORMULA_NUMBER, 1)->number = 0x1.921fb54442d18p+1;
    return true;
}

static bool parse_primary(parser *p)
{
    const char *open = p->at;

    if (is_letter(*p->at))
        return parse_word(p);
    if (bosc_is_digit(*p->at) || (*p->at == '.' && bosc_is_digit(p->at[1])))
        return parse_number(p);
    if (take(p, "("))
        return parse_expression(p) && close(p, open, ")");
    if (take(p, "{")) {
        const int n = name_length(p);

        if (n == 0)
            return unexpected(p, "a name");
        return parse_name(p, n) && close(p, open, "}");
    }
    return unexpected(p, "a number, a name or '('");
}

/* Signs, and what they stand before: a power. */
static bool parse_signed(parser *p)
{
    const char *signs = p->at, *behind;

    while (take(p, "-") || take(p, "+") || take(p, "!"))
        ;
    behind = p->at;
    if (!parse_primary(p))
        return false;
    if (take(p, "^") || take(p, "**")) {
        if (!enter(p) || !parse_signed(p))
            return false;
        --p->depth;
        add_two(p, bosc_formula_power);
    }
    while (behind-- > signs)
        if (*behind == '-' || *behind == '!')
            add_one(p, *behind == '-' ? bosc_formula_negate : bosc_formula_not);
    return true;
}

/* An operator of this level; NULL: none stands here. */
static const bosc_formula_operator *take_operator(parser *p,
                                                  bosc_formula_level level)
{
    const bosc_formula_operator *o;

    for (int i = 0; (o = bosc_formula_operator_at(i)) != NULL; ++i)
        if (o->level == level &&
            (take(p, o->sign) || (o->word != NULL && take(p, o->word))))
            return o;
    return NULL;
}

static bool parse_not(parser *p)
{
    int n = 0;

    while (take(p, "not"))
        ++n;
    if (!parse_level(p, BOSC_FORMULA_NOT_WORD + 1))
        return false;
    while (n-- > 0)
        add_one(p, bosc_formula_not);
    return true;
}

/* Operators of this level and closer ones; those of one level from the left. */
static bool parse_level(parser *p, bosc_formula_level level)
{
    const bosc_formula_operator *o;
    const char *where;

    if (level == BOSC_FORMULA_SIGNED)
        return parse_signed(p);
    if (level == BOSC_FORMULA_NOT_WORD)
        return parse_not(p);
    if (!parse_level(p, level + 1))
        return false;
    for (int n = 1; where = p->at, (o = take_operator(p, level)) != NULL; ++n) {
        if (n > 1 && level == BOSC_FORMULA_COMPARISON)
            return fail(p, where,
                        "a third value is compared; write a < b and b < c");
        if (!parse_level(p, level + 1))
            return false;
        add_two(p, o->two);
    }
    return true;
}

static bool parse_expression(parser *p)
{
    if (!enter(p) || !parse_level(p, BOSC_FORMULA_OR))
        return false;
    if (take(p, "if")) {
        if (!parse_level(p, BOSC_FORMULA_OR))
            return false;
        if (!take(p, "else"))
            return unexpected(p, "an operator or 'else'");
        if (!parse_expression(p))
            return false;
        add(p, BOSC_FORMULA_IF_ELSE, -2);
    }
    --p->depth;
    return true;
}

bosc_status bosc_formula_parse(const char *text, int n_names,
                               const char *const *names, bosc_formula **out,
                               bosc_error *err)
{
    const size_t n = strlen(text);
    parser p = {.text = text,
                .at = text,
                .end = text + n,
                .n_names = n_names,
                .names = names,
                .err = err};

    if (n > BOSC_FORMULA_LONGEST)
        return bosc_fail(err, BOSC_EFORMAT,
                         "column %d: a formula has at most %d characters, "
                         "not %zu",
                         BOSC_FORMULA_LONGEST + 1, BOSC_FORMULA_LONGEST, n);
    p.out = bosc_alloc(1, sizeof *p.out + n * sizeof p.out->step[0]);
    if (p.out == NULL)
        return bosc_no_memory(err, "a formula");
    skip_blanks(&p);
    if (!parse_expression(&p) ||
        (p.at < p.end && !unexpected(&p, "an operator or the end"))) {
        bosc_formula_destroy(p.out);
        return BOSC_EFORMAT;
    }
    *out = p.out;
    return BOSC_OK;
}
