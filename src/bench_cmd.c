/* bench_cmd.c - 'bosc bench', and its 'solve': one forest, all methods. */
#include "src/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "src/bench.h"
#include "src/launch.h"
#include "src/mem.h"

enum { NEURONS = 2560 }; /* default */

static const char help[] =
    "Usage: bosc bench solve [OPTION]...\n"
    "\n"
    "Measure how fast the systems of many neurons are solved, once each: all\n"
    "methods side by side, on the same random numbers.\n"
    "\n"
    "  --shape SHAPE      what the neurons look like (default mix)\n"
    "  --neurons N[,N...] how many (default 2560; of a list as many as it "
    "has)\n"
    "  --distinct N       neurons repeat after N trees (default 512; 1: all "
    "of\n"
    "                     one tree); numbers always differ\n"
    "  --shared-u         neurons of one tree share their off-diagonals\n"
    "  --tsv              tab-separated values\n"
    "  --method all|NAME[,NAME...]    a method, or a family of them: the "
    "words\n"
    "                     before a dash (default all)\n"
    "  --backend all|cpu|cuda|NAME[,NAME...]   cpu includes ref, cuda "
    "includes\n"
    "                     cusparse (default all)\n"
    "  --precision fp64|fp32          (default fp64)\n"
    "  --block N          neurons in a block of hines-block (default: its "
    "own)\n"
    "  --threads N        of the host (default OMP_NUM_THREADS, or all cores)\n"
    "  --repeat N         solves at least, 7 or more (default 11; short ones "
    "are\n"
    "                     repeated for 50 ms)\n"
    "  -h, --help\n"
    "\n";

static const char notes[] =
    "\n"
    "Times are of the solve alone: inputs are restored outside, the first "
    "solve "
    "is\n"
    "not counted, the median of the others is shown with the least and the "
    "most.\n"
    "Speed-ups are over sequential Hines (ref, hines: one core) and OpenMP "
    "Hines\n"
    "(cpu, hines-flat), both always measured.  Traffic is the least that a "
    "solve\n"
    "must move; compared with a copy measured in the same run.  The residual "
    "is the\n"
    "largest of all rows, relative to the largest term of its row.\n";

/* Trees are numbered in the order of the neurons that have them. */
static int32_t count_trees(const bosc_bench_forest *forest, int32_t n)
{
    int32_t trees = 0;

    for (int32_t i = 0; i < n; ++i)
        trees = forest->shape[i] >= trees ? forest->shape[i] + 1 : trees;
    return trees;
}

static void print_forest(const bosc_bench_request *r,
                         const bosc_bench_forest *forest, int32_t n)
{
    const int32_t trees = count_trees(forest, n);
    int32_t least = INT32_MAX, most = 0;

    for (int32_t t = 0; t < trees; ++t) {
        const int32_t size = forest->trees[t].n;

        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    printf("%s%s, %s%s: %" PRId32 " neuron%s of %" PRId32 " tree%s, ",
           r->tsv ? "# " : "\n", r->shape, r->solver.single ? "fp32" : "fp64",
           r->shared_u ? ", off-diagonals shared" : "", n, n == 1 ? "" : "s",
           trees, trees == 1 ? "" : "s");
    if (least < most)
        printf("%" PRId32 " to %" PRId32 " compartments\n", least, most);
    else
        printf("%" PRId32 " compartments each\n", most);
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
        r->sizes[0] =
            shape.roster != NULL ? (int32_t)shape.roster->n_neurons : NEURONS;
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

static void print_help(void)
{
    fputs(help, stdout);
    fputs(bosc_bench_shape_help, stdout);
    fputs(notes, stdout);
}

bosc_status bosc_cmd_bench(int argc, char **argv, bosc_error *err)
{
    static char name[] = "bench solve";
    bosc_bench_request r = {0};
    bosc_status st;

    if (argc > 1 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return BOSC_OK;
    }
    if (argc < 2 || strcmp(argv[1], "solve") != 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "of what? bosc bench solve; see bosc bench --help");
    argv[1] = name; /* as messages call it */
    if ((st = bosc_bench_parse(argc - 1, argv + 1, &r, err)) != BOSC_OK)
        return st;
    if (r.help) {
        print_help();
        return BOSC_OK;
    }
    st = refuse_ranks(err);
    return st == BOSC_OK ? bench_solve(&r, err) : st;
}
