/* cmd_bench.c - 'bosc bench', and its 'solve': one forest, all methods. */
#include "src/cli/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/bench/bench.h"
#include "src/mpi/launcher.h"
#include "src/text/did_you_mean.h"
#include "src/text/options.h"

enum { NEURONS = 2560 }; /* default */

static const char intro[] =
    "Usage: bosc bench solve [OPTION]...\n"
    "       bosc bench papers [OPTION]...\n"
    "       bosc bench spmv [OPTION]...\n"
    "       bosc bench machine [OPTION]...\n"
    "\n"
    "Measure how fast the systems of many neurons are solved, once each: all\n"
    "methods side by side, on the same random numbers; or how fast a matrix "
    "of\n"
    "couplings is multiplied.\n"
    "\n";

static const char solve_help[] =
    "bosc bench solve: a row for each method\n"
    "  --shape SHAPE       what the neurons look like (default mix)\n"
    "  --neurons N[,N...]  how many (default 2560; of a list all it has)\n"
    "  --distinct N        neurons repeat after N trees (default: never;\n"
    "                      1: all have one tree); numbers never do\n"
    "  --shared-u          neurons of one tree share their off-diagonals\n"
    "  --tsv               tab-separated values, more columns\n"
    "\n";

static const char papers_help[] =
    "bosc bench papers: the experiments of the papers\n"
    "  --only NAME[,NAME...]   classes, tridiagonal, variable, levels, mix\n"
    "                      (default: all, which takes long)\n"
    "  --neurons N[,N...]  instead of 256,2560,25600,256000\n"
    "  -o, --output FILE   write all measurements as NetCDF too, for\n"
    "                      jobs/plot-bench\n"
    "\n";

static const char common_help[] =
    "What is measured, and how:\n"
    "  --method all|NAME[,NAME...]   or a family: the words before a dash\n"
    "                      (default all)\n"
    "  --backend all|NAME[,NAME...]  cpu (with ref), cuda (with cusparse)\n"
    "                      (default all that this machine has)\n"
    "  --precision fp64|fp32   (default fp64)\n"
    "  --block N           neurons in a block of hines-block, 32 to 512\n"
    "  --threads N         of the host (default OMP_NUM_THREADS, or all)\n"
    "  --repeat N          solves to time, at least (default 11; at least 7;\n"
    "                      short ones are repeated for 50 ms)\n"
    "  -h, --help\n";

static const char notes[] =
    "\n"
    "Times are of the solve alone.  Inputs are restored outside, the first\n"
    "solve does not count; the table has the median of the others.  Speed-ups\n"
    "are over sequential Hines (ref, hines: one core) and OpenMP Hines (cpu,\n"
    "hines-flat), which are always measured.  Traffic is the least that a\n"
    "solve needs, as a part of a copy's; it is over 1 where a forest stays in\n"
    "the caches.  The residual (--tsv) is the largest of all rows, relative\n"
    "to the largest term of its row.\n";

static void print_forest(const bosc_bench_request *r,
                         const bosc_bench_forest *forest, int32_t n)
{
    const int32_t trees = bosc_bench_count_trees(forest, n);
    int32_t least = INT32_MAX, most = 0;
    char a[32], b[32], range[40] = "";

    for (int32_t t = 0; t < trees; ++t) {
        const int32_t size = forest->trees[t].n;

        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    if (least < most)
        snprintf(range, sizeof range, "%" PRId32 " to ", least);
    if (!r->tsv)
        putchar('\n');
    bosc_bench_print_note(
        r->tsv ? "# " : "",
        "%s, %s%s: %s neuron%s of %s tree%s, %s%" PRId32 " compartments%s",
        r->shape, r->solver.single ? "fp32" : "fp64",
        r->shared_u ? ", off-diagonals shared" : "", bosc_human_count(n, a),
        n == 1 ? "" : "s", bosc_human_count(trees, b), trees == 1 ? "" : "s",
        range, most, least < most ? "" : " each");
}

static bosc_status solve_size(const bosc_bench_plan *plan,
                              const bosc_bench_request *r,
                              const bosc_bench_forest *forest, int32_t n,
                              bosc_error *err)
{
    bosc_bench_row *rows = bosc_alloc((size_t)plan->n, sizeof *rows);
    bosc_status st;

    if (rows == NULL)
        return bosc_no_memory(err, "the table");
    print_forest(r, forest, n);
    if (!r->tsv)
        bosc_bench_print_titles(false);
    st = bosc_bench_measure(
        plan, r, forest, n,
        r->tsv ? bosc_bench_print_tsv : bosc_bench_print_row, rows, err);
    if (st == BOSC_OK && !r->tsv && plan->sequential >= 0 &&
        rows[plan->sequential].neurons < n)
        puts("(sequential Hines solved the first neurons only; speeds are "
             "compared)");
    free(rows);
    return st;
}

static bosc_status solve_sizes(const bosc_bench_request *r,
                               const bosc_bench_forest *forest, bosc_error *err)
{
    bosc_bench_plan plan;
    bosc_status st = bosc_bench_plan_create(r, &plan, err);

    if (st != BOSC_OK)
        return st;
    printf("%s%s: solvers of %s\n", r->tsv ? "# " : "", PACKAGE_STRING,
           r->shape);
    bosc_bench_print_machine(&plan, r, r->tsv ? "# " : "  ");
    if (r->tsv)
        bosc_bench_print_titles(true);
    for (int i = 0; st == BOSC_OK && i < r->n_sizes; ++i)
        st = solve_size(&plan, r, forest, r->sizes[i], err);
    return st;
}

static bosc_status bench_solve(bosc_bench_request *r, bosc_error *err)
{
    bosc_bench_shape shape;
    bosc_bench_forest forest = {0};
    bosc_bench_spec spec = {.distinct = r->distinct, .shared_u = r->shared_u};
    bosc_status st = bosc_bench_shape_create(r->shape, &shape, err);

    if (st != BOSC_OK)
        return st;
    if (r->n_sizes == 0) {
        r->n_sizes = 1;
        r->sizes[0] = shape.gid_table != NULL
                          ? (int32_t)shape.gid_table->n_neurons
                          : NEURONS;
    }
    for (int i = 0; i < r->n_sizes; ++i)
        spec.neurons = r->sizes[i] > spec.neurons ? r->sizes[i] : spec.neurons;
    st = bosc_bench_forest_create(&shape, &spec, &forest, err);
    if (st == BOSC_OK)
        st = solve_sizes(r, &forest, err);
    bosc_bench_forest_clear(&forest);
    bosc_bench_shape_clear(&shape);
    return st;
}

/* ---- the command ---- */

static bosc_status refuse_ranks(bosc_error *err)
{
    const char *told = NULL;
    const int ranks = bosc_launched_ranks(&told);

    if (ranks <= 1)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE,
                     "started as one of %d ranks (%s), which would disturb "
                     "each other; start one, without a launcher or with "
                     "-n 1",
                     ranks, told);
}

static void print_help(bool solve, bool papers)
{
    fputs(intro, stdout);
    if (solve)
        fputs(solve_help, stdout);
    if (papers)
        fputs(papers_help, stdout);
    if (solve && papers) {
        fputs(bosc_bench_spmv_help, stdout);
        fputs(bosc_bench_machine_help, stdout);
    }
    fputs(common_help, stdout);
    if (solve)
        fputs(bosc_bench_shape_help, stdout);
    fputs(notes, stdout);
}

/* "solve" or "papers", which argv[1] says. */
static bosc_status choose(int argc, char **argv, bool *papers, bosc_error *err)
{
    static const char *const names[] = {"solve", "papers", "spmv", "machine"};
    char meant[100];

    if (argc < 2 || argv[1][0] == '-')
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s%swhich benchmark? bosc bench solve, papers, spmv "
                         "or machine; see bosc bench --help",
                         argc > 1 ? argv[1] : "", argc > 1 ? ": " : "");
    *papers = strcmp(argv[1], "papers") == 0;
    if (*papers || strcmp(argv[1], "solve") == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE, "%s: there is no such benchmark; %s",
                     argv[1],
                     bosc_did_you_mean(argv[1], BOSC_LEN(names), names,
                                       "there are:", meant, sizeof meant));
}

/* Afterwards *papers tells which; r->help: it was printed, and that is all. */
static bosc_status read_command(int argc, char **argv, bosc_bench_request *r,
                                bool *papers, bosc_error *err)
{
    static char names[2][13] = {"bench solve", "bench papers"};
    bosc_status st;

    if (argc > 1 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(true, true);
        r->help = true;
        return BOSC_OK;
    }
    if ((st = choose(argc, argv, papers, err)) != BOSC_OK)
        return st;
    argv[1] = names[*papers]; /* as messages call it */
    st = bosc_bench_parse(argc - 1, argv + 1, *papers, r, err);
    if (st == BOSC_OK && r->help)
        print_help(!*papers, *papers);
    else if (st == BOSC_OK)
        st = refuse_ranks(err);
    return st;
}

static bosc_status bench_spmv(int argc, char **argv, bosc_error *err)
{
    static char name[] = "bench spmv";
    const bosc_status st = refuse_ranks(err);

    argv[1] = name;
    return st == BOSC_OK ? bosc_bench_spmv(argc - 1, argv + 1, err) : st;
}

bosc_status bosc_cmd_bench(int argc, char **argv, bosc_error *err)
{
    if (argc > 1 && strcmp(argv[1], "spmv") == 0)
        return bench_spmv(argc, argv, err);
    if (argc > 1 && strcmp(argv[1], "machine") == 0) {
        static char name[] = "bench machine";

        argv[1] = name;
        return bosc_bench_machine(argc - 1, argv + 1, err);
    }

    /* before getopt sorts argv */
    char *command = bosc_command_line(argc, argv);
    bosc_bench_request r = {0};
    bool papers = false;
    bosc_status st = command != NULL
                         ? read_command(argc, argv, &r, &papers, err)
                         : bosc_no_memory(err, "the command line");

    if (st == BOSC_OK && !r.help)
        st =
            papers ? bosc_bench_papers(&r, command, err) : bench_solve(&r, err);
    free(command);
    return st;
}
