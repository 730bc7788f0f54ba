/* cmd_devices.c - 'bosc devices': which rank gets which GPU. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/cli/commands.h"
#include "src/distribute/device.h"
#include "src/mpi/launcher.h"
#include "src/mpi/mpi_comm.h"
#include "src/text/options.h"

typedef struct request {
    bool share, mix, tsv;
} request;

static const bosc_option rows[] = {
    {"share", 0, NULL, BOSC_OPTION_FLAG, offsetof(request, share),
     .help = "allow several ranks on a GPU, as few on each as possible"},
    {"mix", 0, NULL, BOSC_OPTION_FLAG, offsetof(request, mix),
     .help = "allow ranks without a GPU: they compute on CPUs"},
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, offsetof(request, tsv),
     .help = "print tab-separated values, with a line of titles"},
};

static const bosc_options options = {
    .command = "devices",
    .about = "Under a launcher (mpiexec, srun), show which GPU each rank gets, "
             "identified by its UUID.  Every rank gets a GPU of its own; more "
             "ranks than GPUs, or a rank that sees no GPU, is an error.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

/* Collective; 'st' is what has become of the command line. */
static bosc_status show(const request *r, bosc_status st, bosc_error *err)
{
    const bosc_comm *comm = bosc_mpi_world();
    bosc_device *all = NULL;
    bosc_gpu_rule rule = BOSC_GPU_OWN;

    if (st == BOSC_OK)
        st = bosc_check_world(comm->ranks, err);
    if (st == BOSC_OK)
        st = bosc_device_rule(r->share, r->mix, &rule, err);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_device_find(comm, bosc_gpus_list, rule, &all, err);
    if (st == BOSC_OK && comm->rank == 0)
        bosc_device_print(stdout, comm->ranks, all, r->tsv);
    free(all);
    /* every rank has the message, rank 0 prints it: now, since a launcher may
       end all ranks as soon as one has failed */
    if (st != BOSC_OK && comm->rank == 0)
        fprintf(stderr, "bosc devices: %s\n", err->text);
    err->text[0] = '\0';
    return st;
}

bosc_status bosc_cmd_devices(int argc, char **argv, bosc_error *err)
{
    request r = {0};
    bosc_arguments rest;
    const bosc_status st =
        bosc_options_parse(&options, argc, argv, &r, &rest, err);
    int provided;

    if (rest.done)
        return st;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    return show(&r, st, err);
}
