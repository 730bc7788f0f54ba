/* Collective habits, on 3 ranks (or any number). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/mpi/mpi_comm.h"
#include "tests/lib/ranks.h"

static void test_agree(void)
{
    bosc_error err = {"untouched"};
    bosc_status st = bosc_agree(world, BOSC_OK, &err);

    all_ok(st == BOSC_OK && strcmp(err.text, "untouched") == 0,
           "ranks without failure agree on success");
    st = BOSC_OK;
    if (rank == ranks - 1)
        st = bosc_fail(&err, BOSC_EFORMAT, "cell.swc:7: rank %d fails", rank);
    st = bosc_agree(world, st, &err);
    all_ok(st == BOSC_EFORMAT && strstr(err.text, "cell.swc:7") != NULL,
           "every rank gets the status and the message of the one that failed");
    st = bosc_fail(&err, BOSC_EIO, "rank %d", rank);
    st = bosc_agree(world, st, &err);
    all_ok(st == BOSC_EIO && strcmp(err.text, "rank 0") == 0,
           "of several failures the lowest rank's is told");
}

/* From here on the last rank has caught a signal. */
static void test_signal(void)
{
    bosc_error err = {""};
    bosc_status st;

    bosc_signals_catch();
    if (rank == ranks - 1)
        raise(SIGUSR1);
    st = bosc_agree(world, BOSC_OK, &err);
    all_ok(st == BOSC_EINTR && strstr(err.text, "stopped by signal") != NULL,
           "a signal to one rank ends the set-up of all");
    st = rank == 0 ? bosc_fail(&err, BOSC_EIO, "rank 0 fails") : BOSC_OK;
    st = bosc_agree_item(world, 1 << 30, st, &err);
    all_ok(st == BOSC_EIO && strcmp(err.text, "rank 0 fails") == 0,
           "of a signal and a failure the failure is told");
    bosc_signals_begin_loop();
    st = bosc_agree(world, BOSC_OK, &err);
    all_ok(st == BOSC_OK, "after set-up no agreement asks for signals");
}

static void test_gather(void)
{
    const size_t n = (size_t)rank * 3; /* rank 0 sends nothing */
    unsigned char *mine = bosc_alloc(n, 1);
    size_t *offset = NULL;
    void *all = NULL;
    bool right = true;

    memset(mine, rank + 1, n);
    bosc_status st = bosc_allgather(world, mine, n, &all, &offset, NULL);
    for (int r = 0; r < ranks; ++r)
        for (size_t i = offset[r]; i < offset[r + 1]; ++i)
            right = right && ((unsigned char *)all)[i] == r + 1;
    all_ok(st == BOSC_OK && right &&
               offset[ranks] == (size_t)(3 * ranks * (ranks - 1) / 2),
           "blocks of different sizes reach everybody in rank order");
    free(all);
    all = NULL;
    st = bosc_gather(world, mine, n, &all, NULL, NULL);
    all_ok(st == BOSC_OK && (all != NULL) == (rank == 0),
           "a gathered block is at rank 0 alone");
    free(all);
    free(mine);
    free(offset);
}

static void test_exchange(void)
{
    size_t *offset = bosc_alloc((size_t)ranks + 1, sizeof *offset);
    size_t *from = NULL;
    void *got = NULL;
    bool right = true;

    for (int r = 0; r < ranks; ++r) /* r + 1 bytes to rank r */
        offset[r + 1] = offset[r] + (size_t)r + 1;
    unsigned char *send = bosc_alloc(offset[ranks], 1);
    memset(send, 10 + rank, offset[ranks]);

    const bosc_status st =
        bosc_exchange(world, send, offset, &got, &from, NULL);

    for (int r = 0; st == BOSC_OK && r < ranks; ++r)
        for (size_t i = 0; i < (size_t)rank + 1; ++i)
            right = right && ((unsigned char *)got)[from[r] + i] == 10 + r;
    all_ok(st == BOSC_OK && right, "every rank sends every rank its own bytes");
    free(send);
    free(offset);
    free(from);
    free(got);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_ranks();
    test_agree();
    test_gather();
    test_exchange();
    test_signal();
    const int failed = rank == 0 ? done_testing() : 0;
    MPI_Finalize();
    return failed;
}
