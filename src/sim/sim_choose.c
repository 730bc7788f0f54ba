/* sim_choose.c - the method of a simulation, and the speeds of its ranks. */
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/sim/choose_method.h"
#include "src/sim/sim.h"

bosc_grouping bosc_sim_grouping(const bosc_sim *sim, const bosc_method *method)
{
    const bosc_compute_spec *compute = &sim->job->compute;
    bosc_grouping grouping = bosc_method_grouping(
        method, (bosc_grouping){.threads = sim->threads,
                                .block = compute->block,
                                .from_root = compute->from_root});

    grouping.width = bosc_compute_width(compute, method);
    return grouping;
}

/* "near: csr, chosen by rules; far: dense, chosen by the job" */
static bosc_status say_formats(const bosc_network_spec *network,
                               bosc_sim_chosen *chosen, bosc_error *err)
{
    for (int k = 0; k < network->n_couplings; ++k) {
        char *before = chosen->format_words;

        chosen->format_words = bosc_format(
            "%s%s%s: %s, chosen by %s", before != NULL ? before : "",
            before != NULL ? "; " : "", network->couplings[k].link.name,
            bosc_spmv_format_names[chosen->formats[k].format],
            chosen->formats[k].by);
        free(before);
        if (chosen->format_words == NULL)
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
    const int32_t ranks =
        bosc_choose_ranks(sim->comm->ranks, sim->gpu.n_without);
    bosc_status st;
    int64_t chosen;

    sim->chosen.formats = bosc_alloc((size_t)n, sizeof *sim->chosen.formats);
    st =
        sim->chosen.formats == NULL
            ? bosc_no_memory(err, "the formats of couplings")
            : bosc_choose_method(sizes, ranks, sim->threads,
                                 &sim->chosen.choice, sim->chosen.formats, err);
    if (st == BOSC_OK)
        st = say_formats(&sim->job->network, &sim->chosen, err);
    if ((st = bosc_agree(sim->comm, st, err)) != BOSC_OK)
        return st;
    for (int k = 0; k < n; ++k) {
        chosen = sim->chosen.formats[k].format;
        bosc_bcast(sim->comm, &chosen, sizeof chosen, 0);
        sim->job->network.couplings[k].chosen = (bosc_spmv_format)chosen;
    }
    chosen = sim->chosen.choice.method - bosc_methods;
    bosc_bcast(sim->comm, &chosen, sizeof chosen, 0);
    sim->chosen.choice.method = sim->job->compute.solver =
        &bosc_methods[chosen];
    if (with_job)
        sim->method = sim->job->compute.solver;
    chosen = sim->chosen.choice.width;
    bosc_bcast(sim->comm, &chosen, sizeof chosen, 0);
    sim->chosen.choice.width = sim->job->compute.width = (int32_t)chosen;
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
        sim->speed->gpu = sim->gpu.n_without == 0 ? sim->gpu.bytes : 0;
    *out = sim->speed;
    return st;
}
