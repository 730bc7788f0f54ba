/* bench_systems.c - trees, then the memory they ask for, then numbers. */
#include "bench/solve/bench_systems.h"

#include <Random123/philox.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

enum {
    SAMPLE = 512,         /* trees that memory is reckoned from */
    DRAWS = 0x6e756d62,   /* keeps these draws apart from others */
    BYTES_A_ROW = 32 + 96 /* of the forest; of a solver, about: its arrays,
                             what restore needs, its map, some padding */
};

/* ---- trees ---- */

static int32_t count_trees(const bosc_bench_shape *shape,
                           const bosc_bench_spec *spec)
{
    if (shape->gid_table != NULL)
        return shape->gid_table->n_files;
    if (shape->least > 0 && shape->least == shape->most)
        return 1; /* all are the same */
    return spec->distinct < spec->neurons ? spec->distinct : spec->neurons;
}

/* Make the trees up to number n - 1 that are not there yet. */
static bosc_status make_trees(const bosc_bench_shape *shape, int32_t n,
                              bosc_bench_cells *out, bosc_error *err)
{
    const int32_t from = out->systems.n_trees;
    bosc_tree *trees = realloc(out->trees, (size_t)n * sizeof *trees);
    bosc_first_error first = {0};

    if (trees == NULL)
        return bosc_no_memory(err, "the trees");
    memset(trees + from, 0, (size_t)(n - from) * sizeof *trees);
    out->trees = trees;
    out->systems.n_trees = n;
#pragma omp parallel for schedule(dynamic)
    for (int32_t k = from; k < n; ++k) {
        bosc_error why;

        bosc_first_error_note(
            &first, k, bosc_bench_shape_tree(shape, k, &trees[k], &why), &why);
    }
    return bosc_first_error_get(&first, err);
}

/* Neurons after which the trees repeat, and the tree of one. */
static int64_t period(const bosc_bench_shape *shape,
                      const bosc_bench_cells *forest)
{
    return shape->gid_table != NULL ? shape->gid_table->n_neurons
                                    : forest->systems.n_trees;
}

static int32_t tree_of(const bosc_bench_shape *shape,
                       const bosc_bench_cells *forest, int64_t neuron)
{
    const int64_t at = neuron % period(shape, forest);

    return shape->gid_table != NULL
               ? bosc_gid_table_find(shape->gid_table, at)->file
               : (int32_t)at;
}

static int least_loaded(const int64_t *load, int ranks)
{
    int least = 0;

    for (int r = 1; r < ranks; ++r)
        if (load[r] < load[least])
            least = r;
    return least;
}

/* Keep the neurons of this rank, of as many as all have. */
static bosc_status place_neurons(const bosc_bench_shape *shape,
                                 const bosc_bench_spec *spec,
                                 bosc_bench_cells *out, bosc_error *err)
{
    const int ranks = spec->ranks > 0 ? spec->ranks : 1;
    int64_t *load = bosc_alloc((size_t)ranks, sizeof *load), at = 0;
    int32_t n = 0;

    if (load == NULL)
        return bosc_no_memory(err, "the neurons");
    for (int32_t i = 0; i < spec->neurons; ++i) {
        const int32_t tree = tree_of(shape, out, i), size = out->trees[tree].n;
        const int rank = least_loaded(load, ranks);

        load[rank] += size;
        if (rank == spec->rank) {
            out->shape[n] = tree;
            out->number[n] = i;
            out->origin[n] = at;
            out->first[n + 1] = out->first[n] + size;
            ++n;
        }
        at += size;
    }
    out->systems.n_neurons = n;
    free(load);
    return BOSC_OK;
}

/* Drop trees that no neuron of this rank has, and number the others in the
 * order in which neurons have them. */
static bosc_status drop_trees(bosc_bench_cells *out, bosc_error *err)
{
    const int32_t n = out->systems.n_trees;
    int32_t *to = bosc_alloc((size_t)n, sizeof *to), kept = 0;
    bosc_tree *trees = bosc_alloc((size_t)n, sizeof *trees);

    if (to == NULL || trees == NULL) {
        free(to);
        free(trees);
        return bosc_no_memory(err, "the trees");
    }
    for (int32_t i = 0; i < out->systems.n_neurons; ++i) {
        const int32_t t = out->shape[i];

        if (to[t] == 0) {
            trees[kept] = out->trees[t];
            to[t] = ++kept;
        }
        out->shape[i] = to[t] - 1;
    }
    for (int32_t t = 0; t < n; ++t)
        if (to[t] == 0)
            free((void *)out->trees[t].parent);
    free(to);
    free(out->trees);
    out->trees = trees;
    out->systems.n_trees = kept;
    return BOSC_OK;
}

int32_t bosc_bench_cells_count(const bosc_bench_cells *forest, int32_t n)
{
    int32_t low = 0, high = forest->systems.n_neurons;

    while (low < high) {
        const int32_t at = low + (high - low) / 2;

        if (forest->number[at] < n)
            low = at + 1;
        else
            high = at;
    }
    return low;
}

/* ---- memory ---- */

/* Bytes that a program can still have; 0 where that is unknown. */
static double free_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    double kilobytes = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes * 1024;
}

/* Compartments of all neurons; from whole periods where there are several, or
 * from the first trees, where no others are made yet. */
static double estimate(const bosc_bench_shape *shape,
                       const bosc_bench_cells *forest)
{
    const int64_t n = forest->systems.n_neurons, all = period(shape, forest);
    const int64_t counted = n < all ? n : all;
    double rows = 0;

    for (int64_t i = 0; i < counted; ++i)
        rows += forest->trees[tree_of(shape, forest, i)].n;
    return rows * (double)n / (double)counted;
}

static bosc_status check_memory(const bosc_bench_shape *shape,
                                const bosc_bench_cells *forest, bosc_error *err)
{
    const double rows = estimate(shape, forest);
    const double need = rows * BYTES_A_ROW, have = free_memory();
    char a[32], b[32], c[32];

    if (have == 0 || need <= have)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOMEM,
                     "--neurons %" PRId32 ": their %s compartments need about "
                     "%s of memory, and %s are free; give fewer",
                     forest->systems.n_neurons,
                     bosc_human_count((int64_t)rows, a),
                     bosc_human_bytes(need, b), bosc_human_bytes(have, c));
}

/* ---- numbers ---- */

/* Three random numbers from 0 to 1, number k of the stream. */
static void draw(int64_t k, uint32_t stream, double out[3])
{
    const philox4x32_key_t key = {{DRAWS, 0}};
    const philox4x32_ctr_t at = {
        {(uint32_t)k, (uint32_t)((uint64_t)k >> 32), stream, 0}};
    const philox4x32_ctr_t bits = philox4x32(at, key);

    for (int i = 0; i < 3; ++i)
        out[i] = (bits.v[i] + 0.5) * 0x1p-32;
}

/* Positive row sums: diagonally dominant.  A root has nothing above it. */
static void fill_rows(const bosc_bench_cells *out, int32_t neuron)
{
    const int64_t first = out->first[neuron];

    for (int64_t i = first; i < out->first[neuron + 1]; ++i) {
        double r[3];

        draw(out->origin[neuron] + i - first, 0, r);
        out->d[i] = 0.1 + r[0];
        out->b[i] = 2 * r[1] - 1;
        if (!out->systems.shared_u)
            out->u[i] = i == first ? 0 : -0.5 - r[2];
    }
}

static void fill_shared(const bosc_bench_cells *out)
{
    int64_t at = 0;

    for (int32_t t = 0; t < out->systems.n_trees; ++t)
        for (int32_t i = 0; i < out->trees[t].n; ++i, ++at) {
            double r[3];

            draw(at, 1, r);
            out->u[at] = i == 0 ? 0 : -0.5 - r[2];
        }
}

static int64_t count_u(const bosc_bench_cells *forest)
{
    int64_t n = 0;

    if (!forest->systems.shared_u)
        return forest->first[forest->systems.n_neurons];
    for (int32_t t = 0; t < forest->systems.n_trees; ++t)
        n += forest->trees[t].n;
    return n;
}

static bosc_status fill(bosc_bench_cells *out, bosc_error *err)
{
    const size_t rows = (size_t)out->first[out->systems.n_neurons];

    if (BOSC_ALLOC(err, "the numbers of all neurons",
                   BOSC_ARRAY(out->u, count_u(out)), BOSC_ARRAY(out->d, rows),
                   BOSC_ARRAY(out->b, rows),
                   BOSC_ARRAY(out->x, rows)) != BOSC_OK)
        return BOSC_ENOMEM;
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t i = 0; i < out->systems.n_neurons; ++i)
        fill_rows(out, i);
    if (out->systems.shared_u)
        fill_shared(out);
    return BOSC_OK;
}

/* ---- all of it ---- */

static bosc_status make(const bosc_bench_shape *shape,
                        const bosc_bench_spec *spec, bosc_bench_cells *out,
                        bosc_error *err)
{
    const int32_t n = spec->neurons, n_trees = count_trees(shape, spec);
    const int32_t some =
        shape->gid_table == NULL && n_trees > SAMPLE ? SAMPLE : n_trees;
    bosc_status st;

    if ((st = make_trees(shape, some, out, err)) != BOSC_OK ||
        (st = check_memory(shape, out, err)) != BOSC_OK ||
        (st = make_trees(shape, n_trees, out, err)) != BOSC_OK ||
        (st = BOSC_ALLOC(err, "the neurons", BOSC_ARRAY(out->shape, n),
                         BOSC_ARRAY(out->number, n), BOSC_ARRAY(out->origin, n),
                         BOSC_ARRAY(out->first, n + 1))) != BOSC_OK ||
        (st = place_neurons(shape, spec, out, err)) != BOSC_OK ||
        (spec->ranks > 1 && (st = drop_trees(out, err)) != BOSC_OK))
        return st;
    return fill(out, err);
}

bosc_status bosc_bench_cells_create(const bosc_bench_shape *shape,
                                    const bosc_bench_spec *spec,
                                    bosc_bench_cells *out, bosc_error *err)
{
    bosc_bench_cells made = {
        .systems = {.n_neurons = spec->neurons, .shared_u = spec->shared_u},
    };
    const bosc_status st = make(shape, spec, &made, err);

    if (st != BOSC_OK) {
        bosc_bench_cells_clear(&made);
        return st;
    }
    made.systems.shape = made.shape;
    made.systems.trees = made.trees;
    made.systems.u = made.u;
    *out = made;
    return BOSC_OK;
}

void bosc_bench_cells_clear(bosc_bench_cells *forest)
{
    for (int32_t t = 0; forest->trees != NULL && t < forest->systems.n_trees;
         ++t)
        free((void *)forest->trees[t].parent);
    free(forest->trees);
    free(forest->shape);
    free(forest->first);
    free(forest->number);
    free(forest->origin);
    free(forest->u);
    free(forest->d);
    free(forest->b);
    free(forest->x);
    *forest = (bosc_bench_cells){0};
}
