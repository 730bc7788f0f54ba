/* sim_choose.c - the method of a simulation, and the speeds of its ranks. */
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/sim/choose_method.h"
#include "src/sim/sim.h"

bosc_grouping bosc_sim_grouping(const bosc_sim *sim, const bosc_method *method)
{
    bosc_grouping grouping = bosc_method_grouping(method, sim->threads);

    grouping.width = bosc_compute_width(&sim->job->compute, method);
    return grouping;
}

/* "near: csr, chosen by rules; far: dense, chosen by the job" */
static bosc_status say_formats(bosc_sim *sim, bosc_error *err)
{
    for (int k = 0; k < sim->job->network.n_couplings; ++k) {
        char *before = sim->format_words;

        sim->format_words = bosc_format(
            "%s%s%s: %s, chosen by %s", before != NULL ? before : "",
            before != NULL ? "; " : "",
            sim->job->network.couplings[k].link.name,
            bosc_spmv_format_names[sim->formats[k].format], sim->formats[k].by);
        free(before);
        if (sim->format_words == NULL)
            return bosc_no_memory(err, "the formats of couplings");
    }
    return BOSC_OK;
}

/* All ranks take the method, and the width of groups, that rank 0 chooses: the
 * others' vectors, or caches, or GPUs may be others. */
static bosc_status
choose_method(bosc_sim *sim, const bosc_template_table *sizes, bosc_error *err)
{
    const bool with_job = sim->method == sim->job->compute.solver;
    const int n = sim->job->network.n_couplings;
    const int32_t ranks = bosc_choose_ranks(sim->ranks, sim->n_beside);
    bosc_status st;
    int64_t chosen;

    sim->formats = bosc_alloc((size_t)n, sizeof *sim->formats);
    st = sim->formats == NULL
             ? bosc_no_memory(err, "the formats of couplings")
             : bosc_choose_method(sizes, ranks, sim->threads, &sim->choice,
                                  sim->formats, err);
    if (st == BOSC_OK)
        st = say_formats(sim, err);
    if ((st = bosc_agree(sim->comm, st, err)) != BOSC_OK)
        return st;
    for (int k = 0; k < n; ++k) {
        chosen = sim->formats[k].format;
        bosc_bcast(sim->comm, &chosen, sizeof chosen, 0);
        sim->job->network.couplings[k].chosen = (bosc_spmv_format)chosen;
    }
    chosen = sim->choice.method - bosc_methods;
    bosc_bcast(sim->comm, &chosen, sizeof chosen, 0);
    sim->choice.method = sim->job->compute.solver = &bosc_methods[chosen];
    if (with_job)
        sim->method = sim->job->compute.solver;
    chosen = sim->choice.width;
    bosc_bcast(sim->comm, &chosen, sizeof chosen, 0);
    sim->choice.width = sim->job->compute.width = (int32_t)chosen;
    return BOSC_OK;
}

/* As bosc_local_cells_spec has it. */
bosc_status bosc_sim_find_speed(void *what, const bosc_template_table *sizes,
                                const bosc_rank_speed **out, bosc_error *err)
{
    bosc_sim *sim = what;
    bosc_status st = bosc_sim_check_sizes(sim, sizes, err);

    if (st == BOSC_OK)
        st = choose_method(sim, sizes, err);
    if (st == BOSC_OK)
        st = bosc_rank_speed_create(
            sim->comm, sim->job, bosc_job_computing(sim->job, sim->method),
            sim->threads, sim->request.memory, &sim->speed, err);
    if (st == BOSC_OK)
        sim->speed->gpu = sim->n_beside == 0 ? sim->gpu_bytes : 0;
    *out = sim->speed;
    return st;
}
