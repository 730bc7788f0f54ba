/* c_parse.h - between the files that parse C of VERBATIM: c_text.c,
 * c_expression.c, c_statement.c.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NMODL_MODEL_C_PARSE_H
#define BOSC_SRC_NMODL_MODEL_C_PARSE_H

#include "src/nmodl/model/c_code.h"

/* What a variable of C is; a CONSTANT is 'const' or 'static'. */
typedef enum bosc_nm_c_type {
    BOSC_NM_C_DOUBLE,
    BOSC_NM_C_INT,
    BOSC_NM_C_CONSTANT,
    BOSC_NM_C_POINTER /* and what else is not understood */
} bosc_nm_c_type;

typedef struct bosc_nm_c_name {
    const char *name;
    bosc_nm_c_type type;
} bosc_nm_c_name;

/* An expression, and whether it is an int of C. */
typedef struct bosc_nm_c_value {
    bosc_nm_expr *e; /* NULL: not understood */
    bool whole;
} bosc_nm_c_value;

/* --- c_text.c --- */

bool bosc_nm_c_is_word(char c);
size_t bosc_nm_c_word_length(const char *text); /* 0: no word stands there */
const char *bosc_nm_c_skip_blank(const char *text);

/* Note where parsing ends; false. */
bool bosc_nm_c_fail(bosc_nm_c *c);

/* Is this what comes next?  A word ends with it. */
bool bosc_nm_c_sees(bosc_nm_c *c, const char *token);
bool bosc_nm_c_take(bosc_nm_c *c, const char *token);
bool bosc_nm_c_expect(bosc_nm_c *c, const char *token);
const char *bosc_nm_c_take_word(bosc_nm_c *c); /* NULL: none */

/* Words of a type that stand next; false: none does. */
bool bosc_nm_c_take_type(bosc_nm_c *c, bosc_nm_c_type *type, bool *constant,
                         bool *outside);

/* --- c_expression.c --- */

const bosc_nm_c_name *bosc_nm_c_find(const bosc_nm_c *c, const char *name);
bosc_nm_expr *bosc_nm_c_use(bosc_nm_c *c, const char *name);

/* As C cuts a number that becomes an int. */
bosc_nm_c_value bosc_nm_c_cut(bosc_nm_c *c, bosc_nm_c_value x);

/* A variable, an element or a call; any expression. */
bosc_nm_c_value bosc_nm_c_parse_name(bosc_nm_c *c);
bosc_nm_c_value bosc_nm_c_parse_value(bosc_nm_c *c);

#endif
