/* gather_run.c - ranges of steps: taken, on their way, at the end. */
#include "src/output/gather_plan.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/step/frames.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/mpi/mpi_comm.h"

/* --- what was planned ---------------------------------------------------- */

bosc_gather_view bosc_gather_look(const bosc_gather_plan *plan)
{
    return (bosc_gather_view){
        .probes = plan->probes,
        .n_sections = plan->sections.first[BOSC_N_SECTION_KINDS],
        .sections = (const char *const *)plan->sections.name,
        .io_ranks = plan->roles.n_aggregators,
        .writers = plan->roles.n_owners,
        .frame_bytes = plan->frame_bytes,
        .range_bytes = (int64_t)plan->queue_bytes / 2,
        .spikes = plan->n_spikes,
        .detected = plan->detecting.n,
        .fired = plan->fired,
        .times = plan->times,
    };
}

double bosc_gather_bytes(const bosc_gather_plan *plan, int64_t n_steps)
{
    double bytes = 0;

    for (int32_t s = 0; s < plan->built->n_sets; ++s)
        bytes +=
            (double)plan->flow[s].n *
            (double)bosc_frames_until(&plan->built->batch.sets[s].at, n_steps) *
            sizeof(double);
    return bytes;
}

void bosc_gather_resume(bosc_gather_plan *plan, int64_t spikes,
                        const int64_t *fired)
{
    plan->n_spikes = spikes;
    memcpy(plan->fired, fired,
           (size_t)plan->model.job->n_populations * sizeof *fired);
    plan->detecting.n = spikes;
    for (int p = 0; p < plan->model.job->n_populations; ++p)
        plan->detecting.n -= fired[p];
}

/* --- taking a range ------------------------------------------------------ */

static void pause_a_little(int64_t times)
{
    enum { OFTEN = 100, NAP = 50000 };

    if (times < OFTEN)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
}

/* Until the current range has arrived. */
static void wait_for_range(bosc_gather_plan *plan)
{
    double before = bosc_now();

    for (int64_t times = 0; plan->range.in_flight; ++times) {
        const bool full = plan->full;

        bosc_gather_poll(plan);
        if (plan->range.in_flight)
            pause_a_little(times);

        const double now = bosc_now();

        if (full && plan->full)
            plan->times.full += now - before;
        before = now;
    }
}

/* Frames in (from, to], and frame 0 when from is 0; false where the record has
 * others, because the run is over. */
static bool count_frames(const bosc_built_batch *built,
                         bosc_gather_range *range,
                         const bosc_step_output *record, int64_t from,
                         int64_t to)
{
    for (int32_t s = 0; s < built->n_sets; ++s) {
        const bosc_frame_span span =
            bosc_frames_of(&built->batch.sets[s].at, from, to);

        range->first_frame[s] = span.begin;
        range->n_frames[s] = span.n;
        if (record->n_frames[s] != range->n_frames[s])
            return false;
    }
    return true;
}

bosc_status bosc_gather_take(bosc_gather_plan *plan,
                             const bosc_step_output *record, int64_t from,
                             int64_t to, bosc_error *err)
{
    const double began = bosc_now();
    bosc_status st = BOSC_OK;

    wait_for_range(plan);
    if (count_frames(plan->built, &plan->range, record, from, to)) {
        plan->range.taken = true;
        plan->range.values = plan->sums.values +
                             plan->sums.turn * (ptrdiff_t)plan->built->n_sets;
        plan->spikes.mine = record->spikes;
        plan->spikes.n_mine = record->n_spikes;
        if (plan->roles.rank != 0)
            plan->n_spikes += (int64_t)record->n_spikes;
    }
    if (st == BOSC_OK && plan->st != BOSC_OK) {
        st = plan->st;
        *err = plan->err;
    }
    if (st == BOSC_OK && plan->writer != NULL)
        st = bosc_writer_status(plan->writer, err);
    plan->times.waiting += bosc_now() - began;
    return st;
}

/* --- all together -------------------------------------------------------- */

void bosc_gather_poll(bosc_gather_plan *plan)
{
    if (!plan->range.in_flight)
        return;
    plan->full = false;
    if (!plan->spikes.over)
        bosc_gather_move_spikes(plan);
    if (!bosc_gather_move_blocks(plan) || !plan->spikes.over)
        return;
    plan->range.in_flight = false;
    if (plan->writer != NULL) /* a good moment for the disk */
        bosc_gather_mark(plan, 0, 0, 0);
}

void bosc_gather_start(bosc_gather_plan *plan)
{
    if (!plan->range.taken)
        return;
    plan->range.taken = false;
    plan->range.next = (bosc_block){0};
    plan->spikes.n = 0;
    plan->spikes.n_received = 0;
    plan->spikes.receiving = plan->spikes.sending = plan->spikes.over = false;
    plan->range.in_flight = true;
    if (plan->roles.aggregator != plan->roles.rank)
        bosc_gather_send_spikes(plan, plan->roles.aggregator, plan->spikes.mine,
                                plan->spikes.n_mine);
    bosc_gather_poll(plan);
}

/* The file becomes all owners'.  Collective over them. */
static bosc_status divide_file(bosc_gather_plan *plan, bosc_result *result,
                               bosc_error *err)
{
    const int32_t n = plan->built->n_sets;
    bosc_parallel_file_layout *part = bosc_alloc((size_t)n, sizeof *part);
    bosc_status st =
        part == NULL ? bosc_no_memory(err, "the I/O ranks") : BOSC_OK;

    for (int32_t s = 0; st == BOSC_OK && s < n; ++s) {
        const bosc_flow *flow = &plan->flow[s];

        part[s] = (bosc_parallel_file_layout){.set = plan->built->sets[s].probe,
                                              .variable =
                                                  plan->built->sets[s].variable,
                                              .n = flow->n,
                                              .width = flow->width,
                                              .turns = flow->turns,
                                              .rows = flow->rows};
    }
    if ((st = bosc_agree(plan->io, st, err)) == BOSC_OK)
        st = bosc_parallel_file_create(bosc_mpi_of(plan->io), result, part, n,
                                       &plan->parts, err);
    free(part);
    return st;
}

bosc_status bosc_gather_open(bosc_gather_plan *plan, bosc_result *result,
                             bosc_error *err)
{
    bosc_status st = BOSC_OK;

    plan->result = result;
    if (plan->io != NULL)
        st = divide_file(plan, result, err);
    if (st == BOSC_OK && (plan->roles.rank == 0 || plan->parts != NULL))
        st = bosc_writer_create(result, plan->parts, plan->queue_bytes,
                                &plan->writer, err);
    if ((st = bosc_agree(plan->comm, st, err)) != BOSC_OK) {
        bosc_error why = {""};

        bosc_gather_finish(plan, &why);
    }
    return st;
}

bosc_writer *bosc_gather_flush(bosc_gather_plan *plan)
{
    wait_for_range(plan);
    if (plan->roles.rank != 0 || plan->writer == NULL)
        return NULL;
    bosc_writer_drain(plan->writer);
    return plan->writer;
}

/* By a writer's thread. */
static void secure(void *what)
{
    bosc_gather_plan *plan = what;
    bosc_gather_secured end = {BOSC_OK, {""}};

    end.st = plan->parts != NULL
                 ? bosc_parallel_file_secure(plan->parts, &end.err)
                 : bosc_result_secure(plan->result, &end.err);
    if (plan->roles.rank == 0)
        *plan->secured = end;
}

void bosc_gather_secure(bosc_gather_plan *plan, bosc_gather_secured *out)
{
    plan->secured = out;
    if (plan->writer != NULL)
        bosc_writer_call(plan->writer, secure, plan, 0);
}

bosc_status bosc_gather_finish(bosc_gather_plan *plan, bosc_error *err)
{
    const double began = bosc_now();
    bosc_status st;

    wait_for_range(plan);
    if ((st = plan->st) != BOSC_OK)
        *err = plan->err;
    if (plan->writer != NULL) {
        bosc_error why = {""};
        double seconds;
        const bosc_status wrote =
            bosc_writer_finish(plan->writer, &seconds, &why);

        plan->times.writing += seconds;
        plan->writer = NULL;
        if (st == BOSC_OK && wrote != BOSC_OK) {
            st = wrote;
            *err = why;
        }
    }
    if (plan->parts != NULL) {
        bosc_error why = {""};
        const bosc_status put = bosc_parallel_file_finish(plan->parts, &why);

        plan->parts = NULL;
        if (st == BOSC_OK && put != BOSC_OK) {
            st = put;
            *err = why;
        }
    }
    plan->times.waiting += bosc_now() - began;

    int64_t full = (int64_t)(plan->times.full * -1e9); /* the longest */

    bosc_min_int64(plan->comm, &full, 1);
    plan->times.full = (double)full * -1e-9;
    return st;
}
