/* cmd_generate.c - 'bosc generate': synthetic morphologies as SWC files. */
#include "src/cli/commands.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/morphology/synthetic.h"
#include "src/text/options.h"

static const char help[] =
    "Usage: bosc generate --class NAME [OPTION]...\n"
    "       bosc generate --compartments N --sections M [OPTION]...\n"
    "\n"
    "Make synthetic neurons that look like real ones, as SWC files.  Cut with\n"
    "'policy: per_sample' each has exactly N compartments (zero-area ones\n"
    "counted) in M sections (the soma is one).\n"
    "\n"
    "  --class NAME         one of the sizes below\n"
    "  --compartments N     at least 2 M + 1\n"
    "  --sections M         at least 2; or 1 with 3 compartments\n"
    "  --seed S             another family of neurons (default 1)\n"
    "  --number K           the first neuron of the family (default 0)\n"
    "  --count C            how many neurons (default 1); C > 1 needs -o "
    "FOLDER/\n"
    "  -o, --output FILE    default: standard output\n"
    "  -o, --output FOLDER/ files synthetic-K.swc, K as wide as the last one\n"
    "  -h, --help\n"
    "\n"
    "  class         compartments  sections\n";

typedef struct request {
    bosc_synthetic what;
    int64_t number, count;
    const char *output; /* NULL: standard output */
    bool help;
} request;

static bosc_status parse_count(const char *option, const char *text,
                               int64_t least, int64_t most, int64_t *value,
                               bosc_error *err)
{
    char *end;

    errno = 0;
    const long long got = strtoll(text, &end, 10);

    if (end == text || *end != '\0' || errno != 0 || got < least || got > most)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %s: not a whole number from %" PRId64
                         " to %" PRId64,
                         option, text, least, most);
    *value = got;
    return BOSC_OK;
}

static bosc_status parse_class(const char *name, bosc_synthetic *what,
                               bosc_error *err)
{
    for (size_t i = 0; i < BOSC_LEN(bosc_synthetic_classes); ++i) {
        const bosc_synthetic_class *c = &bosc_synthetic_classes[i];

        if (strcmp(c->name, name) == 0) {
            what->compartments = c->compartments;
            what->sections = c->sections;
            return BOSC_OK;
        }
    }
    return bosc_fail(err, BOSC_EUSAGE,
                     "--class %s: there is no such class; they are small-low, "
                     "small-high, medium-low, medium-high, big-low, big-high",
                     name);
}

static const struct option options[] = {
    {"class", required_argument, NULL, 'c'},
    {"compartments", required_argument, NULL, 'n'},
    {"sections", required_argument, NULL, 'm'},
    {"seed", required_argument, NULL, 's'},
    {"number", required_argument, NULL, 'k'},
    {"count", required_argument, NULL, 'C'},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bosc_status take_option(int letter, request *r, bosc_error *err)
{
    bosc_status st = BOSC_OK;
    int64_t value = 0;

    switch (letter) {
    case 'c':
        return parse_class(optarg, &r->what, err);
    case 'n':
        st = parse_count("compartments", optarg, 1, INT32_MAX, &value, err);
        r->what.compartments = (int32_t)value;
        return st;
    case 'm':
        st = parse_count("sections", optarg, 1, INT32_MAX, &value, err);
        r->what.sections = (int32_t)value;
        return st;
    case 's':
        st = parse_count("seed", optarg, 0, INT64_MAX, &value, err);
        r->what.seed = (uint64_t)value;
        return st;
    case 'k':
        return parse_count("number", optarg, 0, INT64_MAX / 2, &r->number, err);
    case 'C':
        return parse_count("count", optarg, 1, INT64_MAX / 2, &r->count, err);
    case 'o':
        r->output = optarg;
        return st;
    case 'h':
        r->help = true;
        return st;
    default:
        return BOSC_EUSAGE;
    }
}

static bosc_status parse(int argc, char **argv, request *r, bosc_error *err)
{
    int letter;

    optind = 0; /* glibc: start afresh */
    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (letter == '?' || letter == ':')
            return bosc_option_fail(letter, argv, options, err);
        bosc_status st = take_option(letter, r, err);
        if (st != BOSC_OK || r->help)
            return st;
    }
    if (optind < argc)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: not an option; see bosc generate --help",
                         argv[optind]);
    if (r->what.compartments == 0 || r->what.sections == 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "how large? give --class NAME, or both "
                         "--compartments N and --sections M");
    return bosc_synthetic_check(&r->what, err);
}

static void print_help(void)
{
    fputs(help, stdout);
    for (size_t i = 0; i < BOSC_LEN(bosc_synthetic_classes); ++i)
        printf("  %-12s  %12" PRId32 "  %8" PRId32 "\n",
               bosc_synthetic_classes[i].name,
               bosc_synthetic_classes[i].compartments,
               bosc_synthetic_classes[i].sections);
}

/* Neuron 'number' onto an open file. */
static bosc_status write_neuron(const request *r, int64_t number, FILE *file,
                                const char *path, bosc_error *err)
{
    bosc_swc *swc = NULL;
    bosc_status st = bosc_synthetic_create(&r->what, number, &swc, err);

    if (st == BOSC_OK)
        st = bosc_synthetic_write(&r->what, number, swc, file, path, err);
    if (st == BOSC_OK && fflush(file) != 0)
        st = bosc_fail(err, BOSC_EIO, "%s: cannot write: %s", path,
                       strerror(errno));
    bosc_swc_destroy(swc);
    return st;
}

static bool is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Through a second name, so that 'path' is never half a file; a device or a
 * pipe is written as it is. */
static bosc_status write_file(const request *r, int64_t number,
                              const char *path, bosc_error *err)
{
    struct stat s;
    const bool special = stat(path, &s) == 0 && !S_ISREG(s.st_mode);
    char *name = bosc_format("%s%s", path, special ? "" : ".partial");

    if (name == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", path);

    bosc_status st = BOSC_OK;
    FILE *file = fopen(name, "w");

    if (file == NULL) {
        st = bosc_fail(err, BOSC_EIO, "%s: cannot create: %s", path,
                       strerror(errno));
        goto done;
    }
    st = write_neuron(r, number, file, path, err);
    if (fclose(file) != 0 && st == BOSC_OK)
        st = bosc_fail(err, BOSC_EIO, "%s: cannot write: %s", path,
                       strerror(errno));
    if (st == BOSC_OK && !special && rename(name, path) != 0)
        st = bosc_fail(err, BOSC_EIO, "%s: cannot rename %s to it: %s", path,
                       name, strerror(errno));
    if (st != BOSC_OK && !special)
        remove(name);
done:
    free(name);
    return st;
}

static bosc_status write_folder(const request *r, bosc_error *err)
{
    const int64_t last = r->number + r->count - 1;
    const int width = snprintf(NULL, 0, "%" PRId64, last);
    const size_t length = strlen(r->output);
    const char *slash = r->output[length - 1] == '/' ? "" : "/";
    bosc_status st = BOSC_OK;

    if (mkdir(r->output, 0777) != 0 && !is_folder(r->output))
        return bosc_fail(err, BOSC_EIO, "%s: cannot make the folder: %s",
                         r->output, strerror(errno));
    for (int64_t k = r->number; k <= last && st == BOSC_OK; ++k) {
        char *path = bosc_format("%s%ssynthetic-%0*" PRId64 ".swc", r->output,
                                 slash, width, k);

        if (path == NULL)
            return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", r->output);
        st = write_file(r, k, path, err);
        free(path);
    }
    return st;
}

bosc_status bosc_cmd_generate(int argc, char **argv, bosc_error *err)
{
    request r = {.what.seed = 1, .count = 1};
    const bosc_status st = parse(argc, argv, &r, err);

    if (st != BOSC_OK)
        return st;
    if (r.help) {
        print_help();
        return BOSC_OK;
    }
    if (r.output == NULL && r.count > 1)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--count %" PRId64
                         ": several neurons need a folder; give -o FOLDER/",
                         r.count);
    if (r.output == NULL)
        return write_neuron(&r, r.number, stdout, "standard output", err);
    if (r.output[0] == '\0')
        return bosc_fail(err, BOSC_EUSAGE, "-o: the name is empty");
    if (r.count > 1 || r.output[strlen(r.output) - 1] == '/' ||
        is_folder(r.output))
        return write_folder(&r, err);
    return write_file(&r, r.number, r.output, err);
}
