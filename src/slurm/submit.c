#include "config.h" /* first: it asks for extensions */

#include "src/slurm/submit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result.h"
#include "src/slurm/command.h"
#include "src/slurm/duration.h"
#include "src/slurm/launcher.h"
#include "src/slurm/partition.h"
#include "src/slurm/record.h"
#include "src/slurm/sbatch.h"
#include "src/text/wrap.h"

enum { TEXT = 19, MOST_WORDS = 16 };

/* A job on its way to SLURM. */
typedef struct submission {
    const bosc_submit_request *request;
    bosc_estimate_request own; /* completed by the site's defaults */
    bosc_site site;
    bosc_estimate est;
    bosc_estimate_row row;
    bosc_script_header header;
    bosc_pool pool; /* of the texts that follow */
    const char *output, *program;
    const char *stem; /* the output without ".nc" */
    const char *log_stem, *log, *script, *about;
    const char *threads; /* to be set, or NULL */
    const char *array;   /* the groups of a sweep, or NULL */
    int n_words;
    const char **words; /* [n_words] behind 'bosc run' */
} submission;

/* The groups of a sweep, or 1. */
static int n_groups(const submission *s)
{
    const bosc_sweep *sweep = s->est.sim.job->sweep;

    return sweep != NULL && sweep->n_groups > 1 ? sweep->n_groups : 1;
}

/* --- how much ------------------------------------------------------------ */

/* Ranks of a node, were it full. */
static int32_t full_node(const submission *s)
{
    const int32_t ranks = s->own.ranks_per_node > 0 ? s->own.ranks_per_node
                          : s->own.gpus_per_node > 0 && !s->own.mix
                              ? s->own.gpus_per_node
                              : s->est.machine->processors / s->own.threads;

    return ranks > 0 ? ranks : 1;
}

/* Without a number: a node's, but no more than have a minute of work each. */
static bosc_status choose_ranks(submission *s, bosc_error *err)
{
    enum { WORTH = 60, MOST_RANKS = 1 << 20 };
    const int64_t neurons = s->est.sim.gid_table->n_neurons;
    int32_t full = full_node(s);
    bosc_status st;

    if (s->request->ranks > 0)
        return bosc_estimate_ranks(&s->est, s->request->ranks, &s->row, err);
    if (s->request->nodes > MOST_RANKS / full)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--nodes %d of %d ranks are more ranks than there can "
                         "be",
                         (int)s->request->nodes, (int)full);
    if (s->request->nodes > 0)
        return bosc_estimate_ranks(&s->est, full * s->request->nodes, &s->row,
                                   err);
    if (full > neurons)
        full = neurons > 1 ? (int32_t)neurons : 1;
    st = bosc_estimate_ranks(&s->est, full, &s->row, err);
    if (st != BOSC_OK || s->own.gpus_per_node > 0)
        return st;

    const double worth =
        ceil(full * (s->row.setup + s->row.loop) / (double)WORTH);

    if (worth >= full)
        return BOSC_OK;
    bosc_estimate_row_clear(&s->row);
    return bosc_estimate_ranks(&s->est, worth > 1 ? (int32_t)worth : 1, &s->row,
                               err);
}

/* Of a sweep in several groups the row becomes that of the one which takes
 * longest, with the most memory of all: the elements of an array ask for the
 * same. */
static bosc_status look_at_groups(submission *s, bosc_error *err)
{
    const int32_t ranks = s->row.ranks;
    double bytes = s->row.most_bytes;
    bosc_status st = BOSC_OK;

    for (int32_t k = 1; k < n_groups(s) && st == BOSC_OK; ++k) {
        bosc_estimate_request request = s->own;
        bosc_estimate est = {0};
        bosc_estimate_row row = {0};

        request.group = k;
        st = bosc_estimate_create(&request, &est, err);
        if (st == BOSC_OK) {
            est.machine->processors = s->est.machine->processors;
            st = bosc_estimate_ranks(&est, ranks, &row, err);
        }
        if (st == BOSC_OK) {
            bytes = fmax(bytes, row.most_bytes);
            if (row.setup + row.loop > s->row.setup + s->row.loop) {
                s->row.setup = row.setup;
                s->row.loop = row.loop;
            }
        }
        bosc_estimate_row_clear(&row);
        bosc_estimate_clear(&est);
    }
    s->row.most_bytes = bytes;
    return st;
}

/* The time limit: what was asked for, or what is expected and a margin. */
static bosc_status choose_time(submission *s, bosc_error *err)
{
    enum { LEAST = 300, MINUTE = 60 };
    const double expected = s->row.setup + s->row.loop;
    double seconds, most = INFINITY;
    bosc_script_header *h = &s->header;

    h->warning =
        s->request->warning > 0 ? s->request->warning : s->site.warning;
    seconds = MINUTE *
              ceil((expected * s->site.time_margin + h->warning) / MINUTE + 1);
    if (s->site.time_limit != NULL)
        bosc_duration_parse(s->site.time_limit, &most);
    h->seconds = fmin(fmax(seconds, LEAST), most);
    if (s->request->time != NULL &&
        !bosc_duration_parse(s->request->time, &h->seconds))
        return bosc_fail(err, BOSC_EUSAGE,
                         "--time %s: no duration; write it such as 90 "
                         "(minutes), '36 h' or 1-12:00:00",
                         s->request->time);
    h->warning = floor(fmin(h->warning, h->seconds / 3));
    return BOSC_OK;
}

static void choose_memory(submission *s)
{
    const double mpi = 64e6; /* shared memory and the like */

    s->header.rank_memory =
        s->request->rank_memory > 0
            ? s->request->rank_memory
            : s->row.most_bytes * s->site.memory_margin + mpi;
}

static void describe(submission *s)
{
    const bosc_estimate_row *row = &s->row;
    char time[32], bytes[32];

    bosc_human_seconds(row->setup + row->loop, time);
    bosc_human_bytes(row->most_bytes, bytes);
    s->about = bosc_pool_text(
        &s->pool, "Expected: %s and %s a rank, on %d rank%s%s", time, bytes,
        (int)row->ranks, row->ranks == 1 ? "" : "s",
        s->est.machine->built_in && s->est.calibration == NULL
            ? " (default cost model; calibrate with 'bosc calibrate')"
            : "");
}

/* --- the words ----------------------------------------------------------- */

/* The program on compute nodes. */
static const char *find_program(submission *s)
{
    const char *said =
        s->request->program != NULL ? s->request->program : s->site.program;
    char *path;

    if (said != NULL)
        return said;
    path = realpath("/proc/self/exe", NULL);
    return path != NULL ? bosc_pool_own(&s->pool, path) : "bosc";
}

static void choose_words(submission *s)
{
    const bosc_submit_request *r = s->request;
    const int n_set = r->estimate.set.n;

    s->words =
        bosc_pool_own(&s->pool, bosc_alloc((size_t)(MOST_WORDS + 2 * n_set),
                                           sizeof *s->words));
    if (s->words == NULL)
        return;
    s->words[s->n_words++] = r->estimate.path;
    if (r->output != NULL) {
        s->words[s->n_words++] = "-o";
        s->words[s->n_words++] = s->output;
    }
    for (int i = 0; i < n_set; ++i) {
        s->words[s->n_words++] = "--set";
        s->words[s->n_words++] = r->estimate.set.text[i];
    }
    if (s->threads != NULL) {
        s->words[s->n_words++] = "--set";
        s->words[s->n_words++] = s->threads;
    }
    if (r->overwrite)
        s->words[s->n_words++] = "--overwrite";
    if (r->share)
        s->words[s->n_words++] = "--share";
    if (r->estimate.mix)
        s->words[s->n_words++] = "--mix";
}

/* The name of a log begins so: each % of the result's is doubled. */
static const char *name_log(submission *s)
{
    char *log = bosc_pool_own(&s->pool, bosc_alloc(2 * strlen(s->stem) + 1, 1)),
         *to = log;

    for (const char *p = s->stem; log != NULL && *p != '\0'; ++p) {
        *to++ = *p;
        if (*p == '%')
            *to++ = '%';
    }
    return log != NULL ? log : "";
}

static void choose_names(submission *s)
{
    const size_t n = strlen(s->output);
    const bool nc = n > 3 && strcmp(s->output + n - 3, ".nc") == 0;

    s->stem =
        bosc_pool_text(&s->pool, "%.*s", (int)(nc ? n - 3 : n), s->output);
    s->log_stem = name_log(s);
    if (n_groups(s) > 1)
        s->array = bosc_pool_text(&s->pool, "0-%d", n_groups(s) - 1);
    s->log = bosc_pool_text(&s->pool, "%s-%s.log", s->log_stem,
                            s->array != NULL ? "%A_%a" : "%j");
    s->script = bosc_pool_text(&s->pool, "%s.sbatch", s->output);
    s->program = find_program(s);
}

/* --- the plan ------------------------------------------------------------ */

/* GPUs of a node where nobody says how many there are: one for each rank of it,
 * as far as the options say how many these are. */
static int32_t count_wanted_gpus(const bosc_submit_request *r)
{
    if (r->share || r->estimate.mix)
        return 1;
    if (r->estimate.ranks_per_node > 0)
        return r->estimate.ranks_per_node;
    return r->ranks > 0 && r->nodes > 0 ? (r->ranks + r->nodes - 1) / r->nodes
                                        : 1;
}

/* Options go over the site's defaults. */
static bosc_status complete(submission *s, bosc_error *err)
{
    const bosc_submit_request *r = s->request;
    bosc_estimate_request *own = &s->own;
    const int said = s->est.sim.job->compute.threads;
    const bosc_backend *backend = s->est.sim.job->compute.solver->backend;

    if (!backend->on_gpu && (own->gpus_per_node > 0 || own->mix || r->share))
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s is for GPUs, and the job's backend is %s; add "
                         "--set backend=cuda",
                         own->gpus_per_node > 0 ? "--gpus-per-node"
                         : own->mix             ? "--mix"
                                                : "--share",
                         backend->name);
    if (own->node_memory <= 0)
        own->node_memory = 1e9 * s->site.memory;
    if (s->site.processors > 0)
        s->est.machine->processors = s->site.processors;
    if (own->gpus_per_node == 0 && backend->on_gpu)
        own->gpus_per_node =
            s->site.gpus > 0 ? s->site.gpus : count_wanted_gpus(r);
    if (own->threads > 0 && said > 0 && own->threads != said)
        s->threads = bosc_pool_text(&s->pool, "threads=%d", own->threads);
    if (own->threads == 0)
        own->threads = said > 0 ? said : 1;
    s->output = r->output != NULL ? r->output : s->est.sim.job->output.file;
    if (s->output[0] == '-') /* sbatch would take it for options */
        s->output = bosc_pool_text(&s->pool, "./%s", s->output);
    return BOSC_OK;
}

static void fill_header(submission *s)
{
    const bosc_submit_request *r = s->request;
    const bool spread =
        r->nodes > 0 || s->own.ranks_per_node > 0 || s->own.gpus_per_node > 0;
    bosc_script_header *h = &s->header;

    h->about = s->about;
    h->name = r->name != NULL ? r->name : s->est.sim.job->name;
    h->log = s->log;
    h->array = s->array;
    h->partition = r->partition != NULL ? r->partition : s->site.partition;
    h->account = r->account != NULL ? r->account : s->site.account;
    h->ranks = s->row.ranks;
    h->threads = s->row.threads;
    if (spread) {
        h->nodes = r->nodes > 0 ? r->nodes : s->row.nodes;
        h->per_node = (h->ranks + h->nodes - 1) / h->nodes;
    }
    h->gpus = s->est.sim.job->compute.solver->backend->on_gpu
                  ? s->own.gpus_per_node
                  : 0;
}

/* To be forgotten, whatever is returned. */
static bosc_status plan(const bosc_submit_request *request, submission *s,
                        bosc_error *err)
{
    bosc_status st = bosc_site_read(request->site, &s->site, err);

    s->request = request;
    s->own = request->estimate;
    if (st == BOSC_OK)
        st = bosc_launcher_take(request->launcher, &s->site, err);
    if (st == BOSC_OK)
        st = bosc_estimate_create(&s->own, &s->est, err);
    if (st == BOSC_OK)
        st = complete(s, err);
    if (st == BOSC_OK)
        st = choose_ranks(s, err);
    if (st == BOSC_OK)
        st = look_at_groups(s, err);
    if (st == BOSC_OK)
        st = choose_time(s, err);
    if (st != BOSC_OK)
        return st;
    choose_names(s);
    choose_words(s);
    describe(s);
    if (s->pool.failed)
        return bosc_no_memory(err, "the script");
    choose_memory(s);
    fill_header(s);
    return bosc_script_check(&s->header, s->output, err);
}

static void forget(submission *s)
{
    bosc_estimate_row_clear(&s->row);
    bosc_estimate_clear(&s->est);
    bosc_site_clear(&s->site);
    bosc_pool_clear(&s->pool);
}

/* --- sbatch -------------------------------------------------------------- */

/* Is a job that is to write the same file still in the queue? */
static bosc_status check_queue(submission *s, bosc_error *err)
{
    const char *result = bosc_pool_own(&s->pool, bosc_record_path(s->output));
    char *text = NULL;
    bosc_record *records = NULL;
    int n = 1, code = 0;
    bosc_status st = result == NULL ? bosc_no_memory(err, s->output)
                                    : bosc_record_find(NULL, result, NULL, &n,
                                                       &records, err);

    if (st == BOSC_OK && n == 1) {
        const char *const argv[] = {"squeue", "-h", "-j", records[0].id,
                                    "-o",     "%T", NULL};

        st = bosc_command(argv, true, &text, &code, err);
        if (st == BOSC_OK && code == 0 && text[0] != '\0')
            st = bosc_fail(err, BOSC_EOUTPUT,
                           "%s: job %s is to write it (%s); wait for it, end "
                           "it (scancel %s), or choose another output (-o)",
                           s->output, records[0].id, text, records[0].id);
    }
    bosc_record_free(n, records);
    free(text);
    return st;
}

static bosc_status check_output(submission *s, bosc_error *err)
{
    bosc_status st = bosc_result_check(s->output, err);
    bosc_result_found found = {0};

    if (st != BOSC_OK)
        return st;
    found = bosc_result_look(s->output);
    bosc_result_found_clear(&found);
    if (found.finished && !s->request->overwrite)
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: is a finished result; choose another output "
                         "(-o), or replace it with --overwrite",
                         s->output);
    return check_queue(s, err);
}

static void print_script(FILE *file, const void *what)
{
    const submission *s = what;

    bosc_script_print(file, &s->header, &s->site, s->program, s->n_words,
                      s->words);
}

/* Submit what follows the job of that number: for a sweep in groups what merges
 * their results, then what makes a report.  *followers says which, as a record
 * has it. */
static bosc_status send_followers(submission *s, const char *id,
                                  const char **followers, bosc_error *err)
{
    const char *merge = NULL, *report = NULL,
               *folder = bosc_pool_text(&s->pool, "%s-report", s->stem);
    const char *const more[] = {"-o", folder};
    bosc_follower f = {.site = &s->site,
                       .before = &s->header,
                       .program = s->program,
                       .output = s->output,
                       .log = s->log_stem,
                       .command = "merge",
                       .when = "afterany",
                       .after = id};
    bosc_status st = BOSC_OK;

    if (s->array != NULL) {
        st = bosc_sbatch_follow(&f, &s->pool, &merge, err);
        if (st == BOSC_OK)
            printf("  then             job %s, which merges the results of the "
                   "groups\n",
                   merge);
    }
    if (st == BOSC_OK && s->request->report) {
        f.command = "report";
        f.when = "afterok";
        f.after = merge != NULL ? merge : id;
        f.n = (int)BOSC_LEN(more);
        f.more = more;
        st = bosc_sbatch_follow(&f, &s->pool, &report, err);
        if (st == BOSC_OK)
            printf("  then             job %s, a report in %s\n", report,
                   folder);
    }
    *followers = bosc_pool_text(
        &s->pool, "%s%s%s%s%s", merge != NULL ? "merge " : "",
        merge != NULL ? merge : "", merge != NULL && report != NULL ? " " : "",
        report != NULL ? "report " : "", report != NULL ? report : "");
    return st;
}

/* --- what was done ------------------------------------------------------- */

/* The log of a job, of an array that of its first group. */
static const char *fill_log(submission *s, const char *id)
{
    return bosc_pool_text(&s->pool, "%s-%s%s.log", s->log_stem, id,
                          s->array != NULL ? "_0" : "");
}

static void record(submission *s, const char *id, const char *followers)
{
    bosc_pool *pool = &s->pool;
    const bosc_record r = {
        .id = (char *)id,
        .result = bosc_pool_own(pool, bosc_record_path(s->output)),
        .log = bosc_pool_own(pool, bosc_record_path(fill_log(s, id))),
        .job = bosc_pool_own(pool, bosc_record_path(s->request->estimate.path)),
        .followers = (char *)followers};
    bosc_error why;

    if (!pool->failed && bosc_record_add(&r, &why) != BOSC_OK)
        fprintf(stderr,
                "bosc submit: the job's number is not kept (%s); 'bosc status "
                "%s' looks at the result\n",
                why.text, s->output);
}

static void print_done(submission *s, const char *id)
{
    const bosc_script_header *h = &s->header;
    char limit[40], bytes[32];
    bosc_wrap w;

    printf("job %s\n", id);
    if (s->array != NULL)
        printf("  array            of %d groups of a sweep, each asks for the "
               "same\n",
               n_groups(s));
    w = bosc_wrap_begin(stdout, TEXT, "  asks for");
    bosc_wrap_add(&w, "%d rank%s of %d thread%s", (int)h->ranks,
                  h->ranks == 1 ? "" : "s", (int)h->threads,
                  h->threads == 1 ? "" : "s");
    if (h->nodes > 0)
        bosc_wrap_add(&w, " on %d node%s", (int)h->nodes,
                      h->nodes == 1 ? "" : "s");
    if (h->gpus > 0)
        bosc_wrap_add(&w, " of %d GPU%s", (int)h->gpus,
                      h->gpus == 1 ? "" : "s");
    bosc_wrap_add(&w, ", %s a rank, %s",
                  bosc_human_bytes(h->rank_memory, bytes),
                  bosc_duration_show(h->seconds, limit));
    bosc_wrap_end(&w);
    printf("  expected         %s\n", s->about + sizeof "Expected: " - 1);
    printf("  result           %s\n", s->output);
    printf("  log              %s\n", fill_log(s, id));
    printf("  script           %s\n", s->script);
    printf("  look at it       bosc status %s\n", id);
}

static bosc_status submit(submission *s, bosc_error *err)
{
    const char *id = NULL, *followers = NULL;
    bosc_status st = check_output(s, err);

    if (st == BOSC_OK)
        st = bosc_partition_check(s->header.partition, s->header.nodes, err);
    if (st == BOSC_OK)
        st = bosc_sbatch_send(s->script, print_script, s, &s->pool, &id, err);
    if (st == BOSC_OK) {
        print_done(s, id);
        st = send_followers(s, id, &followers, err);
        record(s, id, followers);
    }
    return st;
}

bosc_status bosc_submit(const bosc_submit_request *request, bosc_error *err)
{
    submission s = {0};
    bosc_status st = plan(request, &s, err);

    if (st == BOSC_OK)
        bosc_warnings_print(&s.est.sim.warnings, 0);
    if (st == BOSC_OK && request->dry)
        print_script(stdout, &s);
    else if (st == BOSC_OK)
        st = submit(&s, err);
    forget(&s);
    return st;
}

bosc_status bosc_submit_print_header(const bosc_submit_request *request,
                                     bosc_error *err)
{
    submission s = {0};
    const bosc_status st = plan(request, &s, err);

    if (st == BOSC_OK)
        bosc_script_print_header(stdout, &s.header, &s.site);
    forget(&s);
    return st;
}
