/* how.h - what is imported, and what the caller decides.
 *
 * A leaf.
 */
#ifndef BOSC_SRC_IMPORT_HOW_H
#define BOSC_SRC_IMPORT_HOW_H

#include <stdbool.h>

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

    /* For the key 'model' of a population.  The text has only what the model
     * says: no protocol, no morphology where the job gives its own, no mod
     * files that it has.  Messages name keys of the job, not options. */
    bool of_job;
    int n_mods;
    char *const *mods; /* [n_mods] of the job: files and folders, which come
                          before those that lie beside the source */
    bool (*has_mod)(void *models, const char *path); /* Has another model of
                                                        the job this mod file,
                                                        too? */
    void *models;                                    /* for has_mod */
} bosc_import_how;

#endif
