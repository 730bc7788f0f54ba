/* ranks.c - a simulation on several ranks over libbosc-mpi: together they have
 * the readings and spikes of one, and a failure of one is that of all.
 *
 * Each rank simulates alone, too, and looks up there what it has got.
 */
#include <bosc_mpi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

static int rank, n_ranks; /* of all */

static void all_ok(bool passed, const char *what, const char *name)
{
    int bad = !passed;

    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        ok(bad == 0, "%s: %s", what, name);
}

static int64_t sum(int64_t n, MPI_Comm comm)
{
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT64_T, MPI_SUM, comm);
    return n;
}

/* --- what one has, among what all have --- */

static int64_t find_column(const bosc_readings *all, const bosc_readings *mine,
                           int64_t i)
{
    for (int64_t k = 0; k < all->n_columns; ++k)
        if (all->gid[k] == mine->gid[i] &&
            all->compartment[k] == mine->compartment[i])
            return k;
    return -1;
}

static bool is_among(const bosc_readings *all, const bosc_readings *mine)
{
    if (mine->n_times != all->n_times)
        return false;
    for (int64_t i = 0; i < mine->n_columns; ++i) {
        const int64_t k = find_column(all, mine, i);

        for (int64_t t = 0; t < all->n_times; ++t)
            if (k < 0 || mine->time[t] != all->time[t] ||
                memcmp(&mine->values[t * mine->n_columns + i],
                       &all->values[t * all->n_columns + k],
                       sizeof *mine->values) != 0)
                return false;
    }
    return true;
}

static bool spikes_are_among(const bosc_spike_list *all,
                             const bosc_spike_list *mine)
{
    for (int64_t i = 0; i < mine->n; ++i) {
        int64_t k = 0;

        while (k < all->n &&
               (all->gid[k] != mine->gid[i] || all->time[k] != mine->time[i]))
            ++k;
        if (k == all->n || (i > 0 && mine->time[i - 1] > mine->time[i]))
            return false;
    }
    return true;
}

/* In the same order. */
static bool detections_are_among(const bosc_detection_list *all,
                                 const bosc_detection_list *mine)
{
    int64_t k = 0;

    for (int64_t i = 0; i < mine->n; ++i, ++k) {
        while (k < all->n &&
               (all->time[k] != mine->time[i] || all->gid[k] != mine->gid[i] ||
                all->probe[k] != mine->probe[i] ||
                all->compartment[k] != mine->compartment[i]))
            ++k;
        if (k >= all->n || all->x[k] != mine->x[i] ||
            strcmp(all->section[k], mine->section[i]) != 0)
            return false;
    }
    return true;
}

/* Collective over the ranks of 'mine'. */
static bool is_divided(bosc_simulation *one, bosc_simulation *mine,
                       MPI_Comm comm)
{
    bosc_spike_list a, b;
    bosc_detection_list found, mine_found;
    bool same = true;

    for (int i = 0; bosc_probe_name(one, i) != NULL; ++i) {
        const char *probe = bosc_probe_name(one, i);
        bosc_readings all, part;

        if (bosc_read(one, probe, "v", &all) != BOSC_OK ||
            bosc_read(mine, probe, "v", &part) != BOSC_OK)
            return false;
        same = sum(part.n_columns, comm) == all.n_columns &&
               is_among(&all, &part) && same;
    }
    bosc_spikes(one, &a);
    bosc_spikes(mine, &b);
    bosc_detections(one, &found);
    bosc_detections(mine, &mine_found);
    return sum(b.n, comm) == a.n && spikes_are_among(&a, &b) && same &&
           sum(mine_found.n, comm) == found.n &&
           detections_are_among(&found, &mine_found);
}

/* --- together --- */

static bool run(bosc_simulation *sim, double t)
{
    return says(bosc_advance(sim, t), BOSC_OK, sim, "");
}

/* On the ranks of 'comm'; the others are somewhere else. */
static void check(const char *what, const char *job, double end, MPI_Comm comm)
{
    bosc_comm *ranks = bosc_mpi_ranks(comm);
    bosc_simulation *one = open_here(job), *mine = open_here(job), *new;
    bytes state;
    bool good;

    run(one, end);
    bosc_set_ranks(mine, ranks);
    good = run(mine, end / 2);
    state = saved(mine);
    good = run(mine, end) && good;
    all_ok(good && bosc_time(mine) == end, what, "it is simulated");
    all_ok(bosc_n_neurons(mine) == bosc_n_neurons(one), what,
           "each rank knows how many neurons there are");
    all_ok(is_divided(one, mine, comm), what,
           "readings and spikes are those of one rank, divided");

    /* go back in the same handle, and on in another one */
    good = bosc_restore(mine, state.at, state.n) == BOSC_OK && run(mine, end);
    new = open_here(job);
    bosc_set_ranks(new, ranks);
    good = bosc_restore(new, state.at, state.n) == BOSC_OK && run(new, end) &&
           good;

    bytes a = recorded(mine), b = recorded(new);

    good = same_bytes(a, b) && good;
    free(a.at);
    free(b.at);
    bosc_close(new);
    new = open_here(job);
    bosc_restore(new, state.at, state.n);
    all_ok(good, what, "it goes back, and on with the same bits");

    int size;

    MPI_Comm_size(comm, &size);
    all_ok(size == 1 || strstr(bosc_last_error(new), "this is rank 0 of 1"),
           what, "another number of ranks is refused its state");
    bosc_close(new);
    /* what was recorded since then is the second half of 'one' */
    bosc_close(one);
    one = open_here(job);
    run(one, end / 2);
    bosc_forget(one);
    run(one, end);
    all_ok(is_divided(one, mine, comm), what,
           "what is recorded then is what one rank records");
    free(state.at);
    bosc_close(one);
    bosc_close(mine);
    bosc_mpi_free(ranks);
}

/* --- failures --- */

/* The last rank has another file, another value, another time, ... */
static void check_failures(void)
{
    bosc_comm *ranks = bosc_mpi_ranks(MPI_COMM_WORLD);
    const bool last = rank == n_ranks - 1;
    bosc_simulation *sim;
    bosc_status st;
    bytes state, early;

    put_file("job.yaml", ring_job);
    bosc_open(last ? "no.yaml" : "job.yaml", &sim);
    bosc_set_ranks(sim, ranks);
    st = bosc_build(sim);
    all_ok(says(st, BOSC_ENOINPUT, sim, "no.yaml"), "one rank",
           "its file is not there: all say so");
    all_ok(bosc_advance(sim, 1) == BOSC_ENOINPUT, "one rank",
           "also from then on");
    bosc_close(sim);

    sim = open_here("tstop: [");
    bosc_set_ranks(sim, ranks);
    all_ok(bosc_build(sim) == BOSC_EFORMAT, "one rank", "a bad job is of all");
    bosc_close(sim);

    sim = open_here(ring_job);
    bosc_set_ranks(sim, ranks);
    bosc_set(sim, "celsius", last ? "7" : "6");
    all_ok(says(bosc_build(sim), BOSC_EUSAGE, sim, "different values"),
           "one rank", "another value is refused");
    bosc_close(sim);

    sim = open_here(ring_job);
    bosc_set_ranks(sim, ranks);
    all_ok(says(bosc_advance(sim, last ? NAN : 10), BOSC_EVALUE, sim,
                "not a number") &&
               says(bosc_advance(sim, last ? 10 : 20), BOSC_EUSAGE, sim,
                    "different times") &&
               bosc_time(sim) == 0,
           "one rank", "a time that is not the others' is refused");
    early = saved(sim);
    run(sim, 10);
    state = saved(sim);
    if (last)
        state.at[state.n / 2] ^= 1;
    all_ok(says(bosc_restore(sim, state.at, state.n), BOSC_EFORMAT, sim,
                "damaged"),
           "one rank", "a damaged state is one of all");
    if (last)
        state.at[state.n / 2] ^= 1;
    all_ok(says(bosc_restore(sim, last ? early.at : state.at,
                             last ? early.n : state.n),
                BOSC_EVALUE, sim, "different times"),
           "one rank", "a state of another time is refused");
    all_ok(run(sim, 20), "one rank", "after all that it goes on");
    free(early.at);
    free(state.at);
    bosc_close(sim);
    bosc_mpi_free(ranks);
}

int main(int argc, char **argv)
{
    MPI_Comm some;
    int mods = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    own_folder();
    mods = put_mods();
    check("a network", ring_job, 60, MPI_COMM_WORLD);
    check("gap junctions", gap_job, 40, MPI_COMM_WORLD);
    if (mods)
        check("mod files", mods_job, 60, MPI_COMM_WORLD);
    /* 0 and 1, and beside them 2 alone, as in one program with parts */
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &some);
    check("a network on two of three", ring_job, 60, some);
    MPI_Comm_free(&some);
    check_failures();
    leave_folder();
    MPI_Finalize();
    return rank == 0 ? done_testing() : 0;
}
