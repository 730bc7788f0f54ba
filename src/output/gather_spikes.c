/* gather_spikes.c - spikes at rank 0 on their way to the writer: those of
 * neurons, and what probes with a threshold have detected.
 */
#include "src/output/gather_plan.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* --- what probes detect --------------------------------------------------- */

/* A column that detects on its way to rank 0. */
typedef struct detecting {
    int64_t number, gid;
} detecting;

bosc_status bosc_gather_detecting_create(bosc_gather_plan *plan,
                                         bosc_error *err)
{
    const bosc_built_batch *built = plan->built;
    const int64_t n_neurons = plan->model.gid_table->n_neurons;
    int64_t *first = plan->detecting.first;
    const size_t n = (size_t)built->n_detecting;
    size_t *offset = NULL;
    void *got = NULL;
    detecting *mine = NULL;
    bosc_status st;

    for (int32_t p = 0; p < built->n_probes; ++p)
        first[p + 1] =
            first[p] + (plan->probes[p].detects ? plan->probes[p].n : 0);

    const int64_t all = first[built->n_probes];

    if (all == 0)
        return BOSC_OK;
    st = BOSC_ALLOC(err, "the spike detectors", BOSC_ARRAY(mine, n));
    if (st == BOSC_OK && plan->roles.rank == 0)
        st = BOSC_ALLOC(err, "the spike detectors",
                        BOSC_ARRAY(plan->detecting.gid, all));
    for (size_t k = 0; k < n && st == BOSC_OK; ++k) {
        const bosc_detecting *of = &built->detecting[k];

        mine[k] = (detecting){first[of->probe] +
                                  plan->file_column[of->probe][of->column],
                              built->columns[of->probe].column[of->column].gid};
        built->recorded[k] = n_neurons + mine[k].number;
    }
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st =
            bosc_gather(plan->comm, mine, n * sizeof *mine, &got, &offset, err);
    for (int64_t k = 0; st == BOSC_OK && plan->roles.rank == 0 && k < all; ++k)
        plan->detecting.gid[((detecting *)got)[k].number] =
            ((detecting *)got)[k].gid;
    free(mine);
    free(got);
    free(offset);
    return bosc_agree(plan->comm, st, err);
}

/* --- to the writer -------------------------------------------------------- */

static void note_no_memory(bosc_gather_plan *plan)
{
    if (plan->st == BOSC_OK)
        plan->st = bosc_no_memory(&plan->err, "the spikes");
}

/* Those of one rank are, where its neurons are in the order of gids. */
static bool is_sorted(const bosc_spike *spikes, size_t n)
{
    size_t i = 1;

    while (i < n && bosc_spike_compare(&spikes[i - 1], &spikes[i]) <= 0)
        ++i;
    return i >= n;
}

static int population_of(const bosc_gather_plan *plan, int64_t gid)
{
    return bosc_gid_table_find(plan->model.gid_table, gid)->population;
}

/* Pass n spikes on. */
static void write_own(bosc_gather_plan *plan, const bosc_spike *spike, size_t n)
{
    bosc_message *message = bosc_message_create(0, n);

    if (message == NULL) {
        note_no_memory(plan);
        return;
    }
    for (size_t i = 0; i < n; ++i) {
        message->values[i] = bosc_spike_time(&spike[i], plan->model.job->dt);
        message->gid[i] = spike[i].source;
        ++plan->fired[population_of(plan, spike[i].source)];
    }
    bosc_writer_put(plan->writer, message);
}

/* Pass on what n places of probes have detected. */
static void write_detected(bosc_gather_plan *plan, const bosc_spike *spike,
                           size_t n)
{
    const int64_t n_neurons = plan->model.gid_table->n_neurons;
    const int64_t *first = plan->detecting.first;
    bosc_message *message = n > 0 ? bosc_message_create_detections(n) : NULL;

    if (n == 0)
        return;
    if (message == NULL) {
        note_no_memory(plan);
        return;
    }
    for (size_t i = 0; i < n; ++i) {
        const int64_t number = spike[i].source - n_neurons;
        int64_t p = 0;

        while (first[p + 1] <= number)
            ++p;
        message->values[i] = bosc_spike_time(&spike[i], plan->model.job->dt);
        message->gid[i] = plan->detecting.gid[number];
        message->gid[n + i] = p;
        message->gid[2 * n + i] = number - first[p];
    }
    bosc_writer_put(plan->writer, message);
}

/* Those of neurons first, then what probes have detected, else in their order;
 * *n_own: how many the first are.  False: no memory. */
static bool split(bosc_gather_plan *plan, size_t *n_own)
{
    const int64_t n_neurons = plan->model.gid_table->n_neurons;
    bosc_spike *all = plan->spikes.all, *later = NULL;
    const size_t n = plan->spikes.n;
    size_t k = 0;

    *n_own = 0;
    for (size_t i = 0; i < n; ++i)
        k += all[i].source >= n_neurons;
    if (k == 0) {
        *n_own = n;
        return true;
    }
    if ((later = bosc_alloc(k, sizeof *later)) == NULL)
        return false;
    for (size_t i = k = 0; i < n; ++i)
        if (all[i].source >= n_neurons)
            later[k++] = all[i];
        else
            all[(*n_own)++] = all[i];
    memcpy(all + *n_own, later, k * sizeof *later);
    free(later);
    return true;
}

bool bosc_gather_write_spikes(bosc_gather_plan *plan)
{
    bosc_spike_flow *flow = &plan->spikes;
    const size_t n = flow->n;

    if (n > 0 && !bosc_writer_room(plan->writer, n * 2 * sizeof(double))) {
        plan->full = true;
        return false;
    }

    size_t n_own = 0;

    if (!is_sorted(flow->all, n))
        qsort(flow->all, n, sizeof *flow->all, bosc_spike_compare);
    if (!split(plan, &n_own)) {
        note_no_memory(plan);
        return true;
    }
    write_own(plan, flow->all, n_own);
    write_detected(plan, flow->all + n_own, n - n_own);
    plan->n_spikes += (int64_t)n;
    plan->detecting.n += (int64_t)(n - n_own);
    return true;
}
