#include "src/select/rules.h"

#include <math.h>
#include <string.h>

#define OF(name) (f->of[BOSC_FEATURE_##name])
#define OF_MATRIX(name) (f->of[BOSC_MATRIX_FEATURE_##name])

/* ---- a CPU ---- */

/* ns on an AVX-512 core, fitted to measurements: of a slot of vectors, and of a
 * row of them that changes; of a row of a neuron by itself, and of one that
 * changes; of a neuron; of the registry's ns of mechanisms, in vectors and by
 * themselves; of a slot that comes from memory, once an epoch; of one of
 * vectors that have no room in the cache, in every step; of a step, and of an
 * epoch, of whatever size. */
static const struct {
    double slot, changing_row, lone, changing, neuron, mechanism,
        lone_mechanism;
    double fetch, again, step, epoch;
} cpu = {0.5, 8, 2.2, 2.2, 40, 0.4, 0.5, 1, 0.4, 100, 800};

static double fetching(const bosc_features *f)
{
    return OF(cache) > 1 ? cpu.fetch / OF(epoch) : 0;
}

/* A thread takes all steps of an epoch for some vectors before it takes others;
 * where the neurons of one vector are larger than its cache, each step fetches
 * them again, but for what neurons of one shape share. */
static double fetching_vectors(const bosc_features *f)
{
    const double vector =
        OF(cache) * OF(threads) * OF(lanes) / fmax(1, OF(neurons));
    const double differ = fmax(0, OF(padding) - OF(lone) - OF(equal));

    return fetching(f) * OF(padding) +
           (vector > 1 ? fmax(0, cpu.again - fetching(f)) * differ : 0);
}

static double of_threads(const bosc_features *f, double ns, double span)
{
    return 1e-9 * (cpu.step + cpu.epoch / OF(epoch) +
                   OF(compartments) * ns * span / OF(threads));
}

/* Of a compartment of a neuron by itself. */
static double lone_ns(const bosc_features *f)
{
    return cpu.lone + (1 - OF(kept)) * cpu.changing +
           cpu.lone_mechanism * OF(mech_ns) +
           cpu.neuron / fmax(1, OF(mean_size));
}

static double cpu_depth_first(const bosc_features *f)
{
    const double vectors = (OF(padding) - OF(lone)) * cpu.slot +
                           (1 - OF(kept)) * OF(rows) * cpu.changing_row +
                           (1 - OF(lone)) * cpu.mechanism * OF(mech_ns);

    return of_threads(f, vectors + OF(lone) * lone_ns(f) + fetching_vectors(f),
                      OF(span));
}

static double cpu_flat(const bosc_features *f)
{
    return of_threads(f, lone_ns(f) + fetching(f), OF(span_flat));
}

/* ---- a GPU: figures of one H200 ---- */

/* Of work that all multiprocessors share. */
static double scale(const bosc_features *f)
{
    return 132 / fmax(1, OF(processors));
}

/* Through memory: a thread waits for each row of its neuron, and all of them
 * share the memory. */
static double through_memory(const bosc_features *f, double largest,
                             double compartments)
{
    const double changing = 1 - OF(kept);
    const double row = 0.23e-6 * OF(kept) + 4e-6 * changing;
    const double each = 0.017e-9 * OF(kept) + 0.09e-9 * changing;

    return largest * row + compartments * OF(padding) * each * scale(f);
}

static double gpu_depth_first(const bosc_features *f)
{
    return through_memory(f, OF(largest_size), OF(compartments));
}

/* A neuron with a cell block of its own, whose numbers come through the cache:
 * time for each row of the largest, and for each row of all blocks at a time.
 */
static double gpu_far(const bosc_features *f)
{
    return OF(largest_size) * 16e-9 + OF(compartments) * 0.048e-9 * scale(f);
}

/* Cell blocks: rows on the longest path wait for each other, and a barrier for
 * each level. */
static double gpu_on_chip(const bosc_features *f)
{
    const double changing = 1 - OF(kept);
    const double shared = 1 - 0.6 * OF(equal);
    const double path = fmin(OF(largest_size), OF(depth) * OF(section_length));
    const double each = (0.0147e-9 * OF(kept) + 0.09e-9 * changing) * shared;

    if (32 * OF(mean_size) > OF(shared))
        return gpu_far(f);
    return path * (40e-9 + 160e-9 * changing) +
           OF(compartments) * each * scale(f) + 10e-6 / OF(epoch);
}

/* With those that find no place there. */
static double gpu_cell_blocks(const bosc_features *f)
{
    return gpu_on_chip(f) + through_memory(f, f->largest_streamed, f->streamed);
}

/* ---- the table ---- */

static const struct {
    const char *backend, *method;
    double (*seconds)(const bosc_features *f);
} rules[] = {
    {"cpu", "depth-first", cpu_depth_first},
    {"cpu", "hines-flat", cpu_flat},
    {"ref", "hines", cpu_flat},
    {"cuda", "cell-blocks", gpu_cell_blocks},
    {"cuda", "depth-first", gpu_depth_first},
};

double bosc_rule_seconds(const bosc_method *method,
                         const bosc_features *features)
{
    const bosc_method *m = bosc_method_computing(method, &features->needs);

    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        if (strcmp(rules[i].backend, m->backend->name) == 0 &&
            strcmp(rules[i].method, m->name) == 0)
            return rules[i].seconds(features);
    return NAN;
}

/* ---- products ---- */

/* On the host, ns of an AVX-512 core, fitted to measurements: of a product of
 * whatever size; of an entry, or a place of a dense matrix; of a row; of a
 * number that comes from memory. */
static const struct {
    double once, entry, row, fetch;
} host[BOSC_N_SPMV_FORMATS] = {
    [BOSC_SPMV_CSR] = {383, 0.47, 1.4, 0.28},
    [BOSC_SPMV_ELLPACK] = {392, 0.79, 1.2, 2.5},
    [BOSC_SPMV_DENSE] = {424, 0.177, 0.14, 0.83},
};

static double host_product(bosc_spmv_format format,
                           const bosc_matrix_features *f)
{
    const double rows = OF_MATRIX(rows), entries = OF_MATRIX(entries);
    const double dense = rows * OF_MATRIX(columns);
    const bool full = format == BOSC_SPMV_DENSE;
    const double n = full ? dense : entries;
    const double larger =
        full ? 8 * dense / fmax(1, 12 * entries + 8 * rows) : 1;
    const double fetched = OF_MATRIX(cache) * larger > 1 ? n : 0;

    return 1e-9 * (host[format].once +
                   (host[format].entry * n + host[format].row * rows +
                    host[format].fetch * fetched) /
                       fmax(1, OF_MATRIX(threads)));
}

/* On a GPU a thread has a row, and what neighbouring threads read is together
 * but in csr, where each reads a sector of memory for itself; a warp waits for
 * its longest row.  Bytes over the bandwidth of an H200. */
static double gpu_product(bosc_spmv_format format,
                          const bosc_matrix_features *f, double processors)
{
    const double apart = 3, launch = 5e-6, wait = 0.4e-9;
    const double rows = OF_MATRIX(rows), row = OF_MATRIX(mean_row);
    const double longest = row * OF_MATRIX(longest);
    const double bytes =
        format == BOSC_SPMV_DENSE     ? 8 * rows * OF_MATRIX(columns)
        : format == BOSC_SPMV_ELLPACK ? 12 * rows * longest
                                      : apart * 12 * OF_MATRIX(entries);
    const double length =
        format == BOSC_SPMV_DENSE ? OF_MATRIX(columns) : longest;

    return launch + wait * length + bytes / (4e12 * processors / 132);
}

double bosc_rule_product_seconds(bosc_spmv_format format,
                                 const bosc_matrix_features *features,
                                 double processors)
{
    return processors > 0 ? gpu_product(format, features, processors)
                          : host_product(format, features);
}
