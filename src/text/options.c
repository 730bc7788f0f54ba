#include "src/text/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"
#include "src/text/wrap.h"

enum { MAX_OPTIONS = 64, LONGEST = 40, FIRST_CODE = 256 };

static const bosc_option help_row = {
    "help", 'h', NULL, BOSC_OPTION_PRINT, 0, .help = "print this help"};

/* The rows of one command, and the same as getopt_long() wants them: the code
 * of row i is FIRST_CODE + i. */
typedef struct parser {
    const bosc_options *options;
    int n;
    const bosc_option *row[MAX_OPTIONS];
    struct option list[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 2];
} parser;

static void add_row(parser *p, const bosc_option *row)
{
    const bool valued = row->argument != NULL;

    if (p->n == MAX_OPTIONS)
        return;
    if (row->letter != 0)
        snprintf(strchr(p->letters, '\0'), 3, "%c%s", row->letter,
                 valued ? ":" : "");
    p->list[p->n] =
        (struct option){row->name,
                        row->type == BOSC_OPTION_ABSENT ? optional_argument
                        : valued                        ? required_argument
                                                        : no_argument,
                        NULL, FIRST_CODE + p->n};
    p->row[p->n++] = row;
}

static parser parser_of(const bosc_options *options)
{
    parser p = {.options = options, .letters = ":"};

    for (size_t i = 0; i < options->n; ++i)
        if (options->rows[i].commands == 0 ||
            (options->rows[i].commands & options->commands) != 0)
            add_row(&p, &options->rows[i]);
    add_row(&p, &help_row);
    return p;
}

static const char *program_of(const bosc_options *options)
{
    return options->program != NULL ? options->program : "bosc";
}

/* --- the help ------------------------------------------------------------ */

static void print_paragraphs(FILE *file, const char *text)
{
    for (size_t n; text != NULL && *text != '\0';
         text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (*text == ' ')
            fprintf(file, "%.*s\n", (int)n, text);
        else
            bosc_wrap_print(file, 0, "", "%.*s", (int)n, text);
    }
}

static void add_default(bosc_wrap *w, const bosc_option *row, const void *out)
{
    const char *field = (const char *)out + row->field;
    const char *text = NULL;
    double number = 0;
    int32_t whole = 0;

    if (row->type == BOSC_OPTION_TEXT)
        memcpy(&text, field, sizeof text);
    if (row->type == BOSC_OPTION_INT32 || row->type == BOSC_OPTION_CHOICE)
        memcpy(&whole, field, sizeof whole);
    if (row->type == BOSC_OPTION_REAL)
        memcpy(&number, field, sizeof number);
    if (row->type == BOSC_OPTION_INT64) {
        int64_t value;

        memcpy(&value, field, sizeof value);
        number = (double)value;
    }
    if (row->type == BOSC_OPTION_CHOICE)
        text = whole >= 0 ? row->choices[whole] : NULL;
    else if (whole != 0)
        number = whole;
    if (text != NULL)
        bosc_wrap_add(w, " (default %s)", text);
    else if (number != 0 && number >= row->least)
        bosc_wrap_add(w, " (default %g)", number);
}

static char *label_of(const bosc_option *row, char label[LONGEST])
{
    char letter[] = "-x,";

    letter[1] = row->letter;
    snprintf(label, LONGEST, "  %3s --%s%s%s", row->letter != 0 ? letter : "",
             row->name, row->argument != NULL ? " " : "",
             row->argument != NULL ? row->argument : "");
    return label;
}

static void print_help(const parser *p, const void *out, FILE *file)
{
    const bosc_options *o = p->options;
    int indent = 0;

    fprintf(file, "usage: %s %s%s%s%s [OPTION]...\n\n", program_of(o),
            o->command, o->argument != NULL ? " " : "",
            o->argument != NULL ? o->argument : "", o->many ? "..." : "");
    print_paragraphs(file, o->about);
    putc('\n', file);
    for (int i = 0; i < p->n; ++i) {
        const int width = (int)strlen(label_of(p->row[i], (char[LONGEST]){0}));

        if (p->row[i]->type == BOSC_OPTION_ABSENT)
            continue;
        indent = width + 2 > indent ? width + 2 : indent;
    }
    for (int i = 0; i < p->n; ++i) {
        if (p->row[i]->type == BOSC_OPTION_ABSENT)
            continue;

        bosc_wrap w = bosc_wrap_begin(file, indent, "%s",
                                      label_of(p->row[i], (char[LONGEST]){0}));

        bosc_wrap_add(&w, " %s", p->row[i]->help);
        add_default(&w, p->row[i], out);
        bosc_wrap_end(&w);
    }
    if (o->notes != NULL)
        putc('\n', file);
    print_paragraphs(file, o->notes);
    if (o->more != NULL)
        o->more(file);
}

/* --- refused options ----------------------------------------------------- */

/* True for "-abc" with 'c' in it and a letter behind that: getopt_long() has
 * not moved past such a word yet. */
static bool is_inside(const char *word, int c)
{
    return word != NULL && word[0] == '-' && word[1] != '-' &&
           strlen(word) > 2 && memchr(word + 1, c, strlen(word) - 2) != NULL;
}

/* The option as the user wrote it: the letter ("-x") where it is one of short
 * options written together, else the word.  'letter' is room for the former. */
static const char *refused(char *const *argv, char letter[3])
{
    const bool inside = optopt != 0 && is_inside(argv[optind], optopt);
    const char *word = argv[inside ? optind : optind - 1];

    /* of a long option optopt is the code, 0 when it is unknown */
    if (strncmp(word, "--", 2) == 0 || optopt <= 0 || optopt > 127)
        return word;
    letter[0] = '-';
    letter[1] = (char)optopt;
    letter[2] = '\0';
    return letter;
}

/* Fail for the option that getopt_long() has just refused with '?' or ':'. */
static bosc_status fail_option(const parser *p, int code, char *const *argv,
                               bosc_error *err)
{
    const char *word = refused(argv, (char[3]){0}), *meant = NULL;
    const bool spelled = strncmp(word, "--", 2) == 0;
    const char *names[MAX_OPTIONS];
    char name[LONGEST];
    size_t n = 0;

    if (spelled) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="),
                 word + 2);
        for (int i = 0; i < p->n; ++i)
            if (p->row[i]->type != BOSC_OPTION_ABSENT)
                names[n++] = p->row[i]->name;
        meant = bosc_suggest(name, n, names);
    }
    if (code == '?' && !(spelled && optopt != 0) && meant != NULL)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: no such option; did you mean '--%s'?", word,
                         meant);
    return bosc_fail(err, BOSC_EUSAGE, "%s: %s; see %s %s --help", word,
                     code == ':'              ? "needs a value"
                     : spelled && optopt != 0 ? "takes no value"
                                              : "no such option",
                     program_of(p->options), p->options->command);
}

/* --- values -------------------------------------------------------------- */

bosc_status bosc_option_whole(const char *name, const char *text, double least,
                              double most, int64_t *out, bosc_error *err)
{
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10); /* all of 64 bits; else "1e5" */
    if (((end != text && *end == '\0' && errno == 0) ||
         bosc_number_whole(text, strchr(text, '\0'), out)) &&
        (double)*out >= least && (double)*out <= most)
        return BOSC_OK;
    if (most >= 0x1p62)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %s: not a whole number from %.0f on", name, text,
                         least);
    return bosc_fail(err, BOSC_EUSAGE,
                     "--%s %s: not a whole number from %.0f to %.0f", name,
                     text, least, most);
}

/* How many bytes a unit is, in any case of letters; 0: it is none. */
static double unit_bytes(const char *unit)
{
    static const char letters[] = "KMGT";

    unit += strspn(unit, " ");
    if (*unit == '\0' || strcasecmp(unit, "B") == 0)
        return 1;

    const char *letter = strchr(letters, toupper((unsigned char)*unit));
    const bool binary = strcasecmp(unit + 1, "iB") == 0;
    double bytes = 1;

    if (letter == NULL ||
        !(binary || unit[1] == '\0' || strcasecmp(unit + 1, "B") == 0))
        return 0;
    for (const char *p = letters; p <= letter; ++p)
        bytes *= binary ? 1024 : 1000;
    return bytes;
}

static bosc_status read_real(const bosc_option *row, const char *text,
                             double *out, bosc_error *err)
{
    const char *end = strchr(text, '\0');
    const char *rest = bosc_number_parse(text, end, out);

    if (row->type == BOSC_OPTION_REAL) {
        if (rest == end && *out >= row->least && *out <= row->most)
            return BOSC_OK;
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %s: not a number from %g to %g", row->name, text,
                         row->least, row->most);
    }

    const double unit = rest != NULL ? unit_bytes(rest) : 0;

    if (rest == end && *out >= 1 && *out < 1e6)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %s: the unit is missing; write it such as %sGB",
                         row->name, text, text);

    if (unit <= 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %s: not a number of bytes; write it such as "
                         "141GB",
                         row->name, text);
    *out *= unit;
    if (*out >= 1 && *out < 1e18)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE,
                     "--%s %s: no device has so many bytes; it must be at "
                     "least 1 and below 1e18, such as 141GB",
                     row->name, text);
}

/* A number that the user wrote takes the place of " N " in the help. */
static bosc_status fail_absent(const bosc_option *row, const char *text,
                               bosc_error *err)
{
    const char *n = strstr(row->help, " N ");

    if (n == NULL || text == NULL || text[0] == '\0' ||
        text[strspn(text, "0123456789")] != '\0')
        return bosc_fail(err, BOSC_EUSAGE, "--%s: no such option; %s",
                         row->name, row->help);
    return bosc_fail(err, BOSC_EUSAGE, "--%s %s: no such option; %.*s %s%s",
                     row->name, text, (int)(n - row->help), row->help, text,
                     n + 2);
}

static bosc_status read_choice(const bosc_option *row, const char *text,
                               int32_t *out, bosc_error *err)
{
    const int32_t n = (int32_t)row->most + 1;
    char meant[200];

    for (*out = 0; *out < n; ++*out)
        if (strcmp(row->choices[*out], text) == 0)
            return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE, "--%s %s: unknown; %s", row->name, text,
                     bosc_did_you_mean(text, (size_t)n, row->choices,
                                       "available:", meant, sizeof meant));
}

static bosc_status add_text(bosc_texts *texts, const char *text,
                            bosc_error *err)
{
    const size_t n = (size_t)texts->n + 1;
    const char **longer = realloc(texts->text, n * sizeof *longer);

    if (longer == NULL)
        return bosc_no_memory(err, "the command line");
    longer[texts->n++] = text;
    texts->text = longer;
    return BOSC_OK;
}

/* Set the field of an option; 'text' is its value, NULL where it has none. */
static bosc_status take(const bosc_option *row, const char *text, void *out,
                        bosc_error *err)
{
    void *field = (char *)out + row->field;
    bosc_status st = BOSC_OK;
    int64_t whole = 0;
    int32_t small = 0;
    double real = 0;

    switch (row->type) {
    case BOSC_OPTION_FLAG:
        memcpy(field, &(bool){true}, sizeof(bool));
        break;
    case BOSC_OPTION_TEXT:
        memcpy(field, &text, sizeof text);
        if (text[0] == '\0')
            st = bosc_fail(err, BOSC_EUSAGE,
                           "--%s: the value is empty; give %s, or leave the "
                           "option out",
                           row->name, row->argument);
        break;
    case BOSC_OPTION_TEXTS:
        st = add_text(field, text, err);
        break;
    case BOSC_OPTION_INT32:
    case BOSC_OPTION_INT64:
        st = bosc_option_whole(row->name, text, row->least, row->most, &whole,
                               err);
        small = (int32_t)whole;
        if (st == BOSC_OK && row->type == BOSC_OPTION_INT32)
            memcpy(field, &small, sizeof small);
        else if (st == BOSC_OK)
            memcpy(field, &whole, sizeof whole);
        break;
    case BOSC_OPTION_REAL:
    case BOSC_OPTION_BYTES:
        st = read_real(row, text, &real, err);
        if (st == BOSC_OK)
            memcpy(field, &real, sizeof real);
        break;
    case BOSC_OPTION_CHOICE:
        st = read_choice(row, text, &small, err);
        if (st == BOSC_OK)
            memcpy(field, &small, sizeof small);
        break;
    case BOSC_OPTION_CALL:
    case BOSC_OPTION_PRINT:
        break;
    case BOSC_OPTION_ABSENT:
        return fail_absent(row, text, err);
    }
    return st == BOSC_OK && row->then != NULL ? row->then(row, text, out, err)
                                              : st;
}

/* --- the command line ---------------------------------------------------- */

/* The row of the next option; NULL at the end, or, with *code '?' or ':', for
 * one that is refused. */
static const bosc_option *next_row(const parser *p, int argc, char **argv,
                                   int *code)
{
    *code = getopt_long(argc, argv, p->letters, p->list, NULL);
    if (*code >= FIRST_CODE)
        return p->row[*code - FIRST_CODE];
    for (int i = 0; i < p->n; ++i)
        if (p->row[i]->letter != 0 && p->row[i]->letter == *code)
            return p->row[i];
    return NULL;
}

static bosc_status check_words(const bosc_options *o, int n, char **word,
                               bosc_error *err)
{
    if (o->argument == NULL && n > 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "unexpected argument '%s'; see %s %s --help", word[0],
                         program_of(o), o->command);
    if (o->argument != NULL && n == 0 && !o->optional)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s is missing; usage: %s %s %s%s [OPTION]...",
                         o->argument, program_of(o), o->command, o->argument,
                         o->many ? "..." : "");
    if (o->argument != NULL && n > 1 && !o->many)
        return bosc_fail(err, BOSC_EUSAGE,
                         "unexpected argument '%s'; give one %s%s", word[1],
                         o->argument, o->hint != NULL ? o->hint : "");
    return BOSC_OK;
}

bosc_status bosc_options_parse(const bosc_options *options, int argc,
                               char **argv, void *out,
                               bosc_arguments *arguments, bosc_error *err)
{
    const parser p = parser_of(options);
    const bosc_option *row;
    int code;

    *arguments = (bosc_arguments){0};
    opterr = 0;
    optind = 0; /* glibc: start afresh */
    while ((row = next_row(&p, argc, argv, &code)) != NULL)
        if (row->type == BOSC_OPTION_PRINT) { /* with the defaults in *out */
            arguments->done = true;
            if (row == &help_row)
                print_help(&p, out, stdout);
            else if (row->print != NULL)
                row->print(stdout);
            else
                *(bool *)((char *)out + row->field) = true;
            if (row == &help_row || row->print != NULL)
                return BOSC_OK;
        }
    if (arguments->done) {
        arguments->n = argc - optind;
        arguments->word = argv + optind;
        return BOSC_OK;
    }
    optind = 0;
    while ((row = next_row(&p, argc, argv, &code)) != NULL) {
        const bosc_status st = take(row, optarg, out, err);

        if (st != BOSC_OK)
            return st;
    }
    if (code != -1)
        return fail_option(&p, code, argv, err);
    arguments->n = argc - optind;
    arguments->word = argv + optind;
    return check_words(options, arguments->n, arguments->word, err);
}

char *bosc_command_line(const char *program, int argc, char *const *argv)
{
    size_t bytes = strlen(program) + 1;
    char *text;

    for (int i = 0; i < argc; ++i)
        bytes += strlen(argv[i]) + 1;
    if ((text = malloc(bytes)) == NULL)
        return NULL;
    strcpy(text, program);
    for (int i = 0; i < argc; ++i)
        strcat(strcat(text, " "), argv[i]);
    return text;
}
