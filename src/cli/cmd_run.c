/* cmd_run.c - 'bosc run': its command line. */
#include "src/cli/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/base/signals.h"
#include "src/job/job.h"
#include "src/run/run.h"
#include "src/sim/mechanisms.h"
#include "src/sweep/models.h"
#include "src/text/options.h"

#define FIELD(member) offsetof(bosc_run_request, member)
#define RANKS "the launcher starts the ranks: mpiexec -n N bosc run JOB.yaml"

static const bosc_option rows[] = {
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(output),
     .help = "write the results to FILE (default the job's output.file)"},
    {"set", 's', "KEY=VALUE", BOSC_OPTION_TEXTS, FIELD(set),
     .help = "override a key of the job, as in --set tstop=5 --set "
             "populations.NAME.count=10; may be repeated"},
    {"member", 0, "LIST", BOSC_OPTION_TEXT, FIELD(members),
     .help = "of a sweep run these members alone, as in --member 3 or "
             "--member 0-2,5, into RESULT.memberLIST.nc"},
    {"group", 0, "K", BOSC_OPTION_INT32, FIELD(group), 0, INT32_MAX,
     .help = "of a sweep run group K alone, counted from 0, into "
             "RESULT.groupK.nc: members of one group share a time loop"},
    {"verify", 0, "N", BOSC_OPTION_INT32, FIELD(verify), 0, 1e6,
     .help = "compute N random neurons again by 'ref', with the events that "
             "they get in the run, and end the run with exit code 70 where any "
             "bit differs; as --set verify=N"},
    {"dry-run", 'n', NULL, BOSC_OPTION_FLAG, FIELD(dry),
     .help = "read, decompose and check everything, but do not run"},
    {"continue", 0, NULL, BOSC_OPTION_FLAG, FIELD(resume),
     .help =
         "go on from a checkpoint of this job, or fail where there is none; "
         "without it a run goes on where it can"},
    {"overwrite", 0, NULL, BOSC_OPTION_FLAG, FIELD(overwrite),
     .help = "begin anew, and replace a finished result, of this or another "
             "job"},
    {"expect-ranks", 0, "N", BOSC_OPTION_INT32, FIELD(expected_ranks), 1,
     INT32_MAX, .help = "refuse to run with another number of MPI ranks"},
    {"outcome", 0, "FILE", BOSC_OPTION_TEXT, FIELD(outcome),
     .help = "for batch scripts: write 'finished', 'checkpoint T' (T in ms), "
             "'early' (a signal before the first step) or 'failed' to FILE"},
    {"share", 0, NULL, BOSC_OPTION_FLAG, FIELD(share),
     .help = "with backend cuda: let several ranks compute on one GPU, where "
             "there are fewer GPUs than ranks"},
    {"mix", 0, NULL, BOSC_OPTION_FLAG, FIELD(mix),
     .help = "with backend cuda: ranks that get no GPU compute on CPUs; all "
             "results are the same"},
    {"quiet", 'q', NULL, BOSC_OPTION_FLAG, FIELD(quiet),
     .help = "print errors only"},
    {"help-keys", 0, NULL, BOSC_OPTION_PRINT, FIELD(help_keys),
     .help = "list all keys of a job file, with those of the mechanisms that "
             "JOB.yaml names, where it is given"},
    {"ranks", 0, NULL, BOSC_OPTION_ABSENT, .help = RANKS},
    {"np", 'p', "N", BOSC_OPTION_ABSENT, .help = RANKS},
    {"threads", 0, NULL, BOSC_OPTION_ABSENT,
     .help = "it is a key of the job: --set threads=N"},
    {"backend", 0, NULL, BOSC_OPTION_ABSENT,
     .help = "it is a key of the job: --set backend=NAME"},
};

static const bosc_options options = {
    .command = "run",
    .argument = "JOB.yaml",
    .hint = " (keys: --set KEY=VALUE; several ranks: mpiexec -n RANKS bosc run "
            "JOB.yaml)",
    .about = "Simulate the neurons of a job and write one NetCDF file.  On "
             "several ranks: mpiexec -n RANKS bosc run JOB.yaml",
    .notes = "During the run the file is FILE.partial; it gets its name when "
             "it is complete.  An unfinished file of an earlier run is kept as "
             "FILE.partial.1, .2, ...  Where FILE is the finished result of "
             "this job there is nothing to do; that of another job is replaced "
             "only with --overwrite.  After SIGTERM or SIGUSR1 there is a "
             "checkpoint, FILE.checkpoint, from which the next run goes on.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

/* --verify is another word for a key. */
static bosc_status set_verify(bosc_run_request *request, char text[32],
                              bosc_error *err)
{
    bosc_texts *set = &request->set;
    const char **more;

    if (request->verify < 0)
        return BOSC_OK;
    more = realloc(set->text, ((size_t)set->n + 1) * sizeof *more);
    if (more == NULL)
        return bosc_no_memory(err, "the command line");
    snprintf(text, 32, "verify=%d", (int)request->verify);
    set->text = more;
    set->text[set->n++] = text;
    return BOSC_OK;
}

/* List the keys, with those of the job's own mechanisms. */
static bosc_status print_keys(const bosc_arguments *job, bosc_error *err)
{
    static const bosc_texts none = {0};
    bosc_mods mods = {.n = 0};
    bosc_mechs *mechs = NULL;
    char *text = NULL;
    bosc_status st = bosc_mechs_create(&mechs, err);

    if (st == BOSC_OK && job->n > 0)
        st = bosc_job_load_text(job->word[0], &text, err);
    if (text != NULL)
        st = bosc_models_read(job->word[0], &none, &text, err);
    if (st == BOSC_OK && text != NULL)
        st = bosc_mechanisms_find(
            &(bosc_job_source){job->word[0], text, &none, true, true, false},
            bosc_mechanisms_isas(), &mods, err);
    if (st == BOSC_OK)
        st = bosc_mods_load(&mods, mechs, err);
    if (st == BOSC_OK)
        st = bosc_mechs_name_params(mechs, err);
    if (st == BOSC_OK)
        bosc_job_print_keys(mechs, NULL, stdout);
    bosc_mods_clear(&mods);
    bosc_mechs_destroy(mechs);
    free(text);
    return st;
}

bosc_status bosc_cmd_run(int argc, char **argv, bosc_error *err)
{
    char *command =
        bosc_command_line("bosc", argc, argv); /* before it is sorted */
    bosc_run_request request = {
        .group = -1, .verify = -1, .started = bosc_now(), .command = command};
    bosc_arguments job = {0};
    char verify[32];
    bosc_status st;

    bosc_signals_catch();
    st = command == NULL
             ? bosc_no_memory(err, "the command line")
             : bosc_options_parse(&options, argc, argv, &request, &job, err);
    if (st == BOSC_OK && !job.done)
        request.path = job.word[0];
    if (st == BOSC_OK)
        st = set_verify(&request, verify, err);
    if (st == BOSC_OK && request.resume && request.overwrite)
        st = bosc_fail(err, BOSC_EUSAGE,
                       "--continue goes on, --overwrite begins anew; give one "
                       "of them");
    if (!job.done)
        st = bosc_run_job(&request, st, err);
    else if (st == BOSC_OK && request.help_keys)
        st = print_keys(&job, err);
    free(command);
    free(request.set.text);
    return st;
}
