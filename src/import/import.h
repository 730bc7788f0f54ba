/* import.h - models of cells as others publish them -> the text of a job.
 *
 * Serial code: no MPI.  Three kinds of sources are read: fits of the Allen Cell
 * Types Database (<id>_fit.json with a morphology), packages of the Blue Brain
 * Project (EModelRunner's config.ini, BluePyEModel's recipes.json, and the JSON
 * files that these name), and folders as BluePyOpt's examples/l5pc/config.  The
 * text is a job of one such cell with a step of current at its soma; comments
 * in it say where it comes from and what had to be decided.  Nothing of a
 * source is left out without a comment; what has no counterpart in a job is an
 * error that names the file, the path in it, the value and the remedy.
 *
 *     source.h   JSON and what stands where in it; notes for the comments
 *     cell.h     statements "parameter x is y in these locations", in the order
 *                of the source -> the regions of a job
 *     mods.h     which parameters and ions a mechanism has
 */
#ifndef BOSC_SRC_IMPORT_IMPORT_H
#define BOSC_SRC_IMPORT_IMPORT_H

#include "src/base/status.h"

typedef enum bosc_import_kind {
    BOSC_IMPORT_ALLEN,
    BOSC_IMPORT_BBP,
    BOSC_IMPORT_BLUEPYOPT,
    BOSC_N_IMPORT_KINDS
} bosc_import_kind;

/* "allen", "bbp", "bluepyopt". */
extern const char *const bosc_import_kinds[BOSC_N_IMPORT_KINDS];

/* What is imported, and what the caller decides instead of the source; NULL:
 * what the source says, or what lies beside it. */
typedef struct bosc_import_how {
    bosc_import_kind kind;
    const char *source;     /* a file or a folder */
    const char *morphology; /* a file */
    const char *mechanisms; /* a folder of mod files */
    const char *values;     /* JSON: values of free parameters */
    const char *model;      /* the name of one of several models */
    const char *axon;       /* the rule that replaces the axon; "none" */
    const char *job;        /* the file that the text is for: its paths are
                               relative to the folder of that; NULL: beside the
                               source; "-": the working folder */
    const char *command;    /* for a comment */
} bosc_import_how;

/* Make the text of a job, and the path of the file that it is for.  Both are
 * free()d by the caller; on failure they are untouched.  Reads files, writes
 * none.  BOSC_EIO, BOSC_EFORMAT, BOSC_EVALUE, BOSC_EUSAGE or BOSC_ENOMEM. */
bosc_status bosc_import_text(const bosc_import_how *how, char **job,
                             char **text, bosc_error *err);

#endif
