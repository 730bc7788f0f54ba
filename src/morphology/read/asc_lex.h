/* asc_lex.h - the words of a Neurolucida file in ASCII; for asc*.c only.
 *
 * They are those of NEURON's reader (lex() of read_nlcda3.hoc): numbers, words
 * of letters, digits and '_', strings in quotes that end on their line, and
 * single characters; ';' begins a comment.
 */
#ifndef BOSC_SRC_MORPHOLOGY_READ_ASC_LEX_H
#define BOSC_SRC_MORPHOLOGY_READ_ASC_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum bosc_asc_kind {
    BOSC_ASC_END,
    BOSC_ASC_NUMBER,
    BOSC_ASC_WORD,
    BOSC_ASC_STRING,
    BOSC_ASC_OPEN_STRING, /* a quote without its partner on the line */
    BOSC_ASC_CHARACTER
} bosc_asc_kind;

typedef struct bosc_asc_token {
    bosc_asc_kind kind;
    char character; /* of BOSC_ASC_CHARACTER, else 0 */
    const char *p;  /* of the word, or between the quotes */
    size_t n;
    double value; /* of a number */
    int64_t line; /* from 1 */
} bosc_asc_token;

/* Where reading has come to; a copy goes on from the same place. */
typedef struct bosc_asc_lex {
    const char *at, *end;
    int64_t line;
    bosc_asc_token token; /* the current one */
} bosc_asc_lex;

/* A text with its first token as the current one. */
bosc_asc_lex bosc_asc_lex_of(const char *text, size_t bytes);

/* Go on to the next token; at the end it stays. */
void bosc_asc_next(bosc_asc_lex *lex);

/* The token behind the current one. */
bosc_asc_token bosc_asc_peek(const bosc_asc_lex *lex);

bool bosc_asc_is(const bosc_asc_token *token, const char *word);

#endif
