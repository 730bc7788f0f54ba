/* cmd_plan.c - 'bosc plan': the command. */
#include "src/run/estimate.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/cli/commands.h"
#include "src/mpi/cpuset.h"
#include "src/text/number.h"
#include "src/text/options.h"

static const char help[] =
    "usage: bosc plan JOB.yaml [OPTION]...\n"
    "\n"
    "What a job will need, before it queues: bytes and seconds of every rank,\n"
    "with the division that the run will have.  Needs no GPU and no launcher.\n"
    "\n"
    "  -r, --ranks N[,N...]   for so many ranks (default 1); three dots go "
    "on:\n"
    "                         1,2,4,...,4096\n"
    "      --ranks-per-node N (default: the GPUs, or as many as the "
    "processors\n"
    "                         and threads allow)\n"
    "      --threads N        of a rank (default: as the job says, or\n"
    "                         OMP_NUM_THREADS, or its share)\n"
    "      --memory BYTES     of a node (default: this machine's): 256GB\n"
    "      --gpus-per-node N  a rank for each\n"
    "      --gpu-memory BYTES of each: 141GB\n"
    "  -m, --machine FILE     what things cost, from 'bosc bench machine' "
    "there\n"
    "                         (default $BOSC_MACHINE, "
    "~/.config/bosc/HOSTNAME.yaml,\n"
    "                         or built-in numbers)\n"
    "  -s, --set KEY=VALUE    override a key of the job; may be repeated\n"
    "      --per-rank         a line for each rank too\n"
    "      --tsv              tab-separated values\n"
    "  -h, --help             print this\n"
    "\n"
    "Seconds are of the slowest rank; messages between ranks, gathering and\n"
    "writing are not in them.  A job that cannot fit is refused, with the\n"
    "number of ranks that would do.\n";

enum { PER_NODE = 256, THREADS, MEMORY, GPUS, GPU_MEMORY, PER_RANK, TSV };

enum { MOST_ON_A_NODE = 65536 };

static const struct option options[] = {
    {"ranks", required_argument, NULL, 'r'},
    {"ranks-per-node", required_argument, NULL, PER_NODE},
    {"threads", required_argument, NULL, THREADS},
    {"memory", required_argument, NULL, MEMORY},
    {"gpus-per-node", required_argument, NULL, GPUS},
    {"gpu-memory", required_argument, NULL, GPU_MEMORY},
    {"machine", required_argument, NULL, 'm'},
    {"set", required_argument, NULL, 's'},
    {"per-rank", no_argument, NULL, PER_RANK},
    {"tsv", no_argument, NULL, TSV},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bosc_status parse_whole(const char *option, const char *text,
                               int32_t most, int32_t *out, bosc_error *err)
{
    int64_t n = 0;

    if (!bosc_number_whole(text, text + strlen(text), &n) || n < 1 || n > most)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s %s: not a whole number from 1 to %d", option, text,
                         (int)most);
    *out = (int32_t)n;
    return BOSC_OK;
}

/* The options that have a value of their own kind. */
static bosc_status take(int option, bosc_estimate_request *r, bosc_error *err)
{
    int32_t threads = 0;
    bosc_status st;

    switch (option) {
    case 'r':
        return bosc_estimate_parse_ranks(optarg, r, err);
    case PER_NODE:
        return parse_whole("--ranks-per-node", optarg, MOST_ON_A_NODE,
                           &r->ranks_per_node, err);
    case THREADS:
        st = parse_whole("--threads", optarg, BOSC_MAX_THREADS, &threads, err);
        r->threads = threads;
        return st;
    case MEMORY:
        return bosc_estimate_parse_bytes("--memory", optarg, &r->node_memory,
                                         err);
    case GPUS:
        return parse_whole("--gpus-per-node", optarg, MOST_ON_A_NODE,
                           &r->gpus_per_node, err);
    case GPU_MEMORY:
        return bosc_estimate_parse_bytes("--gpu-memory", optarg, &r->gpu_memory,
                                         err);
    case 'm':
        r->machine = optarg;
        return BOSC_OK;
    case 's':
        r->set[r->n_set++] = optarg;
        return BOSC_OK;
    case PER_RANK:
        r->per_rank = true;
        return BOSC_OK;
    default:
        r->tsv = true;
        return BOSC_OK;
    }
}

static bosc_status parse(int argc, char **argv, bosc_estimate_request *r,
                         bool *shown, bosc_error *err)
{
    int option;
    bosc_status st = BOSC_OK;

    r->n_sizes = 1;
    r->ranks[0] = 1;
    opterr = 0;
    optind = 1;
    while (st == BOSC_OK && (option = getopt_long(argc, argv, ":r:m:s:h",
                                                  options, NULL)) != -1) {
        if (option == '?' || option == ':')
            return bosc_option_fail(option, argv, options, err);
        if (option == 'h') {
            fputs(help, stdout);
            *shown = true;
            return BOSC_OK;
        }
        st = take(option, r, err);
    }
    if (st != BOSC_OK)
        return st;
    if (argc - optind != 1)
        return bosc_fail(err, BOSC_EUSAGE,
                         argc == optind
                             ? "which job? usage: bosc plan JOB.yaml"
                             : "unexpected argument '%s'; give one job file",
                         argc > optind + 1 ? argv[optind + 1] : "");
    if (r->gpu_memory > 0 && r->gpus_per_node == 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--gpu-memory without --gpus-per-node; say how many "
                         "GPUs a node has");
    if (r->ranks_per_node > 0 && r->gpus_per_node > 0 &&
        r->ranks_per_node > r->gpus_per_node)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--ranks-per-node %d: a node has %d GPUs, and each "
                         "rank takes one",
                         (int)r->ranks_per_node, (int)r->gpus_per_node);
    r->path = argv[optind];
    return BOSC_OK;
}

static bosc_status print_row(const bosc_estimate *plan, int32_t ranks,
                             double *first, bosc_error *err)
{
    const bosc_estimate_request *r = plan->request;
    bosc_estimate_row row;
    const bosc_status st = bosc_estimate_ranks(plan, ranks, &row, err);

    if (st == BOSC_OK) {
        const double all = row.setup + row.loop;

        if (*first < 0 || (r->per_rank && !r->tsv))
            bosc_estimate_print_titles(plan);
        *first = *first < 0 ? all : *first;
        if (!r->per_rank || !r->tsv)
            bosc_estimate_print_row(plan, &row, all > 0 ? *first / all : 1);
        if (r->per_rank)
            bosc_estimate_print_ranks(plan, &row);
    }
    bosc_estimate_row_clear(&row);
    return st;
}

/* Of several numbers of ranks those that cannot be are told at the end, and
 * only where none can is that a failure. */
static bosc_status print_rows(const bosc_estimate *plan, bosc_error *err)
{
    const bosc_estimate_request *r = plan->request;
    bosc_error why[BOSC_PLAN_SIZES];
    double first = -1;
    int refused[BOSC_PLAN_SIZES], n = 0;

    if (!r->tsv)
        bosc_estimate_print_job(plan);
    fflush(stdout); /* before the warnings, where both go to one terminal */
    bosc_warnings_print(&plan->warnings, 0);
    for (int i = 0; i < r->n_sizes; ++i) {
        const bosc_status st = print_row(plan, r->ranks[i], &first, &why[n]);

        if (st == BOSC_ENOMEM && r->n_sizes > 1) {
            refused[n++] = i;
        } else if (st != BOSC_OK) {
            *err = why[n];
            return st;
        }
    }
    if (n == r->n_sizes) {
        *err = why[n - 1];
        return BOSC_ENOMEM;
    }
    for (int k = 0; k < n; ++k)
        fprintf(stderr, "bosc plan: not with %d rank%s: %s\n",
                (int)r->ranks[refused[k]], r->ranks[refused[k]] == 1 ? "" : "s",
                why[k].text);
    return BOSC_OK;
}

bosc_status bosc_cmd_plan(int argc, char **argv, bosc_error *err)
{
    bosc_estimate_request request = {
        .set = bosc_alloc((size_t)argc, sizeof *request.set)};
    bosc_estimate plan = {0};
    bool shown = false;
    bosc_status st = request.set == NULL
                         ? bosc_no_memory(err, "the command line")
                         : parse(argc, argv, &request, &shown, err);

    if (st == BOSC_OK && !shown) {
        st = bosc_estimate_create(&request, &plan, err);
        if (st == BOSC_OK)
            st = print_rows(&plan, err);
        bosc_estimate_clear(&plan);
    }
    free(request.set);
    return st;
}
