/* cmd_plan.c - 'bosc plan': its command line. */
#include "src/plan/estimate.h"

#include <stddef.h>
#include <stdlib.h>

#include "src/cli/commands.h"
#include "src/comm/cpuset.h"
#include "src/slurm/submit.h"
#include "src/text/options.h"

enum { MOST_ON_A_NODE = 65536 };

static bosc_status set_ranks(const bosc_option *option, const char *text,
                             void *out, bosc_error *err)
{
    (void)option;
    return bosc_estimate_parse_ranks(text, out, err);
}

#define FIELD(member) offsetof(bosc_estimate_request, member)

static const bosc_option rows[] = {
    {"ranks", 'r', "N,...", BOSC_OPTION_CALL, 0, .then = set_ranks,
     .help = "numbers of ranks (default 1); three dots continue a sequence: "
             "1,2,4,...,4096"},
    {"ranks-per-node", 0, "N", BOSC_OPTION_INT32, FIELD(ranks_per_node), 1,
     MOST_ON_A_NODE,
     .help = "ranks of a node (default its GPUs, or as many as its processors "
             "and the threads allow)"},
    {"threads", 0, "N", BOSC_OPTION_INT32, FIELD(threads), 1, BOSC_MAX_THREADS,
     .help = "threads of a rank (default as in the job, OMP_NUM_THREADS, or "
             "its part of the processors)"},
    {"memory", 0, "BYTES", BOSC_OPTION_BYTES, FIELD(node_memory),
     .help = "memory of a node, such as 256GB (default this machine's)"},
    {"gpus-per-node", 0, "N", BOSC_OPTION_INT32, FIELD(gpus_per_node), 1,
     MOST_ON_A_NODE, .help = "GPUs of a node, one for each of its ranks"},
    {"mix", 0, NULL, BOSC_OPTION_FLAG, FIELD(mix),
     .help = "with --gpus-per-node: the other ranks of a node compute on its "
             "CPUs"},
    {"gpu-memory", 0, "BYTES", BOSC_OPTION_BYTES, FIELD(gpu_memory),
     .help = "memory of a GPU, such as 141GB"},
    {"machine", 'm', "FILE", BOSC_OPTION_TEXT, FIELD(machine),
     .help = "cost model, from 'bosc calibrate' there (default "
             "$BOSC_MACHINE, ~/.config/bosc/HOSTNAME.yaml, or a built-in "
             "one)"},
    {"set", 's', "KEY=VALUE", BOSC_OPTION_TEXTS, FIELD(set),
     .help = "override a key of the job; may be repeated"},
    {"group", 0, "K", BOSC_OPTION_INT32, FIELD(group), 0, INT32_MAX,
     .help = "of a sweep plan the members of group K (default 0)"},
    {"per-rank", 0, NULL, BOSC_OPTION_FLAG, FIELD(per_rank),
     .help = "also print a line for each rank"},
    {"why", 0, NULL, BOSC_OPTION_FLAG, FIELD(why),
     .help = "also print the methods that could have been chosen, with their "
             "predicted times"},
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, FIELD(tsv),
     .help = "print tab-separated values"},
    {"sbatch", 0, NULL, BOSC_OPTION_FLAG, FIELD(sbatch),
     .help = "print only the header of a batch script, the #SBATCH lines of "
             "'bosc submit'"},
};

static const bosc_options options = {
    .command = "plan",
    .argument = "JOB.yaml",
    .about = "Estimate time and memory of a job for any number of ranks, "
             "without running it.  It uses the decomposition that 'bosc run' "
             "uses, and needs no GPU and no launcher.",
    .notes = "Seconds are those of the slowest rank; they exclude spike "
             "exchange and output.  A job that does not fit is refused, with "
             "the least number of ranks that it needs.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

static bosc_status check(const bosc_estimate_request *r, bosc_error *err)
{
    if (r->gpu_memory > 0 && r->gpus_per_node == 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--gpu-memory without --gpus-per-node; give the "
                         "number of GPUs of a node");
    if (r->mix && r->gpus_per_node == 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--mix without --gpus-per-node; give the number of "
                         "GPUs of a node");
    if (r->ranks_per_node > 0 && r->gpus_per_node > 0 && !r->mix &&
        r->ranks_per_node > r->gpus_per_node)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--ranks-per-node %d: a node has %d GPUs, and each "
                         "rank takes one; let the others compute on CPUs with "
                         "--mix",
                         (int)r->ranks_per_node, (int)r->gpus_per_node);
    return BOSC_OK;
}

static bosc_status print_header(const bosc_estimate_request *r, bosc_error *err)
{
    const bosc_submit_request submission = {.estimate = *r,
                                            .ranks = r->ranks[0]};

    if (r->n_sizes > 1)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--sbatch with %d numbers of ranks; give one",
                         r->n_sizes);
    return bosc_submit_print_header(&submission, err);
}

bosc_status bosc_cmd_plan(int argc, char **argv, bosc_error *err)
{
    bosc_estimate_request request = {.n_sizes = 0};
    bosc_arguments job;
    bosc_status st =
        bosc_options_parse(&options, argc, argv, &request, &job, err);

    if (st == BOSC_OK && !job.done)
        st = check(&request, err);
    if (st == BOSC_OK && !job.done) {
        request.path = job.word[0];
        if (request.n_sizes == 0 && !request.sbatch)
            request.ranks[request.n_sizes++] = 1;
        st = request.sbatch ? print_header(&request, err)
                            : bosc_estimate_print(&request, err);
    }
    free(request.set.text);
    return st;
}
