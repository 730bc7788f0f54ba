#include "src/nmodl/syntax/lex.h"

#include <string.h>

#include "src/text/number.h"

enum { DEEPEST_INCLUDE = 16 };

/* Where the lexer is in a source. */
typedef struct cursor {
    bosc_nm_tokens *out;
    const bosc_nm_source *source;
    const char *at, *end;
    int line, depth; /* files that include one another */
    bool first;      /* no token yet in this line */
} cursor;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool ends_line(const char *at, const char *end)
{
    return at == end || *at == '\n' || *at == '\r';
}

static bosc_nm_place place_of(const cursor *c)
{
    return (bosc_nm_place){c->source, c->line,
                           (size_t)(c->at - c->source->text)};
}

/* Go over the end of a line. */
static void next_line(cursor *c)
{
    if (c->at[0] == '\r' && c->at + 1 < c->end && c->at[1] == '\n')
        ++c->at;
    ++c->at;
    ++c->line;
    c->first = true;
}

static void skip_line(cursor *c)
{
    while (!ends_line(c->at, c->end))
        ++c->at;
}

/* Does this word stand here, and no longer one? */
static bool stands(const cursor *c, const char *word)
{
    const size_t n = strlen(word);

    return (size_t)(c->end - c->at) >= n && memcmp(c->at, word, n) == 0 &&
           (c->at + n == c->end ||
            !(is_letter(c->at[n]) || bosc_is_digit(c->at[n])));
}

/* Go behind the word that ends a block of free text; the text's end, or NULL
 * where the file ends first. */
static const char *skip_to(cursor *c, const char *word)
{
    while (c->at < c->end) {
        const bool fresh = c->at == c->source->text ||
                           !(is_letter(c->at[-1]) || bosc_is_digit(c->at[-1]));

        if (fresh && stands(c, word)) {
            const char *stop = c->at;

            c->at += strlen(word);
            return stop;
        }
        if (ends_line(c->at, c->end))
            next_line(c);
        else
            ++c->at;
    }
    return NULL;
}

static bosc_nm_token *add(cursor *c, bosc_nm_token_kind kind,
                          bosc_nm_place place)
{
    bosc_nm_token *token = bosc_nm_new(c->out->arena, 1, sizeof *token);

    *token = (bosc_nm_token){
        .kind = kind, .text = "", .first = c->first, .place = place};
    c->first = false;
    bosc_nm_push(c->out->arena, &c->out->all, token);
    return token;
}

static void lex_file(cursor *c);

static void lex_include(cursor *c, bosc_nm_place place)
{
    bosc_nm_tokens *out = c->out;

    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        ++c->at;
    const char *begin = c->at;
    if (begin == c->end || *begin != '"') {
        bosc_nm_refuse(out->problems, place, "write INCLUDE \"name\"",
                       "INCLUDE without the name of a file in quotes");
        return;
    }
    for (++c->at; !ends_line(c->at, c->end) && *c->at != '"';)
        ++c->at;
    const char *name =
        bosc_nm_copy(out->arena, begin + 1, (size_t)(c->at - begin - 1));
    if (c->at < c->end && *c->at == '"')
        ++c->at;
    if (c->depth == DEEPEST_INCLUDE) {
        bosc_nm_refuse(out->problems, place, "does a file include itself?",
                       "%d files include one another", DEEPEST_INCLUDE);
        return;
    }

    const bosc_nm_source *source =
        out->include == NULL
            ? NULL
            : out->include(out->with, out->arena, c->source, name);
    if (source == NULL) {
        bosc_nm_refuse(out->problems, place,
                       "put it beside the file that includes it",
                       "the file '%s' cannot be read", name);
        return;
    }
    lex_file(&(cursor){.out = out,
                       .source = source,
                       .at = source->text,
                       .end = source->text + source->bytes,
                       .line = 1,
                       .depth = c->depth + 1,
                       .first = true});
}

/* VERBATIM and COMMENT, up to their ends. */
static void lex_free_text(cursor *c, bosc_nm_place place, bool is_code)
{
    const char *word = is_code ? "ENDVERBATIM" : "ENDCOMMENT";
    const char *begin = c->at, *end = skip_to(c, word);

    if (end == NULL)
        bosc_nm_refuse(c->out->problems, place, "", "there is no %s", word);
    else if (is_code)
        add(c, BOSC_NM_C_CODE, place)->text =
            bosc_nm_copy(c->out->arena, begin, (size_t)(end - begin));
}

/* Words that change nothing here: units are not converted, and instances of a
 * mechanism share no variables. */
static bool is_idle(const char *word)
{
    static const char *const words[] = {"UNITSON",     "UNITSOFF",
                                        "THREADSAFE",  "MUTEXLOCK",
                                        "MUTEXUNLOCK", "PROTECT"};

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* REPRESENTS NCIT:C17145, a term of an ontology: here ':' is no comment. */
static void skip_term(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        ++c->at;
    while (!ends_line(c->at, c->end) && *c->at != ' ' && *c->at != '\t' &&
           *c->at != '}')
        ++c->at;
}

static void lex_word(cursor *c)
{
    const bosc_nm_place place = place_of(c);
    const char *begin = c->at;

    while (c->at < c->end && (is_letter(*c->at) || bosc_is_digit(*c->at)))
        ++c->at;

    const size_t n = (size_t)(c->at - begin);
    const char *word = bosc_nm_copy(c->out->arena, begin, n);

    if (strcmp(word, "TITLE") == 0)
        skip_line(c);
    else if (strcmp(word, "COMMENT") == 0)
        lex_free_text(c, place, false);
    else if (strcmp(word, "VERBATIM") == 0)
        lex_free_text(c, place, true);
    else if (strcmp(word, "INCLUDE") == 0)
        lex_include(c, place);
    else if (strcmp(word, "REPRESENTS") == 0)
        skip_term(c);
    else if (!is_idle(word))
        add(c, BOSC_NM_WORD, place)->text = word;
}

static void lex_number(cursor *c)
{
    const bosc_nm_place place = place_of(c);
    const char *begin = c->at;

    while (c->at < c->end && bosc_is_digit(*c->at))
        ++c->at;
    if (c->at < c->end && *c->at == '.')
        for (++c->at; c->at < c->end && bosc_is_digit(*c->at);)
            ++c->at;
    if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
        const char *power = c->at + 1;

        power += power < c->end && (*power == '+' || *power == '-');
        if (power < c->end && bosc_is_digit(*power)) {
            for (c->at = power; c->at < c->end && bosc_is_digit(*c->at);)
                ++c->at;
        }
    }

    bosc_nm_token *token = add(c, BOSC_NM_DIGITS, place);

    token->text = bosc_nm_copy(c->out->arena, begin, (size_t)(c->at - begin));
    if (bosc_number_parse(begin, c->at, &token->value) != c->at)
        bosc_nm_refuse(c->out->problems, place, "", "'%.40s' is not a number",
                       token->text);
}

static void lex_quoted(cursor *c)
{
    const bosc_nm_place place = place_of(c);
    const char *begin = ++c->at;

    while (!ends_line(c->at, c->end) && *c->at != '"')
        c->at += *c->at == '\\' && !ends_line(c->at + 1, c->end) ? 2 : 1;
    add(c, BOSC_NM_QUOTED, place)->text =
        bosc_nm_copy(c->out->arena, begin, (size_t)(c->at - begin));
    if (c->at < c->end && *c->at == '"')
        ++c->at;
    else
        bosc_nm_refuse(c->out->problems, place, "", "a quote is not closed");
}

/* Any character may be one: units hold what expressions do not. */
static void lex_sign(cursor *c)
{
    static const char *const signs[] = {
        "<->", "<<", "->", "<=", ">=", "==", "!=", "&&", "||"};
    const size_t left = (size_t)(c->end - c->at);
    size_t n = 1;

    for (size_t i = 0; i < BOSC_LEN(signs); ++i)
        if (strlen(signs[i]) <= left && strlen(signs[i]) > n &&
            memcmp(c->at, signs[i], strlen(signs[i])) == 0)
            n = strlen(signs[i]);
    add(c, BOSC_NM_SIGN, place_of(c))->text =
        bosc_nm_copy(c->out->arena, c->at, n);
    c->at += n;
}

static void lex_file(cursor *c)
{
    while (c->at < c->end) {
        const char now = *c->at;

        if (ends_line(c->at, c->end))
            next_line(c);
        else if (now == ' ' || now == '\t' || now == '\f' || now == ';')
            ++c->at;
        else if (now == ':' || now == '?')
            skip_line(c);
        else if (is_letter(now))
            lex_word(c);
        else if (bosc_is_digit(now) ||
                 (now == '.' && c->at + 1 < c->end && bosc_is_digit(c->at[1])))
            lex_number(c);
        else if (now == '"')
            lex_quoted(c);
        else
            lex_sign(c);
    }
}

void bosc_nm_lex(bosc_nm_tokens *tokens, const bosc_nm_source *source)
{
    cursor c = {.out = tokens,
                .source = source,
                .at = source->text,
                .end = source->text + source->bytes,
                .line = 1,
                .first = true};

    lex_file(&c);
    /* the end is reported in the last line that has something */
    if (tokens->all.n > 0) {
        const bosc_nm_token *last = tokens->all.item[tokens->all.n - 1];

        add(&c, BOSC_NM_END, last->place)->first = true;
    } else {
        add(&c, BOSC_NM_END, (bosc_nm_place){source, 0, 0})->first = true;
    }
}

const char *bosc_nm_between(bosc_nm_arena *arena, const bosc_nm_token *from,
                            const bosc_nm_token *to)
{
    const size_t begin = from->place.at + strlen(from->text);

    if (from->place.source != to->place.source || to->place.at < begin)
        return "";
    return bosc_nm_copy(arena, from->place.source->text + begin,
                        to->place.at - begin);
}
