/* The GPUs of ranks, on 3 ranks (or any number), with GPUs that are lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/distribute/device.h"
#include "src/mpi/mpi_comm.h"
#include "tests/lib/ranks.h"

static bosc_status make_list(int32_t n, int first, bosc_gpu **gpus)
{
    *gpus = bosc_alloc((size_t)n, sizeof **gpus);
    for (int32_t k = 0; k < n; ++k) {
        bosc_gpu *gpu = &(*gpus)[k];

        gpu->number = k;
        gpu->memory = (int64_t)141 << 30;
        snprintf(gpu->uuid, sizeof gpu->uuid, "GPU-%08d", first + k);
        snprintf(gpu->name, sizeof gpu->name, "paper tiger");
    }
    return BOSC_OK;
}

/* Every rank sees as many GPUs as there are ranks, all the same. */
static bosc_status list_all(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    (void)err;
    *n = ranks;
    return make_list(ranks, 0, gpus);
}

/* Each sees its own, as number 0. */
static bosc_status list_own(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    (void)err;
    *n = 1;
    return make_list(1, rank, gpus);
}

/* Fewer by one than ranks. */
static bosc_status list_few(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    (void)err;
    *n = ranks - 1;
    return make_list(ranks - 1, 0, gpus);
}

/* The last rank has no driver. */
static bosc_status list_but_last(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    if (rank == ranks - 1)
        return bosc_fail(err, BOSC_ENOSUP, "there is no driver");
    return list_all(gpus, n, err);
}

/* The last rank has no memory. */
static bosc_status list_without_memory(bosc_gpu **gpus, int32_t *n,
                                       bosc_error *err)
{
    if (rank == ranks - 1)
        return bosc_no_memory(err, "a list");
    return list_all(gpus, n, err);
}

static void test_found(void)
{
    bosc_device *all = NULL;
    bosc_error err = {""};
    bosc_status st =
        bosc_device_find(world, list_all, BOSC_GPU_OWN, &all, &err);
    bool right = st == BOSC_OK;

    for (int r = 0; r < ranks && right; ++r)
        right = all[r].gpu.number == r && all[r].sharing == 1 &&
                all[r].local == r && all[r].node[0] != '\0';
    all_ok(right,
           "ranks that see all GPUs of their node get one after another");
    free(all);
    st = bosc_device_find(world, list_own, BOSC_GPU_OWN, &all, &err);
    right = st == BOSC_OK;
    for (int r = 0; r < ranks && right; ++r)
        right = all[r].gpu.number == 0 && atoi(all[r].gpu.uuid + 4) == r;
    all_ok(right, "each gets its own where that is all it sees");
    free(all);
    st = bosc_device_find(world, list_few, BOSC_GPU_SHARE, &all, &err);
    right = st == BOSC_OK;
    for (int r = 0; r < ranks && right; ++r)
        right = all[r].gpu.number == r % (ranks - 1) &&
                all[r].sharing == (r % (ranks - 1) == 0 ? 2 : 1);
    all_ok(right, "ranks share when asked");
    free(all);
}

static void test_mixed(void)
{
    static const struct {
        const char *name;
        bosc_gpu_lister *list;
    } cases[] = {{"a rank too many computes on CPUs when asked", list_few},
                 {"so does one without driver", list_but_last}};

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        bosc_device *all = NULL;
        bosc_error err = {""};
        bool right = bosc_device_find(world, cases[c].list, BOSC_GPU_MIX, &all,
                                      &err) == BOSC_OK;

        for (int r = 0; r < ranks && right; ++r)
            right = r < ranks - 1
                        ? all[r].gpu.number == r && all[r].sharing == 1
                        : all[r].gpu.number == -1 && all[r].sharing == 0;
        all_ok(right, cases[c].name);
        free(all);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *name, *say;
        bosc_gpu_lister *list;
        bosc_status want;
    } cases[] = {
        {"too few GPUs are refused on every rank", "gets no GPU of its own",
         list_few, BOSC_EVALUE},
        {"a rank without driver is told on every rank",
         "sees no GPU: there is no driver", list_but_last, BOSC_ENOSUP},
        {"so is one without memory", "out of memory", list_without_memory,
         BOSC_ENOMEM},
    };

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        bosc_device *all = NULL;
        bosc_error err = {""};
        const bosc_status st =
            bosc_device_find(world, cases[c].list, BOSC_GPU_OWN, &all, &err);

        all_ok(st == cases[c].want && all == NULL &&
                   strstr(err.text, cases[c].say) != NULL,
               cases[c].name);
    }
}

/* The longest line of a text. */
static size_t longest(const char *text)
{
    size_t most = 0;

    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");

        most = n > most ? n : most;
        text += n + (text[n] == '\n');
    }
    return most;
}

static void test_printed(void)
{
    bosc_device all[3] = {{.node = "node-0123", .sharing = 1},
                          {.node = "node-0123", .sharing = 1},
                          {.node = "node-0124", .sharing = 2}};
    char *text = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);

    for (int r = 0; r < 3; ++r) {
        bosc_gpu *gpu = &all[r].gpu;

        snprintf(gpu->uuid, sizeof gpu->uuid,
                 "GPU-0c5a8f2e-1234-5678-9abc-def01234567%d", r);
        snprintf(gpu->name, sizeof gpu->name, "paper %s",
                 r < 2 ? "tiger" : "lion");
        gpu->memory = 150123456789;
    }
    bosc_device_print(file, 3, all, false);
    fclose(file);
    ok(longest(text) <= 80, "the table of GPUs fits 80 columns");
    ok(strstr(text, "paper tiger, 150.1 GB:\n     0  node-0123    0") != NULL &&
           strstr(text, "paper lion, 150.1 GB:\n     2  node-0124") != NULL,
       "GPUs of a kind are below its name");
    free(text);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_ranks();
    if (ranks > 1) {
        test_found();
        test_mixed();
        test_refused();
    }
    if (rank == 0)
        test_printed();
    const int failed = rank == 0 ? done_testing() : 0;

    MPI_Finalize();
    return failed;
}
