/* options.h - the options of a command: one table, from which its command line
 * is parsed, its help printed, and its messages made.
 *
 * Serial code.  A row names an option, and the field of the command's own
 * struct that it sets:
 *
 *     static const bosc_option rows[] = {
 *         {"output", 'o', "FILE", BOSC_OPTION_TEXT, offsetof(request, output),
 *          .help = "write the results to FILE"},
 *         {"ranks", 0, "N", BOSC_OPTION_INT32, offsetof(request, ranks), 1, 64,
 *          .help = "number of MPI ranks"},
 *     };
 *
 * The struct holds the defaults before the command line is parsed; the help
 * shows them.  Every command also has -h and --help.
 */
#ifndef BOSC_SRC_TEXT_OPTIONS_H
#define BOSC_SRC_TEXT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/status.h"

typedef enum bosc_option_type {
    BOSC_OPTION_FLAG,   /* bool */
    BOSC_OPTION_TEXT,   /* const char * */
    BOSC_OPTION_TEXTS,  /* bosc_texts: the option may be repeated */
    BOSC_OPTION_INT32,  /* int32_t or int, from least to most */
    BOSC_OPTION_INT64,  /* int64_t or uint64_t, from least to most */
    BOSC_OPTION_REAL,   /* double, from least to most */
    BOSC_OPTION_BYTES,  /* double: "141GB", "24 GiB"; "1e9", not below 1e6 */
    BOSC_OPTION_CHOICE, /* int or an enum: which of 'choices' */
    BOSC_OPTION_CALL,   /* no field: 'then' takes the text */
    BOSC_OPTION_PRINT,  /* 'print' runs instead of the command; where that is
                           NULL, the command prints if its field, a bool, is
                           set: then there may be no words, and no options */
    BOSC_OPTION_ABSENT  /* users may try it; refused with 'help', not listed */
} bosc_option_type;

typedef struct bosc_texts {
    int n;
    const char **text; /* [n], free()d by the caller; the texts are argv's */
} bosc_texts;

typedef struct bosc_option {
    const char *name;     /* "output" is --output */
    char letter;          /* 'o' is -o; 0: none */
    const char *argument; /* its value as the help calls it; NULL: no value */
    bosc_option_type type;
    size_t field;       /* offset in the command's struct */
    double least, most; /* of numbers; most >= 2^62: no limit */
    const char *help;
    const char *const *choices; /* [most + 1] */
    /* Called with the option's text after the field is set; NULL: not. */
    bosc_status (*then)(const struct bosc_option *option, const char *text,
                        void *out, bosc_error *err);
    void (*print)(FILE *file);
    unsigned commands; /* bits of the commands that have it; 0: all */
} bosc_option;

/* The command line of one command.  Lines of 'about' and 'notes' are
 * paragraphs, and are broken to fit; one that begins with a blank is printed as
 * it stands. */
typedef struct bosc_options {
    const char *program;  /* NULL: "bosc" */
    const char *command;  /* "run" */
    const char *argument; /* what else it takes, "FILE"; NULL: nothing */
    bool many;        /* several of these, at least one; else exactly one, */
    bool optional;    /* or none */
    const char *hint; /* where there are too many: what else may be meant */
    const char *about, *notes; /* before and after the options; notes or NULL */
    void (*more)(FILE *file);  /* prints the end of the help, or NULL */
    size_t n;
    const bosc_option *rows; /* [n] */
    unsigned commands;       /* the bit of this command, with shared rows */
} bosc_options;

/* What is left of argv. */
typedef struct bosc_arguments {
    bool done; /* the help, or the like, was printed; there is nothing to do */
    int n;
    char **word; /* [n] in argv, whose options now come first */
} bosc_arguments;

/* Parse argv[1] to argv[argc - 1] into *out, a struct with its defaults. */
bosc_status bosc_options_parse(const bosc_options *options, int argc,
                               char **argv, void *out,
                               bosc_arguments *arguments, bosc_error *err);

/* The whole number that is the text of option 'name'. */
bosc_status bosc_option_whole(const char *name, const char *text, double least,
                              double most, int64_t *out, bosc_error *err);

/* The program and the words of argv, for the history of a file; free()d by the
 * caller.  NULL without memory. */
char *bosc_command_line(const char *program, int argc, char *const *argv);

#endif
