/* cmd_measure.c - 'bosc-bench solve', 'papers', 'spmv' and 'loop': their
 * command lines.
 */
#include "bench/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/solve/bench.h"
#include "bench/solve/csv.h"
#include "src/base/mem.h"
#include "src/comm/cpuset.h"
#include "src/comm/rank_threads.h"
#include "src/mpi/launcher.h"
#include "src/text/options.h"

enum { SOLVE = 1, PAPERS = 2, SPMV = 4, LOOP = 8 };
enum { MOST_NEURONS = INT32_MAX / 2, MOST_ROWS = 200000, MOST_SHAPES = 100000 };
enum { LEAST_TREE = 20, MOST_TREE = 10000000 }; /* compartments */

typedef struct request {
    bosc_bench_request bench;
    int precision; /* which of 'precisions', */
    int order;     /* of 'orders', */
    int levels;    /* of 'ends', */
    int scaling;   /* and of 'scalings'; -1: not asked for */
    bool counters;
} request;

static const char *const precisions[] = {"fp64", "fp32"};
static const char *const orders[] = {"papers", "loop"};
static const char *const ends[] = {"tips", "root"};
static const char *const scalings[] = {"strong", "weak"};

static bosc_status read_sizes(const bosc_option *option, const char *text,
                              void *out, bosc_error *err)
{
    bosc_bench_request *r = &((request *)out)->bench;
    bosc_status st = BOSC_OK;
    char word[32];

    r->n_sizes = 0;
    for (int k = 0; st == BOSC_OK && bosc_csv_at(text, k, word, sizeof word);
         ++k) {
        int64_t n = 0;

        if (k == BOSC_BENCH_SIZES)
            return bosc_fail(err, BOSC_EUSAGE,
                             "--neurons: at most %d numbers; measure the rest "
                             "in another run",
                             BOSC_BENCH_SIZES);
        st = bosc_option_whole(option->name, word, option->least, option->most,
                               &n, err);
        r->sizes[r->n_sizes++] = (int32_t)n;
    }
    return st;
}

static bosc_status read_shapes(const bosc_option *option, const char *text,
                               void *out, bosc_error *err)
{
    int64_t n = 0;
    const bosc_status st = bosc_option_whole(option->name, text, option->least,
                                             option->most, &n, err);

    ((request *)out)->bench.loop.shapes = (int32_t)n;
    return st;
}

/* "691", or "76-691" */
static bosc_status read_tree(const bosc_option *option, const char *text,
                             void *out, bosc_error *err)
{
    int32_t *n = ((request *)out)->bench.loop.compartments;
    const size_t length = strcspn(text, "-");
    char word[32];
    int64_t least = 0, most = 0;
    bosc_status st;

    snprintf(word, sizeof word, "%.*s", (int)length, text);
    st = bosc_option_whole(option->name, word, option->least, option->most,
                           &least, err);
    most = least;
    if (st == BOSC_OK && text[length] == '-')
        st = bosc_option_whole(option->name, text + length + 1, (double)least,
                               option->most, &most, err);
    n[0] = (int32_t)least;
    n[1] = (int32_t)most;
    return st;
}

#define FIELD(member) offsetof(request, bench.member)

static const bosc_option rows[] = {
    {"shape", 0, "SHAPE", BOSC_OPTION_TEXT, FIELD(shape),
     .help = "shape of the neurons, see below", .commands = SOLVE},
    {"figure", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(figures),
     .help =
         "some figures, see below; a word before a dash stands for all that "
         "begin with it (default all)",
     .commands = PAPERS},
    {"list", 0, NULL, BOSC_OPTION_FLAG, FIELD(list),
     .help = "tell what the figures are and how long they take here, about",
     .commands = PAPERS},
    {"quick", 0, NULL, BOSC_OPTION_FLAG, FIELD(quick),
     .help = "few neurons, two shapes of each figure", .commands = PAPERS},
    {"neurons", 0, "N,...", BOSC_OPTION_CALL, 0, 1, MOST_NEURONS,
     .help = "numbers of neurons (default 2560, or all of a list of files)",
     .then = read_sizes, .commands = SOLVE},
    {"neurons", 0, "N,...", BOSC_OPTION_CALL, 0, 1, MOST_NEURONS,
     .help = "numbers of neurons, instead of the figures' own",
     .then = read_sizes, .commands = PAPERS},
    {"neurons", 0, "N,...", BOSC_OPTION_CALL, 0, 1, MOST_ROWS,
     .help = "numbers of rows and columns (default 1000,5000,10000)",
     .then = read_sizes, .commands = SPMV},
    {"job", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(loop.job),
     .help = "what to simulate, see below: names, or a .yaml file",
     .commands = LOOP},
    {"neurons", 0, "N,...", BOSC_OPTION_CALL, 0, 1, MOST_NEURONS,
     .help = "numbers of neurons (default 1024)", .then = read_sizes,
     .commands = LOOP},
    {"shapes", 0, "N", BOSC_OPTION_CALL, 0, 0, MOST_SHAPES,
     .help = "how many trees the neurons have; 0: all differ (default 32 of "
             "ring, 0 of heterogeneous)",
     .then = read_shapes, .commands = LOOP},
    {"compartments", 0, "N-M", BOSC_OPTION_CALL, 0, LEAST_TREE, MOST_TREE,
     .help = "compartments of a neuron, or the fewest and the most (default "
             "155 of ring, 76-691 of heterogeneous)",
     .then = read_tree, .commands = LOOP},
    {"everywhere", 0, NULL, BOSC_OPTION_FLAG, FIELD(loop.everywhere),
     .help = "hh in all compartments (default in the somata, pas elsewhere)",
     .commands = LOOP},
    {"synapses", 0, "N", BOSC_OPTION_INT32, FIELD(loop.synapses), 0, 10000,
     .help = "synapses on the dendrites of each neuron of heterogeneous",
     .commands = LOOP},
    {"rate", 0, "HZ", BOSC_OPTION_REAL, FIELD(loop.rate), 1e-3, 1e4,
     .help = "events a second of each of these", .commands = LOOP},
    {"epoch", 0, "N,...", BOSC_OPTION_TEXT, FIELD(loop.epoch),
     .help = "steps of an epoch, after which neurons hear from each other "
             "(default 40 of ring, 100 of heterogeneous)",
     .commands = LOOP},
    {"steps", 0, "N", BOSC_OPTION_INT32, FIELD(loop.steps), 1, 100000000,
     .help = "time to simulate, in steps of 0.025 ms (default 400, of a file "
             "its own tstop)",
     .commands = LOOP},
    {"density", 0, "P,...", BOSC_OPTION_TEXT, FIELD(density),
     .help = "per cent of all pairs that have an entry", .commands = SPMV},
    {"row", 0, "N,...", BOSC_OPTION_TEXT, FIELD(row),
     .help = "entries of each row, instead of --density", .commands = SPMV},
    {"format", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(format),
     .help = "formats: csr, ellpack, dense", .commands = SPMV},
    {"distinct", 0, "N", BOSC_OPTION_INT32, FIELD(distinct), 1, MOST_NEURONS,
     .help = "repeat the shapes of neurons after N trees (default never; 1: "
             "all neurons have one shape); their numbers never repeat",
     .commands = SOLVE},
    {"shared-u", 0, NULL, BOSC_OPTION_FLAG, FIELD(shared_u),
     .help = "neurons of one shape share their off-diagonals",
     .commands = SOLVE},
    {"method", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(methods),
     .help = "methods, or families of methods: the words before a dash",
     .commands = SOLVE},
    {"method", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(methods),
     .help = "methods, or families, instead of the figures' own",
     .commands = PAPERS},
    {"method", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(methods),
     .help = "methods that have a time loop", .commands = LOOP},
    {"backend", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(backends),
     .help = "ref, cpu, cuda, or all that this machine has", .commands = LOOP},
    {"backend", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(backends),
     .help = "cpu (with ref), cuda (with cusparse), or all that this machine "
             "has",
     .commands = SOLVE | PAPERS | SPMV},
    {"precision", 0, "NAME", BOSC_OPTION_CHOICE, offsetof(request, precision),
     0, 1, .help = "fp64 or fp32", .choices = precisions,
     .commands = SOLVE | PAPERS | SPMV},
    {"scaling", 0, "NAME", BOSC_OPTION_CHOICE, offsetof(request, scaling), 0, 1,
     .help = "under mpiexec: strong, ranks divide the neurons (default), or "
             "weak, each has as many",
     .choices = scalings, .commands = SOLVE | PAPERS | LOOP},
    {"order", 0, "NAME", BOSC_OPTION_CHOICE, offsetof(request, order), 0, 1,
     .help = "operations: papers, with a division on the way from row to row, "
             "or loop, those of the time loop without it, fp64 alone",
     .choices = orders, .commands = SOLVE},
    {"levels", 0, "NAME", BOSC_OPTION_CHOICE, offsetof(request, levels), 0, 1,
     .help = "level-schedule counts levels from the tips or, as the papers, "
             "from the root",
     .choices = ends, .commands = SOLVE},
    {"block", 0, "N", BOSC_OPTION_INT32, FIELD(solver.block), 32, 512,
     .help = "neurons in a block of hines-block, 32 to 512",
     .commands = SOLVE | PAPERS},
    {"threads", 0, "N", BOSC_OPTION_INT32, FIELD(solver.threads), 1,
     BOSC_MAX_THREADS,
     .help = "threads of the host (default OMP_NUM_THREADS, or all processors)",
     .commands = SOLVE | PAPERS | SPMV | LOOP},
    {"rounds", 0, "N", BOSC_OPTION_INT32, FIELD(loop.rounds), 1,
     BOSC_LOOP_ROUNDS, .help = "runs of each method, one after the other",
     .commands = LOOP},
    {"counters", 0, NULL, BOSC_OPTION_FLAG, offsetof(request, counters),
     .help = "also read a GPU's counters: active warps, hits in the L2 cache, "
             "instructions a cycle",
     .commands = SOLVE | PAPERS},
    {"repeat", 0, "N", BOSC_OPTION_INT32, FIELD(repeat),
     BOSC_BENCH_REPEAT_LEAST, 1000,
     .help = "time at least N repetitions, 7 or more; short ones are repeated "
             "for 50 ms",
     .commands = SOLVE | PAPERS | SPMV},
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, FIELD(tsv),
     .help = "print tab-separated values, with more columns",
     .commands = SOLVE | SPMV | LOOP},
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(output),
     .help = "also write all measurements as NetCDF, for bench/plot-bench",
     .commands = PAPERS},
};

#define NOTES                                                                  \
    "Times are of the solve alone: inputs are restored outside, the first "    \
    "solve does not count, and the table shows the median of the others.  "    \
    "Speed-ups are over sequential Hines (ref, hines: one core) and OpenMP "   \
    "Hines (cpu, hines-flat), which are always measured.  Traffic is the "     \
    "least that a solve needs, relative to a copy; it exceeds 1 where a "      \
    "forest stays in the caches.  The residual (--tsv) is the largest of all " \
    "rows, relative to the largest term of its row."

static const char shapes[] =
    "Shapes:\n"
    "  small-low, small-high, medium-low, medium-high, big-low, big-high\n"
    "                      the papers' sizes: 76 to 695 compartments\n"
    "  mix                 76 to 691 compartments, of which 10 to 98 % begin\n"
    "                      or end a section\n"
    "  chain:N, chain:N-M  one section of N, or of N to M, compartments\n"
    "  levels:L            512 compartments in L levels of sections that fork\n"
    "                      in two\n"
    "  rooted:L            the same, with half of them in the root's section\n"
    "  tree:N, tree:N-M    N, or N to M, compartments, all trees different\n"
    "  FILE                .swc files, also as a quoted pattern, or a list\n"
    "                      (.tsv: path, count), cut by d_lambda\n"
    "\n" NOTES;

static const char papers[] =
    "Figures:\n"
    "  hines-3, -5, -6      cuHinesBatch: layouts by number of neurons; sizes "
    "of\n"
    "                       blocks of Block-Interleaved and Block-Shared\n"
    "  hines-layout         changes of layout\n"
    "  levels-6, -7         multi-morphology: levels; slices\n"
    "  levels-9 to -14      batches of tridiagonal systems; -12: their errors; "
    "-14:\n"
    "                       256,000 neurons\n"
    "  thesis-600, -multi-600, -600-700\n"
    "                       neurons of exactly so many compartments\n"
    "  formats              ANNarchy: sparse matrices in each format\n"
    "\n"
    "PAPERS.md has the papers' numbers beside these.  Forests of over 140 "
    "million compartments are left out, unless --neurons names them.  " NOTES;

static const char loops[] =
    "Jobs:\n"
    "  ring           that of jobs/compare: each neuron excites the next one\n"
    "  heterogeneous  that of jobs/heterogeneous-256k.yaml: a current into\n"
    "                 each soma, 1,000 probes\n"
    "  FILE.yaml      a job of your own, by its own steps and epochs\n"
    "\n"
    "Each time is that of a run from its job to its result, in a folder of "
    "TMPDIR: the median of the rounds, of which each runs every method once.  "
    "The speed is of the wall time of the loop.  Of the copy bandwidth a row "
    "takes the share that it would if a step moved all of its constants, "
    "voltages and states; it exceeds 1 where neurons stay in caches or on the "
    "chip, or share constants.  Memory is the most that a run held.  With "
    "--tsv there are also the time that a GPU computed, and the host's share "
    "of the loop, which is the rest.  Results "
    "of all methods must agree in the number of spikes and in all bits of the "
    "voltages at the end, or there is no time, and the exit code is 70.";

static const struct {
    const char *name, *about, *notes;
} benchmarks[] = {
    {"solve",
     "Solve the systems of many neurons once, by all methods, on the same "
     "random numbers: a row for each method.",
     shapes},
    {"papers",
     "Measure the figures of the papers that these methods come from: a table "
     "for each shape of neurons.",
     papers},
    {"spmv",
     "Multiply a sparse matrix of conductances with a vector of voltages, as "
     "couplings do at every step, in all formats.",
     "Times are of the product alone.  An entry counts as 2 operations; zeros "
     "of dense and ellpack count as none.  Traffic is the matrix and both "
     "vectors, once, relative to a copy measured in the same run.  The error "
     "is that of the worst row, relative to the sum of the magnitudes of its "
     "terms."},
    {"loop",
     "Run jobs with a time loop, by all methods: a row for each method and "
     "length of epochs.",
     loops},
};

bosc_status bosc_bench_refuse_ranks(bosc_error *err)
{
    const char *variable = NULL;
    const int ranks = bosc_launched_ranks(&variable);

    if (ranks <= 1)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE,
                     "started as one of %d ranks (%s), which would disturb "
                     "each other; start one, without a launcher or with "
                     "-n 1",
                     ranks, variable);
}

const char *bosc_bench_about(const char *name)
{
    for (size_t i = 0; i < BOSC_LEN(benchmarks); ++i)
        if (strcmp(name, benchmarks[i].name) == 0)
            return benchmarks[i].about;
    return strcmp(name, "tridiag") == 0 ? bosc_bench_about_tridiag
                                        : bosc_bench_about_tune;
}

static bosc_status check_scaling(const request *q, bosc_error *err)
{
    const char *variable;

    if (q->scaling < 0 || bosc_launched_ranks(&variable) > 1)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE,
                     "--scaling %s: there is one rank; start several, as in "
                     "mpiexec -n 2 bosc-bench",
                     scalings[q->scaling]);
}

static bosc_status run(unsigned which, bosc_bench_request *r,
                       const char *command, bosc_error *err)
{
    return which == SOLVE    ? bosc_bench_solve(r, err)
           : which == PAPERS ? bosc_bench_papers(r, command, err)
           : which == LOOP   ? bosc_bench_loop(r, command, err)
                             : bosc_bench_spmv(r, err);
}

/* 'st' is what has become of the command line. */
static bosc_status bench(unsigned which, request *q, const char *command,
                         bosc_status st, bosc_error *err)
{
    bosc_bench_request *r = &q->bench;
    bosc_bench_ranks ranks;
    bosc_counters counters = {0};
    const char *variable;

    if (st == BOSC_OK)
        st = check_scaling(q, err);
    if (st == BOSC_OK && q->order == 1 && q->precision == 1)
        st = bosc_fail(err, BOSC_EUSAGE,
                       "--order loop: the time loop computes in fp64; leave "
                       "out --precision fp32");
    if (st == BOSC_OK && q->counters && bosc_launched_ranks(&variable) > 1)
        st = bosc_fail(err, BOSC_EUSAGE,
                       "--counters: they are of one GPU; start one rank");
    if (which == SPMV && bosc_bench_refuse_ranks(&(bosc_error){""}) != BOSC_OK)
        return st == BOSC_OK ? bosc_bench_refuse_ranks(err) : st;
    st = bosc_bench_ranks_start(&ranks, st, err);
    ranks.weak = q->scaling == 1;
    r->ranks = &ranks;
    r->counters = q->counters ? &counters : NULL;
    r->papers = which == PAPERS;
    r->solver.single = q->precision == 1;
    r->solver.loop = q->order == 1;
    r->solver.from_root = q->levels == 1;
    r->distinct = r->distinct > 0 ? r->distinct : BOSC_BENCH_DISTINCT;
    if (st == BOSC_OK && bosc_bench_several(&ranks))
        st = bosc_rank_threads(ranks.world, r->solver.threads,
                               &r->solver.threads, err);
    if (st == BOSC_OK)
        st = bosc_bench_threads(&r->solver.threads, err);
    if (ranks.world->rank > 0)
        r->output = NULL; /* rank 0 writes */
    if (st == BOSC_OK)
        st = run(which, r, command, err);
    if (st == BOSC_OK && q->counters && counters.cupti == NULL &&
        counters.why.text[0] == '\0')
        bosc_fail(&counters.why, BOSC_ENOSUP,
                  "counters: no GPU has solved anything");
    if (counters.why.text[0] != '\0')
        bosc_bench_print_note(r->tsv ? "# " : "", "%s", counters.why.text);
    bosc_counters_close(&counters);
    bosc_bench_ranks_end(&ranks);
    return st;
}

bosc_status bosc_bench_cmd_measure(int argc, char **argv, bosc_error *err)
{
    request q = {
        .scaling = -1,
        .bench = {
            .shape = "mix",
            .methods = "all",
            .backends = "all",
            .density = "1,10,60",
            .format = "all",
            .repeat = BOSC_BENCH_REPEAT,
            .loop = {.job = "all", .shapes = -1, .rate = 5, .rounds = 5}}};
    bosc_arguments rest = {0};
    size_t k = 0;

    while (strcmp(argv[0], benchmarks[k].name) != 0)
        ++k;

    /* before the options are sorted */
    char *command = bosc_command_line("bosc-bench", argc, argv);
    const bosc_options options = {.program = "bosc-bench",
                                  .command = benchmarks[k].name,
                                  .about = benchmarks[k].about,
                                  .notes = benchmarks[k].notes,
                                  .n = BOSC_LEN(rows),
                                  .rows = rows,
                                  .commands = 1u << k};
    bosc_status st = command == NULL ? bosc_no_memory(err, "the command line")
                                     : bosc_options_parse(&options, argc, argv,
                                                          &q, &rest, err);

    if (command != NULL && !rest.done)
        st = bench(options.commands, &q, command, st, err);
    free(command);
    return st;
}
