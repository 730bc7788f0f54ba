/* cmd_merge.c - 'bosc merge': its command line. */
#include "src/cli/commands.h"

#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/merge/merge.h"
#include "src/text/options.h"
#include "src/text/path.h"

typedef struct request {
    bool overwrite, quiet;
} request;

#define FIELD(member) offsetof(request, member)

static const bosc_option rows[] = {
    {"overwrite", 0, NULL, BOSC_OPTION_FLAG, FIELD(overwrite),
     .help = "replace RESULT.nc, whatever it holds, and use nothing of it"},
    {"quiet", 'q', NULL, BOSC_OPTION_FLAG, FIELD(quiet),
     .help = "print what is wrong only"},
};

static const bosc_options options = {
    .command = "merge",
    .argument = "RESULT.nc [PART.nc]",
    .many = true,
    .about =
        "Merge results of members of one sweep, as 'bosc run' writes those of "
        "a group or of some members, into RESULT.nc.  Without parts these are "
        "RESULT.group*.nc and RESULT.member*.nc.",
    .notes = "Members that RESULT.nc has already stay in it.  Of a member that "
             "several files have that counts which has not failed, else that "
             "of the part named last.  What cannot be read is left out; where "
             "members are missing then, or have failed, the message names them "
             "and the exit code is 65.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

/* The parts of a result that stand beside it. */
static bosc_status find_parts(const char *output, glob_t *found,
                              bosc_error *err)
{
    static const char *const kinds[] = {"group*", "member*"};
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < BOSC_LEN(kinds); ++i) {
        char *name = bosc_path_insert(output, kinds[i]);
        char *pattern = name;

        if (pattern == NULL)
            return bosc_no_memory(err, "the names of parts");
        if (glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, found) == GLOB_NOSPACE)
            st = bosc_no_memory(err, "the names of parts");
        free(pattern);
    }
    if (st == BOSC_OK && found->gl_pathc == 0)
        st = bosc_fail(err, BOSC_ENOINPUT,
                       "%s: there is no part beside it; name the files to "
                       "merge: bosc merge RESULT.nc PART.nc ...",
                       output);
    return st;
}

bosc_status bosc_cmd_merge(int argc, char **argv, bosc_error *err)
{
    char *command =
        bosc_command_line("bosc", argc, argv); /* before it is sorted */
    request r = {0};
    bosc_arguments words = {0};
    bosc_merged merged;
    glob_t found = {0};
    char *output = NULL; /* a link leads to it, and the parts are beside it */
    bosc_status st;

    bosc_signals_catch();
    st = command == NULL
             ? bosc_no_memory(err, "the command line")
             : bosc_options_parse(&options, argc, argv, &r, &words, err);
    if (st == BOSC_OK && !words.done &&
        (output = bosc_path_target(words.word[0])) == NULL)
        st = bosc_no_memory(err, words.word[0]);
    if (st == BOSC_OK && !words.done && words.n == 1)
        st = find_parts(output, &found, err);
    if (st == BOSC_OK && !words.done) {
        const bosc_merge_request merge = {
            .output = output,
            .command = command,
            .program = "bosc merge",
            .overwrite = r.overwrite,
            .n = words.n > 1 ? words.n - 1 : (int)found.gl_pathc,
            .path = (const char *const *)(words.n > 1 ? words.word + 1
                                                      : found.gl_pathv)};

        st = bosc_merge(&merge, &merged, err);
        if (st == BOSC_OK && !r.quiet)
            printf("wrote %s: %d of %d members\n", merge.output,
                   merged.n_members, merged.n_all);
        if (st == BOSC_OK)
            st = bosc_merged_judge(&merge, &merged, err);
    }
    globfree(&found);
    free(output);
    free(command);
    return st;
}
