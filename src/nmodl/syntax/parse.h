/* parse.h - what the files of the parser share: a recursive descent over the
 * tokens of a file.
 *
 * Serial code: no MPI.  A function returns false (or NULL) after it has noted a
 * problem; then its block is given up, and the parser goes on at the next one.
 */
#ifndef BOSC_SRC_NMODL_SYNTAX_PARSE_H
#define BOSC_SRC_NMODL_SYNTAX_PARSE_H

#include "src/nmodl/syntax/file.h"

/* Statements and expressions within one another; deeper ones are refused before
 * they exhaust the stack; so are longer expressions, whose trees are as deep.
 */
enum { BOSC_NM_DEEPEST = 200, BOSC_NM_MOST_OPERATORS = 2000 };

typedef struct bosc_nm_parser {
    bosc_nm_arena *arena;
    bosc_nm_problems *problems;
    bosc_nm_token **token; /* [n], the last one is END */
    int at, n;
    int depth;
    int operators; /* of the expression at hand */
    bosc_nm_file *file;
} bosc_nm_parser;

/* --- the way over the tokens, in parse_token.c --- */

/* The token at hand, and the one k further on (END behind the end). */
const bosc_nm_token *bosc_nm_now(const bosc_nm_parser *p);
const bosc_nm_token *bosc_nm_ahead(const bosc_nm_parser *p, int k);

/* Go on to the next one; at END it stays. */
void bosc_nm_advance(bosc_nm_parser *p);

/* Is it this word or sign? */
bool bosc_nm_at(const bosc_nm_parser *p, const char *text);

/* If it is, go on. */
bool bosc_nm_take(bosc_nm_parser *p, const char *text);

/* If it is not, that is a problem. */
bool bosc_nm_expect(bosc_nm_parser *p, const char *text);

/* A name that is no keyword; NULL after a problem.  'what' says of what. */
const char *bosc_nm_take_name(bosc_nm_parser *p, const char *what);

/* Note that something else was expected here.  False. */
bool bosc_nm_unexpected(bosc_nm_parser *p, const char *wanted);

/* If a bracket opens here, go over it as a unit; its text, "" where there is
 * none.  NULL after a problem. */
const char *bosc_nm_take_unit(bosc_nm_parser *p);

/* A number, with its sign, or the name of one that DEFINE gives. */
bool bosc_nm_take_number(bosc_nm_parser *p, double *value);

/* "[n]" where a bracket opens; *size is 0 where none does. */
bool bosc_nm_take_size(bosc_nm_parser *p, int *size);

/* Go over a block in braces without reading it. */
bool bosc_nm_skip_braces(bosc_nm_parser *p);

/* True for the words that begin a block of a file. */
bool bosc_nm_begins_block(const char *word);

/* Enter one level; false, with a problem, where that is too deep.  The caller
 * leaves it. */
bool bosc_nm_enter(bosc_nm_parser *p);
void bosc_nm_leave(bosc_nm_parser *p);

/* --- the parts of the grammar, a file parse_*.c each --- */

bosc_nm_expr *bosc_nm_parse_expr(bosc_nm_parser *p);
bool bosc_nm_parse_body(bosc_nm_parser *p, bosc_nm_list *body);   /* { ... } */
bool bosc_nm_parse_names(bosc_nm_parser *p, bosc_nm_list *names); /* a, b[2] */
bool bosc_nm_parse_neuron(bosc_nm_parser *p);
bool bosc_nm_parse_variables(bosc_nm_parser *p, bosc_nm_where where);
bool bosc_nm_parse_units(bosc_nm_parser *p);

#endif
