/* nmodl.h - from a mod file to a mechanism that is understood, or to all
 * reasons why it is not.
 *
 * Serial code: no MPI.  This folder is a translator of NMODL, the language of
 * NEURON's mechanisms.  It knows neither neurons nor jobs: text goes in, and
 * problems, a description and C text come out.
 *
 *     syntax/  text -> tokens -> tree (lex.h, parse.h, tree.h)
 *     model/   declarations -> symbols, names bound, what is refused (model.h)
 *     passes/  blocks -> entries of straight code: calls and loops written out,
 *              derivatives, methods, states that are hidden (program.h)
 *     emit/    entries -> C text (emit.h)
 */
#ifndef BOSC_SRC_NMODL_NMODL_H
#define BOSC_SRC_NMODL_NMODL_H

#include "src/base/status.h"
#include "src/nmodl/passes/program.h"

/* Larger files are refused: none is known with over 100 kB. */
enum { BOSC_NM_LONGEST_FILE = 1 << 18 };

/* What became of one file.  Everything is in the arena; clear it. */
typedef struct bosc_nm_result {
    bosc_nm_arena *arena;
    bosc_nm_problems problems;    /* by line */
    bosc_nm_mechanism *mechanism; /* NULL where the file could not be read */
    bosc_nm_program *program;     /* NULL where the file is refused */
    bool accepted;                /* no problem but warnings */
} bosc_nm_result;

/* Translate a text that messages call 'name'.  INCLUDEs are read beside 'name'
 * if files is true, else refused.  BOSC_OK even where the file is refused;
 * BOSC_ENOMEM. */
bosc_status bosc_nm_translate(const char *name, const char *text, size_t bytes,
                              bool files, bosc_nm_result *result,
                              bosc_error *err);

/* The same for a file.  What cannot be read is a problem of the result. */
bosc_status bosc_nm_translate_file(const char *path, bosc_nm_result *result,
                                   bosc_error *err);

/* The same for a file, or with 'text' for that, and with variables that are
 * kept as states for probes: "hh.ina", also of other mechanisms, then NULL; all
 * else has the same bits. */
bosc_status bosc_nm_translate_shown(const char *name, const char *text,
                                    const char *const *shown,
                                    bosc_nm_result *result, bosc_error *err);

void bosc_nm_result_clear(bosc_nm_result *result);

#endif
