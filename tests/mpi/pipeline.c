/* pipeline.c - epochs of a network on 3 ranks, with a backend that computes
 * nothing but tells what it is asked: their order, what overlaps, which events
 * come when, and that a failure of one rank ends all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/mpi/mpi_comm.h"
#include "src/sim/epochs.h"
#include "tests/lib/fake_backend.h"
#include "tests/lib/ranks.h"

enum {
    N = FAKE_N,
    EPOCH = FAKE_EPOCH,
    N_EPOCHS = FAKE_EPOCHS,
    N_STEPS = FAKE_STEPS
};

static void need(bosc_status st, const bosc_error *err)
{
    if (st != BOSC_OK) {
        printf("Bail out! %s\n", err->text);
        exit(1);
    }
}

static bool never(int64_t source, int64_t step)
{
    return source + step < 0;
}

static bool now_and_then(int64_t source, int64_t step)
{
    return (7 * step + 13 * source) % 11 == 0;
}

static bool always(int64_t source, int64_t step)
{
    return source + step >= 0;
}

/* What became of a run. */
typedef struct outcome {
    bosc_status own, agreed;
    bosc_error err;
    int calls;
    bool as_expected, recorded;
    char log[400];
    bosc_epochs_times times;
} outcome;

/* In ranges of three epochs, until one fails; as time_loop.c does. */
static void run_ranges(const bosc_comm *comm, const bosc_engine *e,
                       bosc_epochs *epochs, outcome *o)
{
    bosc_frame_room room = {0};
    bosc_status st = BOSC_OK;

    o->recorded = true;
    for (int64_t from = 0; from < N_STEPS; from += 3 * EPOCH) {
        const int64_t to = from + 3 * EPOCH;
        const int64_t range[2] = {from, to < N_STEPS ? to : N_STEPS};
        int64_t failures;
        bosc_step_output record;

        st = bosc_epochs_run(epochs, st, range, true, &room, &record, &o->err);
        failures = st != BOSC_OK;
        bosc_sum_int64(comm, &failures, 1);
        if (failures > 0)
            break;
        o->recorded = o->recorded && fake_is_recorded(e, range, &record);
    }
    bosc_frame_room_clear(&room);
    o->own = st;
    o->agreed = bosc_agree(comm, st, &o->err);
}

static outcome run(const bosc_comm *comm, const fake_plan *p)
{
    static bosc_engine e;
    static const int64_t nobody = -1;
    int64_t id[2 * N];
    int r, n_ranks;
    outcome o = {.err = {""}};
    bosc_source_spec beat = {.name = (char[]){"beat"},
                             .type = BOSC_SOURCE_REGULAR,
                             .count = 1,
                             .stop = INFINITY,
                             .number = INT64_MAX,
                             .interval = 0.1};
    bosc_job job = {.dt = 0.025,
                    .n_steps = N_STEPS,
                    .network.n_sources = 1,
                    .network.sources = &beat};
    bosc_epochs *epochs = NULL;
    bosc_sources *sources = NULL;

    r = comm->rank;
    n_ranks = comm->ranks;
    fake_create(&e, p, r, n_ranks);
    for (int i = 0; i < 2 * N; ++i) /* neuron 0 is heard by its other place */
        id[i] = (i < N) == (i % N != 0) && !p->quiet ? e.first + i % N : nobody;

    const int64_t first_id[] = {e.all, e.all + 1};

    need(bosc_sources_create(&job, first_id, e.connection_table, &sources,
                             &o.err),
         &o.err);
    bosc_sources_seal(sources);

    const bosc_epochs_spec spec = {.comm = comm,
                                   .integrator = &fake_engine,
                                   .engine = &e,
                                   .batch = &e.batch,
                                   .connection_table = e.connection_table,
                                   .sources = sources,
                                   .sends = !p->quiet,
                                   .epoch = EPOCH,
                                   .n_steps = N_STEPS,
                                   .n_neurons = N,
                                   .id = id};

    need(bosc_epochs_create(&spec, &epochs, &o.err), &o.err);
    run_ranges(comm, &e, epochs, &o);
    o.calls = e.calls;
    o.as_expected = e.as_expected;
    o.times = bosc_epochs_seconds(epochs);
    memcpy(o.log, e.log, sizeof o.log);
    bosc_epochs_destroy(epochs);
    bosc_sources_destroy(sources);
    fake_clear(&e);
    return o;
}

/* --- tests ---------------------------------------------------------------- */

/* Epoch k is handed its events and integrated, and meanwhile what was sent
 * after k - 1 is distributed; nothing comes after the last. */
static bool is_in_order(const char *log)
{
    char want[400] = "";

    for (int k = 0; k < N_EPOCHS; ++k) {
        const size_t used = strlen(want);

        snprintf(want + used, sizeof want - used,
                 k < N_EPOCHS - 1 ? "E%d U%d( D%d ) " : "E%d U%d(  ) ", k, k,
                 k - 1);
    }
    if (strcmp(log, want) == 0)
        return true;
    printf("# rank %d: %s\n", rank, log);
    return false;
}

static bool is_whole(const outcome *o)
{
    return o->own == BOSC_OK && o->agreed == BOSC_OK && o->calls == N_EPOCHS &&
           o->recorded;
}

static void test_order(void)
{
    const outcome o =
        run(world, &(fake_plan){.spikes = now_and_then, .failing_rank = -1});

    all_ok(is_whole(&o), "all epochs are run, spikes and frames recorded");
    all_ok(is_in_order(o.log), "E(k) comes before U(k), and D(k - 1) happens "
                               "within U(k)");
    all_ok(o.as_expected, "spikes are received when and in the order they "
                          "should, across ranks, within, and by autapses");
    all_ok(o.times.integrating > 0 && o.times.distributing > 0 &&
               o.times.waiting >= 0 && o.times.waiting < o.times.integrating,
           "time is measured, and most of the exchange was hidden");
}

static void test_spikes(void)
{
    static const struct {
        const char *name;
        fake_plan plan;
    } cases[] = {
        {"without spikes", {.spikes = never, .failing_rank = -1}},
        {"with spikes in every step", {.spikes = always, .failing_rank = -1}},
        {"where only sources speak",
         {.spikes = now_and_then, .quiet = true, .failing_rank = -1}},
    };

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        fake_plan p = cases[k].plan;
        char name[100];

        const outcome o = run(world, &p);

        snprintf(name, sizeof name, "%s every event is as it should be",
                 cases[k].name);
        all_ok(is_whole(&o) && o.as_expected && is_in_order(o.log), name);
    }
}

/* Each rank a world of its own. */
static void test_alone(void)
{
    const outcome o = run(&bosc_comm_self, &(fake_plan){.spikes = now_and_then,
                                                        .failing_rank = -1});

    all_ok(is_whole(&o) && o.as_expected && is_in_order(o.log),
           "a rank alone hears itself as others do");
}

/* The failing rank's message reaches all, no rank goes on for more than an
 * epoch, and none waits for ever. */
static void test_failures(void)
{
    static const struct {
        const char *name, *says;
        fake_plan plan;
        bosc_status want;
        int calls; /* at most */
    } cases[] = {
        {"a failure of rank 1 in epoch 4",
         "rank 1 broke in epoch 4",
         {.spikes = now_and_then, .failing_rank = 1, .failing_epoch = 4},
         BOSC_EVALUE,
         6},
        {"one of rank 0 in the first epoch",
         "rank 0 broke in epoch 0",
         {.spikes = always, .failing_rank = 0, .failing_epoch = 0},
         BOSC_EVALUE,
         2},
        {"one of rank 2 at the end of a range",
         "rank 2 broke in epoch 5",
         {.spikes = never, .failing_rank = 2, .failing_epoch = 5},
         BOSC_EVALUE,
         6},
        {"one of rank 2 in the last epoch",
         "rank 2 broke in epoch 7",
         {.spikes = now_and_then, .failing_rank = 2, .failing_epoch = 7},
         BOSC_EVALUE,
         8},
        {"one where nothing travels",
         "rank 1 broke in epoch 3",
         {.spikes = now_and_then,
          .quiet = true,
          .failing_rank = 1,
          .failing_epoch = 3},
         BOSC_EVALUE,
         6},
        {"a spike too late for its delay",
         "too late for its delay",
         {.spikes = always,
          .failing_rank = 1,
          .failing_epoch = -1,
          .too_short = EPOCH + 2},
         BOSC_EINTERNAL,
         4},
    };

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        fake_plan p = cases[k].plan;
        char name[100];

        const outcome o = run(world, &p);
        const bool mine = rank == p.failing_rank;

        snprintf(name, sizeof name, "%s ends all ranks, with its message",
                 cases[k].name);
        all_ok(o.agreed == cases[k].want &&
                   (o.own == BOSC_OK) == (rank != p.failing_rank) &&
                   strstr(o.err.text, cases[k].says) != NULL &&
                   o.calls <= cases[k].calls &&
                   (mine || o.as_expected || p.too_short > 0),
               name);
    }
}

/* Epochs without projections, of so many steps, of the engine. */
static bosc_epochs *without_network(bosc_engine *e, int64_t epoch, bool whole)
{
    static const fake_plan p = {.spikes = now_and_then, .failing_rank = -1};
    bosc_epochs *epochs = NULL;
    bosc_error err;

    fake_create(e, &p, rank, ranks);

    const bosc_epochs_spec spec = {.comm = world,
                                   .integrator = &fake_engine,
                                   .engine = e,
                                   .batch = &e->batch,
                                   .epoch = epoch,
                                   .whole = whole,
                                   .n_steps = N_STEPS,
                                   .n_neurons = N};

    need(bosc_epochs_create(&spec, &epochs, &err), &err);
    return epochs;
}

/* Without projections a range is one call, without events. */
static void test_no_network(void)
{
    static bosc_engine e;
    bosc_epochs *epochs = without_network(&e, 1, true);
    bosc_frame_room room = {0};
    bosc_step_output record;
    bosc_error err;

    all_ok(bosc_epochs_run(epochs, BOSC_OK, (const int64_t[]){0, EPOCH}, false,
                           &room, &record, &err) == BOSC_OK &&
               record.n_frames[0] == EPOCH / FAKE_EVERY + 1 &&
               strcmp(e.log, " U0(  ) ") == 0,
           "without projections a range is one call");
    bosc_frame_room_clear(&room);
    bosc_epochs_destroy(epochs);
    fake_clear(&e);
}

/* Nor does it need them to be cut into epochs. */
static void test_cut(void)
{
    static bosc_engine e;
    bosc_epochs *epochs = without_network(&e, EPOCH, false);
    bosc_frame_room room = {0};
    bosc_step_output record;
    bosc_error err;

    all_ok(bosc_epochs_run(epochs, BOSC_OK, (const int64_t[]){0, 2 * EPOCH},
                           true, &room, &record, &err) == BOSC_OK &&
               record.n_frames[0] == 2 * EPOCH / FAKE_EVERY + 1 &&
               strcmp(e.log, " U0(  )  U1(  ) ") == 0,
           "unless it is to be several epochs");
    all_ok(e.n_sure == 2 && e.n_unsure == 0,
           "each epoch is told while the one before is computed, also of the "
           "range that follows");
    all_ok(bosc_epochs_run(epochs, BOSC_OK,
                           (const int64_t[]){2 * EPOCH, 4 * EPOCH}, false,
                           &room, &record, &err) == BOSC_OK &&
               e.n_sure == 3 && e.n_unsure == 1,
           "but that one may be none where something comes before");
    bosc_frame_room_clear(&room);
    bosc_epochs_destroy(epochs);
    fake_clear(&e);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_ranks();
    alarm(250); /* waiting for ever is a failure */
    test_order();
    test_spikes();
    test_alone();
    test_failures();
    test_no_network();
    test_cut();
    const int failed = rank == 0 ? done_testing() : 0;
    MPI_Finalize();
    return failed;
}
