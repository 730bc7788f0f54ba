/* cmd_mods.c - 'bosc mods check': which mod files bosc understands; 'bosc mods
 * build': what jobs load; 'bosc mods translate': what it makes of one. */
#include "src/cli/commands.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/job.h"
#include "src/mods/mods.h"
#include "src/mods/own_file.h"
#include "src/mods/translate.h"
#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "src/nmodl/report.h"
#include "src/text/file_kind.h"
#include "src/text/options.h"
#include "src/text/path.h"

typedef struct request {
    bool brief, tsv;
} request;

static const bosc_option rows[] = {
    {"quiet", 'q', NULL, BOSC_OPTION_FLAG, offsetof(request, brief),
     .help = "print problems, but no tables of parameters, states and ions"},
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, offsetof(request, tsv),
     .help = "print tab-separated values, a line a file"},
};

static const bosc_options options = {
    .command = "mods check",
    .argument = "PATH",
    .many = true,
    .about = "Read mod files, written in NEURON's NMODL, and say which of them "
             "bosc understands: accepted files with their parameters, states "
             "and ions, refused ones with file, line, statement and remedy of "
             "every problem.  PATH is a file, or a folder whose files *.mod "
             "are read.",
    .notes = "A parameter that is RANGE may differ between compartments; a "
             "GLOBAL one has one value.  Functions and procedures that neither "
             "INITIAL, BREAKPOINT nor NET_RECEIVE uses are left out.  The exit "
             "code is 1 if a file is refused.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

/* An accepted mechanism and its file. */
typedef struct known {
    struct known *next;
    char *name, *path;
} known;

typedef struct tally {
    long files, refused;
    known *all;
} tally;

/* A job has one mechanism of a name: refuse the second. */
static bosc_status note(tally *count, const char *name, const char *path,
                        bosc_error *err)
{
    known *one;

    for (const known *other = count->all; other != NULL; other = other->next)
        if (strcmp(other->name, name) == 0) {
            printf("%s: mechanism %s is in %s, too; rename one, or keep one of "
                   "the files\n\n",
                   path, name, other->path);
            ++count->refused;
            return BOSC_OK;
        }
    one = bosc_alloc(1, sizeof *one);
    if (one == NULL)
        return bosc_no_memory(err, path);
    *one = (known){count->all, strdup(name), strdup(path)};
    count->all = one;
    return one->name != NULL && one->path != NULL ? BOSC_OK
                                                  : bosc_no_memory(err, path);
}

static void forget(known *one)
{
    while (one != NULL) {
        known *next = one->next;

        free(one->name);
        free(one->path);
        free(one);
        one = next;
    }
}

/* Refuse what a job cannot name. */
static void check_names(bosc_nm_result *r)
{
    const char *why;

    bosc_mods_check_name(r);
    if (!r->accepted || setjmp(*bosc_nm_arena_end(r->arena)) != 0)
        return;
    why = bosc_mech_name_problem(r->mechanism->name,
                                 r->mechanism->kind == BOSC_NM_POINT_PROCESS);
    if (why == NULL)
        return;
    bosc_nm_refuse(&r->problems, r->mechanism->file->name_place, "rename it",
                   "%s", why);
    r->accepted = false;
}

/* Tell under which names a job has parameters that are keys of its own. */
static void print_renamed(const bosc_nm_result *r)
{
    for (int i = 0; i < r->program->params.n; ++i) {
        const char *name =
            ((const bosc_nm_symbol *)r->program->params.item[i])->name;

        if (bosc_param_is_key(name))
            printf("  in a job  '%s' is '%s_%s', as '%s' is a key of every "
                   "entry\n\n",
                   name, name, r->mechanism->name, name);
    }
}

static bosc_status check_file(const char *path, bosc_nm_report_form form,
                              tally *count, bosc_error *err)
{
    bosc_nm_result result;
    bosc_status st = bosc_nm_translate_file(path, &result, err);

    if (st != BOSC_OK)
        return st;
    check_names(&result);
    bosc_nm_report(stdout, path, &result.problems, result.mechanism, form);
    if (result.accepted && form == BOSC_NM_TABLES &&
        result.mechanism->kind == BOSC_NM_POINT_PROCESS)
        print_renamed(&result);
    ++count->files;
    count->refused += !result.accepted;
    if (result.accepted && form != BOSC_NM_TSV)
        st = note(count, result.mechanism->name, path, err);
    bosc_nm_result_clear(&result);
    return st;
}

static bosc_status check_folder(const char *path, bosc_nm_report_form form,
                                tally *count, bosc_error *err)
{
    glob_t found;
    bosc_status st = bosc_mods_list(path, &found, err);

    if (st != BOSC_OK)
        return st;
    for (size_t i = 0; i < found.gl_pathc && st == BOSC_OK; ++i)
        st = check_file(found.gl_pathv[i], form, count, err);
    globfree(&found);
    return st;
}

static bosc_status check(int argc, char **argv, bosc_error *err)
{
    request r = {.brief = false};
    tally count = {0};
    bosc_arguments paths;
    bosc_status st = bosc_options_parse(&options, argc, argv, &r, &paths, err);
    const bosc_nm_report_form form = r.tsv     ? BOSC_NM_TSV
                                     : r.brief ? BOSC_NM_BRIEF
                                               : BOSC_NM_TABLES;

    if (st != BOSC_OK || paths.done)
        return st;
    bosc_nm_report_head(stdout, form);
    for (int i = 0; i < paths.n && st == BOSC_OK; ++i)
        st = (bosc_is_folder(paths.word[i]) ? check_folder : check_file)(
            paths.word[i], form, &count, err);
    forget(count.all);
    if (st != BOSC_OK)
        return st;
    if (form != BOSC_NM_TSV)
        printf("%ld of %ld files accepted\n", count.files - count.refused,
               count.files);
    return count.refused == 0
               ? BOSC_OK
               : bosc_fail(err, BOSC_EFORMAT, "%ld of %ld files are refused",
                           count.refused, count.files);
}

/* ---- translate ---- */

static const bosc_options translate_options = {
    .command = "mods translate",
    .argument = "FILE",
    .about = "Print the C text that bosc makes of a mod file: a header like "
             "those of the built-in mechanisms in kernels/mech, for CPUs and "
             "GPUs.",
};

static bosc_status translate(int argc, char **argv, bosc_error *err)
{
    bosc_arguments file;
    bosc_nm_result result;
    bosc_status st =
        bosc_options_parse(&translate_options, argc, argv, NULL, &file, err);

    if (st != BOSC_OK || file.done)
        return st;
    st = bosc_nm_translate_file(file.word[0], &result, err);
    if (st != BOSC_OK)
        return st;
    if (result.accepted) {
        bosc_nm_emit(stdout, result.program);
    } else {
        bosc_nm_report(stderr, file.word[0], &result.problems, result.mechanism,
                       BOSC_NM_BRIEF);
        st = bosc_fail(err, BOSC_EFORMAT, "%s: is refused", file.word[0]);
    }
    bosc_nm_result_clear(&result);
    return st;
}

/* ---- build ---- */

typedef struct build_request {
    const char *output;
} build_request;

static const bosc_option build_rows[] = {
    {"output", 'o', "NAME.bmod", BOSC_OPTION_TEXT,
     offsetof(build_request, output),
     .help = "the file to be written (required)"},
};

static const bosc_options build_options = {
    .command = "mods build",
    .argument = "PATH",
    .many = true,
    .about = "Translate mod files, or those of folders, and compile them for "
             "all processors that this build of bosc knows, into a file that "
             "jobs name: 'mechanisms: [NAME.bmod]'.  A job may name the mod "
             "files themselves as well; then it needs a C compiler where it "
             "runs, the first time.",
    .notes = "The file fits this version of bosc, and processors of this "
             "kind.  Files of a folder that are refused are told of and left "
             "out.",
    .n = BOSC_LEN(build_rows),
    .rows = build_rows,
};

/* Write it, and say so where jobs will refuse it. */
static bosc_status write_image(const char *path, const bosc_mods_image *image,
                               bosc_error *err)
{
    unsigned char *bytes = NULL;
    size_t size;
    bosc_error why;
    bosc_status st;

    bosc_path_make_folders(path, 0755);
    st = bosc_own_file_write(path, image->bytes, image->size, err);
    if (st == BOSC_OK &&
        bosc_own_file_read(path, &bytes, &size, &why) == BOSC_EVALUE)
        fprintf(stderr,
                "warning: jobs will refuse %s; make the folder yours alone "
                "(chmod go-w), or build in another one\n",
                why.text);
    free(bytes);
    return st;
}

static bosc_status build(int argc, char **argv, bosc_error *err)
{
    build_request r = {.output = NULL};
    bosc_mods mods = {.n = 0};
    bosc_arguments paths;
    bosc_status st =
        bosc_options_parse(&build_options, argc, argv, &r, &paths, err);

    if (st != BOSC_OK || paths.done)
        return st;
    if (r.output == NULL)
        return bosc_fail(err, BOSC_EUSAGE,
                         "where to? add '-o NAME.bmod', the file to be "
                         "written");
    if (strlen(r.output) < 6 ||
        strcmp(r.output + strlen(r.output) - 5, ".bmod") != 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--output %s: jobs know such a file by its ending: "
                         "write %s.bmod",
                         r.output, r.output);
    st = bosc_mods_build(paths.n, paths.word, true, &mods, err);
    for (const char *line = mods.refused; line != NULL && *line != '\0';) {
        const int n = (int)strcspn(line, "\t"), all = (int)strcspn(line, "\n");

        fprintf(stderr, "%.*s is left out: %.*s\n", n, line, all - n - 1,
                line + n + 1);
        line += all + (line[all] == '\n');
    }
    if (st == BOSC_OK)
        st = write_image(r.output, mods.image, err);
    bosc_mods_clear(&mods);
    return st;
}

/* ---- which of them ---- */

/* What they do, and the help of those that have options. */
static bosc_status help(bosc_error *err)
{
    char name[] = "check", option[] = "--help";
    char *argv[] = {name, option};

    puts("usage: bosc mods check PATH... [OPTION]...\n"
         "       bosc mods build PATH... -o NAME.bmod\n"
         "       bosc mods translate FILE\n\n"
         "Read mod files, mechanisms written in NEURON's NMODL: say which are "
         "understood,\nbuild them for jobs, or print the C text that is made "
         "of one.\n");
    const bosc_status st = check(2, argv, err);

    putchar('\n');
    return st == BOSC_OK ? build(2, argv, err) : st;
}

bosc_status bosc_cmd_mods(int argc, char **argv, bosc_error *err)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0)
        return help(err);
    if (strcmp(what, "check") == 0)
        return check(argc - 1, argv + 1, err);
    if (strcmp(what, "build") == 0)
        return build(argc - 1, argv + 1, err);
    if (strcmp(what, "translate") == 0)
        return translate(argc - 1, argv + 1, err);
    return bosc_fail(err, BOSC_EUSAGE,
                     "%s%swhat about mod files? bosc mods check PATH..., "
                     "bosc mods build PATH... or bosc mods translate FILE; see "
                     "bosc mods --help",
                     what, argc > 1 ? ": " : "");
}
