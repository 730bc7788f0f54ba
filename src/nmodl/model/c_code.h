/* c_code.h - the C of VERBATIM that NMODL could say: arithmetic, 'if', loops,
 * calls, variables that are double or int, 'return'.
 *
 * Serial code: no MPI.  What is parsed is the tree that the same statements of
 * NMODL would make (tree.h); an int is a number that is cut where C cuts it.
 * Pointers, structs, casts to other types and 'static' variables that change
 * are not understood.
 */
#ifndef BOSC_SRC_NMODL_MODEL_C_CODE_H
#define BOSC_SRC_NMODL_MODEL_C_CODE_H

#include "src/nmodl/syntax/tree.h"

/* The code without comments, directives and needless blanks: one line. */
char *bosc_nm_c_squeeze(bosc_nm_arena *arena, const char *code);

/* Behind a bracket that opens at the text: behind its end, or the end. */
const char *bosc_nm_c_behind_bracket(const char *text);

/* Behind the first statement of a squeezed text. */
const char *bosc_nm_c_behind(const char *text);

/* The length of the first statement of the text where it is one that changes
 * nothing; 0: it may. */
typedef size_t bosc_nm_c_idle(const char *text);

typedef struct bosc_nm_c {
    bosc_nm_arena *arena;
    bosc_nm_place place;  /* of what is made */
    const char *result;   /* what 'return x' assigns to; NULL: not a FUNCTION */
    bosc_nm_c_idle *idle; /* statements to be left out */
    const char *text;     /* squeezed; what is not parsed yet */
    bosc_nm_list names;   /* variables that were declared */
    const char *unknown;  /* where parsing has ended: not understood, or NULL */
} bosc_nm_c;

/* Append the statements of the text up to its end; false, with 'unknown', where
 * one is not understood. */
bool bosc_nm_c_parse(bosc_nm_c *c, bosc_nm_list *out);

/* The function of that name in C of the file, squeezed: its arguments
 * (bosc_nm_item), and its body; *value: it returns a number.  NULL: the text
 * has none, or with arguments that are pointers. */
const char *bosc_nm_c_function(bosc_nm_arena *arena, const char *text,
                               const char *name, bosc_nm_list *arguments,
                               bool *value);

/* The number that '#define NAME number' of C of the file gives; false: none. */
bool bosc_nm_c_define(const char *code, const char *name, double *value);

#endif
