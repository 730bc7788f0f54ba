/* sim_read.c - from the text of a job to the neurons that there are.
 *
 * Rank 0 reads the job and its lists, once; everybody gets the bytes.  What can
 * be wrong with a job is found here and in sim_build.c, before the first step.
 */
#include "src/sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/rank_threads.h"
#include "src/distribute/device.h"
#include "src/sim/mechanisms.h"
#include "src/sweep/models.h"
#include "src/sweep/sweep.h"

bosc_sim bosc_sim_begin(const bosc_sim_request *request)
{
    return (bosc_sim){.request = *request,
                      .mechs = request->mechs,
                      .gpu = {.number = -1},
                      .comm = request->comm};
}

static bosc_status load_mechanisms(bosc_sim *sim, const char *text,
                                   bosc_error *err)
{
    const bosc_job_source job = {sim->request.path,  text,
                                 &sim->request.set,  sim->request.told,
                                 sim->request.shown, false};
    const bosc_status st =
        bosc_agree(sim->comm, bosc_mechs_create(&sim->mechs, err), err);

    return st == BOSC_OK ? bosc_mechanisms_load(sim->comm, &job, sim->mechs,
                                                &sim->compiled, err)
                         : st;
}

/* The job's own text, or the file's; to be freed. */
static bosc_status read_text(const bosc_sim_request *request, char **text,
                             bosc_error *err)
{
    if (request->text == NULL)
        return bosc_job_load_text(request->path, text, err);
    *text = bosc_strdup(request->text);
    return *text != NULL ? BOSC_OK : bosc_no_memory(err, request->path);
}

bosc_status bosc_sim_read(bosc_sim *sim, bosc_error *err)
{
    const bosc_sim_request *request = &sim->request;
    char *text = NULL;
    uint64_t bytes = 0;
    bosc_status st = BOSC_OK;

    if (sim->comm->rank == 0 &&
        (st = read_text(request, &text, err)) == BOSC_OK &&
        (st = bosc_models_read(request->path, &request->set, &text, err)) ==
            BOSC_OK)
        bytes = strlen(text) + 1;
    if ((st = bosc_agree(sim->comm, st, err)) != BOSC_OK) {
        free(text);
        return st;
    }
    bosc_bcast(sim->comm, &bytes, sizeof bytes, 0);
    if (sim->comm->rank != 0 && (text = malloc(bytes)) == NULL)
        st = bosc_no_memory(err, "the job file");
    if ((st = bosc_agree(sim->comm, st, err)) == BOSC_OK) {
        bosc_bcast(sim->comm, text, bytes, 0);
        if (sim->mechs == NULL)
            st = load_mechanisms(sim, text, err);
    }
    if (st == BOSC_OK)
        st = bosc_agree(sim->comm,
                        bosc_sweep_parse(
                            &(bosc_sweep_request){
                                sim->mechs, request->path, text, &request->set,
                                request->members, request->group},
                            &sim->job, err),
                        err);
    free(text);
    if (st != BOSC_OK)
        return st;
    sim->job->files = request->files;
    return bosc_sim_values_read(sim->comm, sim->job, &sim->values, err);
}

/* Neurons of the largest population that a selection is about. */
static int64_t largest(const bosc_sim *sim, const bosc_selection *selection)
{
    int64_t most = 0;
    int first, end;

    bosc_selection_populations(sim->job, selection, &first, &end);
    for (int p = first; p < end; ++p) {
        const int64_t n =
            sim->gid_table->first_gid[p + 1] - sim->gid_table->first_gid[p];

        if (n > most &&
            bosc_selection_covers(selection, &sim->job->populations[p]))
            most = n;
    }
    return most;
}

/* A number past the end is a mistake. */
static bosc_status check_selection(const bosc_sim *sim,
                                   const bosc_selection *selection,
                                   bosc_error *err)
{
    const int64_t n = largest(sim, selection);

    for (int r = 0; r < selection->n_ranges; ++r) {
        const bosc_range *range = &selection->ranges[r];
        const int64_t last =
            range->last < range->first ? range->first : range->last;

        if (last >= n)
            return bosc_fail(
                err, BOSC_EVALUE,
                "%s: neurons: %s%s%s has no neuron %lld; its %lld neurons "
                "have the numbers 0 to %lld",
                selection->where,
                selection->population == NULL ? "the largest population"
                                              : "population '",
                selection->population == NULL ? "" : selection->population,
                selection->population == NULL ? "" : "'", (long long)last,
                (long long)n, (long long)n - 1);
    }
    return BOSC_OK;
}

static bosc_status check_selections(const bosc_sim *sim, bosc_error *err)
{
    const bosc_job *job = sim->job;
    bosc_status st = BOSC_OK;

    for (int i = 0; i < bosc_points_n(&job->points) && st == BOSC_OK; ++i)
        st = check_selection(sim, &bosc_points_at(&job->points, i)->neurons,
                             err);
    for (int i = 0; i < job->n_probes && st == BOSC_OK; ++i)
        st = check_selection(sim, &job->probes[i].neurons, err);
    return st;
}

static bosc_status read_lists(bosc_sim *sim, bosc_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    bosc_status st = BOSC_OK;

    if (sim->comm->rank == 0) {
        st = bosc_gid_table_create(sim->job, &sim->gid_table, err);
        if (st == BOSC_OK)
            st = check_selections(sim, err);
        if (st == BOSC_OK)
            st = bosc_gid_table_pack(sim->gid_table, sim->job->n_populations,
                                     &bytes, &size, err);
    }
    if ((st = bosc_agree(sim->comm, st, err)) != BOSC_OK)
        goto done;
    bosc_bcast(sim->comm, &size, sizeof size, 0);
    if (sim->comm->rank != 0 && (bytes = malloc(size)) == NULL)
        st = bosc_no_memory(err, "the list of neurons");
    if ((st = bosc_agree(sim->comm, st, err)) != BOSC_OK)
        goto done;
    bosc_bcast(sim->comm, bytes, size, 0);
    if (sim->comm->rank != 0)
        st = bosc_gid_table_unpack(bytes, &sim->gid_table, err);
    st = bosc_agree(sim->comm, st, err);
done:
    free(bytes);
    return st;
}

/* The GPU of this rank, or where it has none another method. */
static bosc_status use_device(bosc_sim *sim, const bosc_device *own,
                              bosc_error *err)
{
    bosc_status st;

    if (own->gpu.number < 0)
        sim->method = &bosc_methods[0];
    st = bosc_backend_available(sim->method->backend, err);
    return st == BOSC_OK && own->gpu.number >= 0
               ? bosc_gpu_use(own->gpu.number, err)
               : st;
}

/* Of the devices of all ranks. */
static void describe_gpus(const bosc_comm *comm, const bosc_device *all,
                          bosc_sim_gpu *gpu)
{
    const bosc_gpu *own = &all[comm->rank].gpu;

    gpu->bytes = INFINITY;
    for (int r = comm->ranks; r-- > 0;) {
        if (all[r].gpu.number < 0) {
            ++gpu->n_without;
            continue;
        }
        snprintf(gpu->name, sizeof gpu->name, "%s", all[r].gpu.name);
        gpu->bytes = fmin(gpu->bytes,
                          (double)all[r].gpu.memory / (double)all[r].sharing);
    }
    gpu->number = own->number;
    gpu->before = bosc_gpu_in_use();
    gpu->capability = own->number >= 0 ? own->capability : 0;
}

/* A GPU for each rank, where the backend needs one.  Collective. */
static bosc_status take_gpu(bosc_sim *sim, bosc_error *err)
{
    bosc_device *all = NULL;
    bosc_gpu_rule rule;
    bosc_status st =
        bosc_device_rule(sim->request.share, sim->request.mix, &rule, err);

    if (st != BOSC_OK || !sim->method->backend->on_gpu)
        return st;
    st = bosc_device_find(sim->comm, bosc_gpus_list, rule, &all, err);
    if (st == BOSC_OK) {
        describe_gpus(sim->comm, all, &sim->gpu);
        st = bosc_agree(sim->comm, use_device(sim, &all[sim->comm->rank], err),
                        err);
    }
    free(all);
    return st;
}

bosc_status bosc_sim_list(bosc_sim *sim, bosc_error *err)
{
    const bosc_status st = read_lists(sim, err);

    return st == BOSC_OK ? bosc_sim_check_job(sim, err) : st;
}

/* What can fail on one rank alone, before anything costly. */
static bosc_status find_backend(bosc_sim *sim, bosc_error *err)
{
    sim->method = sim->job->compute.solver;

    /* With --mix a rank may do without a GPU. */
    return sim->request.mix && sim->method->backend->on_gpu
               ? BOSC_OK
               : bosc_backend_available(sim->method->backend, err);
}

bosc_status bosc_sim_prepare(bosc_sim *sim, bosc_error *err)
{
    bosc_status st = bosc_agree(sim->comm, find_backend(sim, err), err);

    if (st == BOSC_OK)
        st = take_gpu(sim, err);
    if (st == BOSC_OK)
        st = bosc_rank_threads(sim->comm, sim->job->compute.threads,
                               &sim->threads, err);
    return st == BOSC_OK ? bosc_sim_list(sim, err) : st;
}
