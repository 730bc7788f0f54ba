/* cmd_submit.c - 'bosc submit': its command line. */
#include "src/slurm/submit.h"

#include <stddef.h>
#include <stdlib.h>

#include "src/cli/commands.h"
#include "src/comm/cpuset.h"
#include "src/slurm/site.h"

#define FIELD(member) offsetof(bosc_submit_request, member)

static const bosc_option rows[] = {
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(output),
     .help = "write the results to FILE (default the job's output.file)"},
    {"set", 's', "KEY=VALUE", BOSC_OPTION_TEXTS, FIELD(estimate.set),
     .help = "override a key of the job; may be repeated"},
    {"dry-run", 'd', NULL, BOSC_OPTION_FLAG, FIELD(dry),
     .help = "print the script, and submit nothing"},
    {"ranks", 'n', "N", BOSC_OPTION_INT32, FIELD(ranks), 1, 1 << 20,
     .help = "MPI ranks (default a node's, but no more than have a minute of "
             "work each)"},
    {"nodes", 'N', "N", BOSC_OPTION_INT32, FIELD(nodes), 1, 1 << 20,
     .help = "nodes (default as SLURM places the ranks)"},
    {"threads", 'c', "N", BOSC_OPTION_INT32, FIELD(estimate.threads), 1,
     BOSC_MAX_THREADS, .help = "threads of a rank (default the job's, or 1)"},
    {"ranks-per-node", 0, "N", BOSC_OPTION_INT32,
     FIELD(estimate.ranks_per_node), 1, 65536,
     .help = "ranks of a node (default its GPUs, or as SLURM places them)"},
    {"gpus-per-node", 0, "N", BOSC_OPTION_INT32, FIELD(estimate.gpus_per_node),
     1, 65536,
     .help = "with backend cuda: GPUs of a node (default one "
             "for each of its ranks)"},
    {"mix", 0, NULL, BOSC_OPTION_FLAG, FIELD(estimate.mix),
     .help = "as of 'bosc run'"},
    {"share", 0, NULL, BOSC_OPTION_FLAG, FIELD(share),
     .help = "as of 'bosc run'"},
    {"overwrite", 0, NULL, BOSC_OPTION_FLAG, FIELD(overwrite),
     .help = "as of 'bosc run'"},
    {"time", 't', "TIME", BOSC_OPTION_TEXT, FIELD(time),
     .help = "time limit, such as 90 (minutes), '36 h' or 1-12:00:00 (default "
             "what is expected, with a margin)"},
    {"rank-memory", 0, "BYTES", BOSC_OPTION_BYTES, FIELD(rank_memory),
     .help = "memory of a rank (default what is expected, with a margin)"},
    {"memory", 0, "BYTES", BOSC_OPTION_BYTES, FIELD(estimate.node_memory),
     .help = "memory of a node, into which the job must fit (default this "
             "machine's)"},
    {"warning", 0, "SECONDS", BOSC_OPTION_REAL, FIELD(warning), 10, 3600,
     .help = "before the time limit, for a checkpoint (default 120)"},
    {"partition", 'p', "NAME", BOSC_OPTION_TEXT, FIELD(partition),
     .help = "partition"},
    {"account", 'A', "NAME", BOSC_OPTION_TEXT, FIELD(account),
     .help = "account"},
    {"name", 'J', "NAME", BOSC_OPTION_TEXT, FIELD(name),
     .help = "name of the batch job (default the job's)"},
    {"launcher", 0, "NAME", BOSC_OPTION_TEXT, FIELD(launcher),
     .help = "srun, mpiexec, or the command line of another launcher"},
    {"program", 0, "FILE", BOSC_OPTION_TEXT, FIELD(program),
     .help = "bosc on the compute nodes (default this one)"},
    {"report", 0, NULL, BOSC_OPTION_FLAG, FIELD(report),
     .help = "also submit a job that runs 'bosc report' once there is a "
             "result"},
    {"machine", 'm', "FILE", BOSC_OPTION_TEXT, FIELD(estimate.machine),
     .help = "cost model, as of 'bosc plan'"},
    {"site", 0, "FILE", BOSC_OPTION_TEXT, FIELD(site),
     .help = "defaults of the cluster (default ~/.config/bosc/site.yaml "
             "over " BOSC_SYSCONFDIR "/bosc/site.yaml)"},
    {"help-site", 0, NULL, BOSC_OPTION_PRINT, .print = bosc_site_print_keys,
     .help = "list the keys of that file"},
};

static const bosc_options options = {
    .command = "submit",
    .argument = "JOB.yaml",
    .about = "Submit a job to SLURM with the time and memory that 'bosc plan' "
             "expects.  The batch script is written beside the result, as "
             "FILE.sbatch, and the log is there too.",
    .notes = "Before the time limit the run writes a checkpoint, the job is "
             "requeued, and goes on.  'bosc status' shows what becomes of it.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

bosc_status bosc_cmd_submit(int argc, char **argv, bosc_error *err)
{
    bosc_submit_request request = {.ranks = 0};
    bosc_arguments job;
    bosc_status st =
        bosc_options_parse(&options, argc, argv, &request, &job, err);

    if (st == BOSC_OK && !job.done) {
        request.estimate.path = job.word[0];
        st = bosc_submit(&request, err);
    }
    free(request.estimate.set.text);
    return st;
}
