/* cmd_devices.c - 'bosc devices': which rank gets which GPU. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/cli/commands.h"
#include "src/distribute/device.h"
#include "src/mpi/comm.h"
#include "src/mpi/launcher.h"
#include "src/text/options.h"

static const char help[] =
    "Usage: bosc devices [OPTION]...\n"
    "\n"
    "Under a launcher (mpiexec, srun), tell which GPU each rank gets, known "
    "by\n"
    "its UUID.  Every rank gets one of its own; where there are more ranks "
    "than\n"
    "GPUs, or a rank sees none, that is refused.\n"
    "\n"
    "  --share            ranks may share a GPU, as few each as can be\n"
    "  --tsv              tab separated, with a line of titles\n"
    "  -h, --help\n"
    "\n"
    "Time loops run on CPUs so far; solvers and sparse products run on GPUs, "
    "in\n"
    "'bosc bench'.\n";

typedef struct request {
    bool share, tsv, help;
} request;

static bosc_status parse(int argc, char **argv, request *r, bosc_error *err)
{
    static const struct option options[] = {
        {"share", no_argument, NULL, 's'},
        {"tsv", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int code;

    opterr = 0;
    while ((code = getopt_long(argc, argv, ":h", options, NULL)) != -1)
        switch (code) {
        case 's':
            r->share = true;
            break;
        case 't':
            r->tsv = true;
            break;
        case 'h':
            r->help = true;
            break;
        default:
            return bosc_option_fail(code, argv, options, err);
        }
    if (optind < argc && !r->help)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: there are no arguments; see bosc devices --help",
                         argv[optind]);
    return BOSC_OK;
}

/* Collective; 'st' is what has become of the command line. */
static bosc_status tell(const request *r, bosc_status st, bosc_error *err)
{
    int rank, ranks;
    bosc_device *all = NULL;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (st == BOSC_OK)
        st = bosc_check_world(ranks, err);
    if ((st = bosc_agree(MPI_COMM_WORLD, st, err)) == BOSC_OK)
        st = bosc_device_find(MPI_COMM_WORLD, bosc_gpus_list, r->share, &all,
                              err);
    if (st == BOSC_OK && rank == 0)
        bosc_device_print(stdout, ranks, all, r->tsv);
    free(all);
    /* every rank has the message, rank 0 tells it: now, since a launcher may
       end all ranks as soon as one has failed */
    if (st != BOSC_OK && rank == 0)
        fprintf(stderr, "bosc devices: %s\n", err->text);
    err->text[0] = '\0';
    return st;
}

bosc_status bosc_cmd_devices(int argc, char **argv, bosc_error *err)
{
    request r = {.share = false};
    bosc_status st = parse(argc, argv, &r, err);
    int provided;

    if (st == BOSC_OK && r.help) {
        fputs(help, stdout);
        return BOSC_OK;
    }
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    return tell(&r, st, err);
}
