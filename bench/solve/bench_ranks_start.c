/* bench_ranks_start.c - the ranks that a launcher has started, in groups, each
 * with its GPU.
 */
#include <stdlib.h>

#include "bench/solve/bench_ranks.h"
#include "kernels/methods.h"
#include "src/distribute/device.h"
#include "src/mpi/launcher.h"
#include "src/mpi/mpi_comm.h"
#include "src/run/run.h"

/* A GPU for each rank, where all have some. */
static bosc_status take_gpu(bosc_bench_ranks *r, bosc_error *err)
{
    const bosc_comm *comm = r->comm;
    const bosc_backend *cuda = bosc_backend_find("cuda");
    bosc_device *all = NULL;
    bosc_status st;
    int64_t some = cuda != NULL &&
                   bosc_backend_available(cuda, &(bosc_error){""}) == BOSC_OK;

    r->on_gpu = 0;
    bosc_min_int64(comm, &some, 1);
    if (some == 0)
        return BOSC_OK;
    st = bosc_device_find(comm, bosc_gpus_list, BOSC_GPU_SHARE, &all, err);
    for (int k = 0; st == BOSC_OK && k < comm->ranks; ++k)
        r->on_gpu = all[k].sharing > r->on_gpu ? all[k].sharing : r->on_gpu;
    if (st == BOSC_OK)
        st = bosc_agree(comm, bosc_gpu_use(all[comm->rank].gpu.number, err),
                        err);
    free(all);
    return st;
}

static bosc_status count_ranks(bosc_bench_ranks *r, bosc_error *err)
{
    bosc_comm *node = NULL;
    double most = 0;
    const bosc_status st = bosc_comm_node(r->comm, &node, err);

    if (st != BOSC_OK)
        return st;
    most = node->ranks;
    bosc_reduce(r->comm, BOSC_MAX_DOUBLE, &most, 1);
    r->on_node = (int)most;
    bosc_comm_destroy(node);
    return BOSC_OK;
}

bosc_status bosc_bench_place(bosc_bench_ranks *ranks, bosc_error *err)
{
    const bosc_status st = count_ranks(ranks, err);

    return st == BOSC_OK ? take_gpu(ranks, err) : st;
}

static bosc_status make_groups(bosc_bench_ranks *r, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int n = 1; st == BOSC_OK && r->n_groups < BOSC_BENCH_GROUPS;
         n = 2 * n < r->world->ranks ? 2 * n : r->world->ranks) {
        bosc_comm *group = NULL;

        if (r->n_groups > 0 && r->size[r->n_groups - 1] == n)
            break;
        if (!bosc_mpi_first(r->world, n, &group))
            st = bosc_no_memory(err, "a communicator");
        r->size[r->n_groups] = n;
        r->group[r->n_groups++] = group;
        st = bosc_agree(r->world, st, err);
    }
    return st;
}

bosc_status bosc_bench_ranks_start(bosc_bench_ranks *out, bosc_status st,
                                   bosc_error *err)
{
    const char *by;

    *out =
        (bosc_bench_ranks){.world = &bosc_comm_self, .comm = &bosc_comm_self};
    if (bosc_launched_ranks(&by) <= 1)
        return st;
    if (st == BOSC_OK && (st = bosc_check_limits(err)) != BOSC_OK)
        return st;
    bosc_run_start_mpi();
    out->world = out->comm = bosc_mpi_world();
    if (st == BOSC_OK)
        st = bosc_check_world(out->world->ranks, err);
    st = bosc_agree(out->world, st, err);
    return st == BOSC_OK ? make_groups(out, err) : st;
}

void bosc_bench_ranks_end(bosc_bench_ranks *ranks)
{
    for (int k = 0; k < ranks->n_groups; ++k)
        bosc_comm_destroy(ranks->group[k]);
    free(ranks->points);
}
