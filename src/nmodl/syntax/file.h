/* file.h - a parsed mod file: its declarations and its blocks, as written.
 *
 * Serial code: no MPI.  Nothing is checked here but the syntax; model/model.h
 * makes a mechanism of it.
 */
#ifndef BOSC_SRC_NMODL_SYNTAX_FILE_H
#define BOSC_SRC_NMODL_SYNTAX_FILE_H

#include <stdbool.h>

#include "src/nmodl/syntax/lex.h"
#include "src/nmodl/syntax/tree.h"

/* Where a name is declared.  A name may stand in several. */
typedef enum bosc_nm_where {
    BOSC_NM_IN_PARAMETER,
    BOSC_NM_IN_CONSTANT,
    BOSC_NM_IN_ASSIGNED,
    BOSC_NM_IN_STATE,
    BOSC_NM_IN_UNITS,  /* FARADAY = (faraday) (coulomb) */
    BOSC_NM_IN_DEFINE, /* DEFINE n 4 */
    BOSC_NM_IN_LOCAL,  /* LOCAL outside of blocks */
    BOSC_NM_IN_RANGE,  /* from here on lists of the NEURON block */
    BOSC_NM_IN_GLOBAL,
    BOSC_NM_IN_POINTER, /* and BBCOREPOINTER */
    BOSC_NM_IN_EXTERNAL,
    BOSC_NM_IN_CURRENT, /* NONSPECIFIC_CURRENT */
    BOSC_NM_IN_ELECTRODE,
    BOSC_NM_IN_RANDOM
} bosc_nm_where;

typedef struct bosc_nm_declared {
    bosc_nm_where where;
    const char *name;
    const char *unit; /* "" where none is given */
    int size;         /* of an array; 0: a scalar */
    bool has_value, has_limits;
    double value, low, high;
    bosc_nm_place place;
} bosc_nm_declared;

typedef struct bosc_nm_use_ion {
    const char *name;
    bosc_nm_list read, write; /* bosc_nm_item */
    bool has_valence;
    double valence;
    bosc_nm_place place;
} bosc_nm_use_ion;

typedef enum bosc_nm_block_kind {
    BOSC_NM_BLOCK_INITIAL,
    BOSC_NM_BLOCK_BREAKPOINT,
    BOSC_NM_BLOCK_DERIVATIVE,
    BOSC_NM_BLOCK_KINETIC,
    BOSC_NM_BLOCK_LINEAR,
    BOSC_NM_BLOCK_NONLINEAR,
    BOSC_NM_BLOCK_DISCRETE,
    BOSC_NM_BLOCK_FUNCTION,
    BOSC_NM_BLOCK_FUNCTION_TABLE,
    BOSC_NM_BLOCK_PROCEDURE,
    BOSC_NM_BLOCK_NET_RECEIVE,
    BOSC_NM_BLOCK_BEFORE, /* and AFTER */
    BOSC_NM_BLOCK_CONSTRUCTOR,
    BOSC_NM_BLOCK_DESTRUCTOR,
    BOSC_NM_BLOCK_CODE /* VERBATIM outside of blocks: one statement */
} bosc_nm_block_kind;

typedef struct bosc_nm_block {
    bosc_nm_block_kind kind;
    const char *name;       /* "" where there is none */
    const char *moment;     /* of BEFORE and AFTER: "BEFORE STEP"; else NULL */
    bosc_nm_list arguments; /* bosc_nm_item */
    bosc_nm_list body;      /* bosc_nm_stmt */
    bosc_nm_place place;
} bosc_nm_block;

typedef enum bosc_nm_kind {
    BOSC_NM_NO_KIND, /* no NEURON block */
    BOSC_NM_SUFFIX,
    BOSC_NM_POINT_PROCESS,
    BOSC_NM_ARTIFICIAL_CELL
} bosc_nm_kind;

typedef struct bosc_nm_file {
    const bosc_nm_source *source;
    bool broken; /* something could not be parsed, so names may be missing */
    bosc_nm_kind kind;
    const char *name; /* of the mechanism; "" without a NEURON block */
    bosc_nm_place name_place;
    bosc_nm_list declared; /* bosc_nm_declared */
    bosc_nm_list ions;     /* bosc_nm_use_ion */
    bosc_nm_list blocks;   /* bosc_nm_block */
} bosc_nm_file;

/* Parse a source.  What is wrong is added to the problems; the file that is
 * returned has what could be understood. */
bosc_nm_file *bosc_nm_parse(bosc_nm_tokens *tokens,
                            const bosc_nm_source *source);

#endif
