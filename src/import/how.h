/* how.h - what is imported, and what the caller decides.
 *
 * A leaf.
 */
#ifndef BOSC_SRC_IMPORT_HOW_H
#define BOSC_SRC_IMPORT_HOW_H

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

#endif
