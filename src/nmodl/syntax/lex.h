/* lex.h - from the text of a mod file to tokens.
 *
 * Serial code: no MPI.  Comments (':' and '?' to the end of the line, COMMENT
 * to ENDCOMMENT) and TITLE are left out; the C code between VERBATIM and
 * ENDVERBATIM is one token; the tokens of a file that INCLUDE names stand in
 * its place.  Lines end with LF, CR LF or CR.
 *
 * Units are no tokens: "(mV)" is a bracket, a name and a bracket, and only the
 * parser knows where a unit may stand; bosc_nm_between() gives its characters.
 */
#ifndef BOSC_SRC_NMODL_SYNTAX_LEX_H
#define BOSC_SRC_NMODL_SYNTAX_LEX_H

#include <stdbool.h>

#include "src/nmodl/syntax/problem.h"

typedef enum bosc_nm_token_kind {
    BOSC_NM_END,
    BOSC_NM_WORD,   /* a name or a keyword */
    BOSC_NM_DIGITS, /* a number */
    BOSC_NM_QUOTED, /* a text in quotes; 'text' is without them */
    BOSC_NM_C_CODE, /* what stands between VERBATIM and ENDVERBATIM */
    BOSC_NM_SIGN    /* an operator or a bracket, of up to three characters */
} bosc_nm_token_kind;

typedef struct bosc_nm_token {
    bosc_nm_token_kind kind;
    const char *text; /* as written */
    double value;     /* of a number */
    bool first;       /* of its line */
    bosc_nm_place place;
} bosc_nm_token;

/* Gives the text of the file that 'from' includes as 'name', in the arena;
 * NULL: it cannot be read. */
typedef const bosc_nm_source *bosc_nm_includer(void *with, bosc_nm_arena *arena,
                                               const bosc_nm_source *from,
                                               const char *name);

typedef struct bosc_nm_tokens {
    bosc_nm_arena *arena;
    bosc_nm_problems *problems;
    bosc_nm_includer *include;
    void *with;       /* the first argument of 'include' */
    bosc_nm_list all; /* bosc_nm_token, the last one is END */
} bosc_nm_tokens;

/* Append the tokens of a source, and END.  What is wrong goes to the
 * problems. */
void bosc_nm_lex(bosc_nm_tokens *tokens, const bosc_nm_source *source);

/* The characters from the end of token 'from' to the beginning of token 'to',
 * in one file; "" where these are not. */
const char *bosc_nm_between(bosc_nm_arena *arena, const bosc_nm_token *from,
                            const bosc_nm_token *to);

#endif
