/* problem.h - places in mod files, and what is wrong there.
 *
 * Serial code: no MPI.  A file is not refused at its first problem: all are
 * kept, with file, line, the statement and the remedy, so that a user sees what
 * a folder of files needs at once.
 */
#ifndef BOSC_SRC_NMODL_SYNTAX_PROBLEM_H
#define BOSC_SRC_NMODL_SYNTAX_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "src/nmodl/syntax/arena.h"

/* A text with the name that messages call it by. */
typedef struct bosc_nm_source {
    const char *name;
    const char *text; /* [bytes], and a NUL behind it */
    size_t bytes;
} bosc_nm_source;

typedef struct bosc_nm_place {
    const bosc_nm_source *source;
    int line;  /* from 1; 0: the file as a whole */
    size_t at; /* offset of a character of that line */
} bosc_nm_place;

/* One problem.  A warning does not refuse the file. */
typedef struct bosc_nm_problem {
    bosc_nm_place place;
    bool warning;
    const char *statement; /* the line of the file, shortened; "": none */
    const char *what, *remedy;
} bosc_nm_problem;

/* The problems of one file, in the order in which they were found. */
typedef struct bosc_nm_problems {
    bosc_nm_arena *arena;
    bosc_nm_list all; /* bosc_nm_problem */
    int n_errors;
} bosc_nm_problems;

/* The number of problems of a file that are kept; damaged files have thousands.
 */
enum { BOSC_NM_MOST_PROBLEMS = 50 };

/* Note what is wrong at a place, and what to do about it ("" : nothing to
 * add).  A second one with the same words in the same line is dropped. */
void bosc_nm_refuse(bosc_nm_problems *problems, bosc_nm_place place,
                    const char *remedy, const char *format, ...)
    BOSC_PRINTF(4, 5);
void bosc_nm_warn(bosc_nm_problems *problems, bosc_nm_place place,
                  const char *remedy, const char *format, ...)
    BOSC_PRINTF(4, 5);

/* "file:line: 'statement': what; remedy". */
const char *bosc_nm_problem_text(bosc_nm_arena *arena,
                                 const bosc_nm_problem *problem);

#endif
