#include "src/morphology/read/asc_lex.h"

#include <string.h>

#include "src/text/number.h"

static bool is_word(char c)
{
    return bosc_is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static bool is_end_of_line(char c)
{
    return c == '\n' || c == '\r';
}

/* Over blanks and comments.  CR LF is one end of a line, CR alone another. */
static void skip(bosc_asc_lex *lex)
{
    for (; lex->at < lex->end; ++lex->at) {
        const char c = *lex->at;

        if (c == ';') {
            while (lex->at + 1 < lex->end && !is_end_of_line(lex->at[1]))
                ++lex->at;
        } else if (is_end_of_line(c)) {
            lex->line +=
                c == '\n' || lex->at + 1 == lex->end || lex->at[1] != '\n';
        } else if (c != ' ' && c != '\t' && c != '\v' && c != '\f') {
            return;
        }
    }
}

static void read_string(bosc_asc_lex *lex, bosc_asc_token *t)
{
    const char *p = lex->at + 1;

    t->p = p;
    while (p < lex->end && *p != '"' && !is_end_of_line(*p))
        ++p;
    t->n = (size_t)(p - t->p);
    t->kind =
        p < lex->end && *p == '"' ? BOSC_ASC_STRING : BOSC_ASC_OPEN_STRING;
    lex->at = t->kind == BOSC_ASC_STRING ? p + 1 : p;
}

static bool read_number(bosc_asc_lex *lex, bosc_asc_token *t)
{
    const char *p = lex->at;

    if (!bosc_is_digit(*p) && *p != '.' && *p != '+' && *p != '-')
        return false;
    p = bosc_number_parse(p, lex->end, &t->value);
    if (p == NULL)
        return false;
    t->kind = BOSC_ASC_NUMBER;
    lex->at = p;
    return true;
}

void bosc_asc_next(bosc_asc_lex *lex)
{
    bosc_asc_token t = {.kind = BOSC_ASC_END};

    skip(lex);
    t.line = lex->line;
    t.p = lex->at;
    if (lex->at == lex->end) {
        lex->token = t;
        return;
    }
    if (*lex->at == '"') {
        read_string(lex, &t);
    } else if (read_number(lex, &t)) {
        t.n = (size_t)(lex->at - t.p);
    } else if (is_word(*lex->at)) {
        t.kind = BOSC_ASC_WORD;
        while (lex->at < lex->end && is_word(*lex->at))
            ++lex->at;
        t.n = (size_t)(lex->at - t.p);
    } else {
        t.kind = BOSC_ASC_CHARACTER;
        t.character = *lex->at++;
        t.n = 1;
    }
    lex->token = t;
}

bosc_asc_lex bosc_asc_lex_of(const char *text, size_t bytes)
{
    const size_t mark =
        bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    bosc_asc_lex lex = {.at = text + mark, .end = text + bytes, .line = 1};

    bosc_asc_next(&lex);
    return lex;
}

bosc_asc_token bosc_asc_peek(const bosc_asc_lex *lex)
{
    bosc_asc_lex copy = *lex;

    bosc_asc_next(&copy);
    return copy.token;
}

bool bosc_asc_is(const bosc_asc_token *token, const char *word)
{
    return token->n == strlen(word) && memcmp(token->p, word, token->n) == 0;
}
