#include "src/select/features.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernels/batch/layout.h"
#include "src/base/mem.h"

#define BOSC_FEATURE(name, what) #name,
const char *const bosc_feature_names[] = {
#include "src/select/feature_list.h"
};
const char *const bosc_matrix_feature_names[] = {
#include "src/select/matrix_feature_list.h"
};
#undef BOSC_FEATURE

#define BOSC_FEATURE(name, what) what,
const char *const bosc_feature_meanings[] = {
#include "src/select/feature_list.h"
};
const char *const bosc_matrix_feature_meanings[] = {
#include "src/select/matrix_feature_list.h"
};
#undef BOSC_FEATURE

/* Bytes of a row and of an instance that a step reads and writes, about. */
enum { ROW_BYTES = 65, INSTANCE_BYTES = 48 };

/* ---- neurons ---- */

/* A mean, with its spread and its largest. */
typedef struct moments {
    double n, sum, squares, most;
} moments;

static void add(moments *m, double value)
{
    m->n += 1;
    m->sum += value;
    m->squares += value * value;
    m->most = fmax(m->most, value);
}

static double mean(const moments *m)
{
    return m->n > 0 ? m->sum / m->n : 0;
}

static double spread(const moments *m)
{
    const double a = mean(m);

    return a > 0 ? sqrt(fmax(0, m->squares / m->n - a * a)) / a : 0;
}

static void find_sizes(const bosc_batch_facts *facts, bosc_features *out)
{
    moments size = {0}, length = {0}, levels = {0};
    double changing = 0, instances = 0, ns = 0;

    for (int32_t i = 0; i < facts->n; ++i) {
        const bosc_shape_facts *s = &facts->shapes[facts->shape[i]];

        add(&size, s->compartments);
        add(&length, s->sections > 0 ? s->compartments / (double)s->sections
                                     : s->compartments);
        add(&levels, s->levels);
        changing += fmin(s->changing, s->compartments);
        if (s->streamed) {
            out->streamed += s->compartments * facts->each;
            out->largest_streamed =
                fmax(out->largest_streamed, s->compartments);
        }
        instances += s->instances;
        ns += s->ns;
    }

    const double compartments = size.sum > 0 ? size.sum : 1;

    out->of[BOSC_FEATURE_neurons] = facts->n * facts->each;
    out->of[BOSC_FEATURE_compartments] = size.sum * facts->each;
    out->of[BOSC_FEATURE_mean_size] = mean(&size);
    out->of[BOSC_FEATURE_largest_size] = size.most;
    out->of[BOSC_FEATURE_spread_size] = spread(&size);
    out->of[BOSC_FEATURE_section_length] = mean(&length);
    out->of[BOSC_FEATURE_spread_length] = spread(&length);
    out->of[BOSC_FEATURE_largest_length] = length.most;
    out->of[BOSC_FEATURE_levels] = mean(&levels);
    out->of[BOSC_FEATURE_depth] = levels.most;
    out->of[BOSC_FEATURE_kept] = 1 - changing / compartments;
    out->of[BOSC_FEATURE_mechanisms] = instances / compartments;
    out->of[BOSC_FEATURE_mech_ns] = ns / compartments;
    out->of[BOSC_FEATURE_cache] =
        facts->each * (ROW_BYTES * size.sum + INSTANCE_BYTES * instances) /
        (facts->threads * facts->cache);
}

/* ---- the wide layout ---- */

/* The load of the busiest thread over the mean, where pieces of work are dealt
 * out, the largest first. */
static double span_of(double all, double largest, int threads)
{
    return all > 0 ? fmax(1, largest * threads / all) : 1;
}

static void look_at_layout(const bosc_batch_facts *facts,
                           const bosc_layout *layout, bosc_features *out)
{
    const double compartments = out->of[BOSC_FEATURE_compartments];
    double slots = 0, rows = 0, equal = 0, lone = 0, all = 0, most = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const int32_t width = bosc_layout_width(layout, g);
        const double cost = (double)bosc_layout_cost(width, layout->rows[g]);

        slots += bosc_layout_slots(layout, g);
        all += cost;
        most = fmax(most, cost);
        if (width == 1 && facts->lanes > 1)
            lone += layout->rows[g];
        else
            rows += layout->rows[g];
        if (width > 1 && layout->uniform[g])
            equal += bosc_layout_slots(layout, g);
    }

    const double over = compartments > 0 ? facts->each / compartments : 0;

    out->of[BOSC_FEATURE_padding] = slots * over;
    out->of[BOSC_FEATURE_rows] = rows * over;
    out->of[BOSC_FEATURE_equal] = equal * over;
    out->of[BOSC_FEATURE_lone] = lone * over;
    out->of[BOSC_FEATURE_span] =
        span_of(all * facts->each, most, facts->threads);
    out->of[BOSC_FEATURE_span_flat] = span_of(
        compartments, out->of[BOSC_FEATURE_largest_size], facts->threads);
}

/* Shapes that occur. */
static double count_shapes(const bosc_batch_facts *facts, bool *seen)
{
    double n = 0;

    for (int32_t i = 0; i < facts->n; ++i) {
        n += !seen[facts->shape[i]];
        seen[facts->shape[i]] = true;
    }
    return n;
}

/* Threads of a CPU, as many of them as the neurons that were looked at. */
static bosc_grouping grouping_of(const bosc_batch_facts *facts)
{
    const bool on_gpu = facts->processors > 0;
    const double threads = on_gpu ? 1 : facts->threads / facts->each;

    return (bosc_grouping){.width = facts->lanes,
                           .threads = threads > 1 ? (int)threads : 1};
}

bosc_status bosc_features_find(const bosc_batch_facts *facts,
                               bosc_features *out, bosc_error *err)
{
    bosc_tree *trees = NULL;
    bool *seen = NULL;
    bosc_layout layout = {0};
    bosc_status st = BOSC_ALLOC(err, "the features of neurons",
                                BOSC_ARRAY(trees, facts->n_shapes),
                                BOSC_ARRAY(seen, facts->n_shapes));

    *out = (bosc_features){.needs = facts->needs};
    if (st == BOSC_OK) {
        for (int32_t k = 0; k < facts->n_shapes; ++k)
            trees[k] = (bosc_tree){.n = facts->shapes[k].compartments};
        st = bosc_layout_create(facts->n, facts->shape, trees,
                                grouping_of(facts), &layout, err);
    }
    if (st == BOSC_OK) {
        find_sizes(facts, out);
        look_at_layout(facts, &layout, out);
        out->of[BOSC_FEATURE_shapes] =
            facts->n > 0 ? count_shapes(facts, seen) / facts->n : 0;
        out->of[BOSC_FEATURE_lanes] = facts->lanes;
        out->of[BOSC_FEATURE_threads] = facts->threads;
        out->of[BOSC_FEATURE_epoch] = facts->epoch;
        out->of[BOSC_FEATURE_coupled] = facts->needs.couplings;
        out->of[BOSC_FEATURE_processors] = facts->processors;
        out->of[BOSC_FEATURE_shared] = facts->shared;
    }
    bosc_layout_clear(&layout);
    free(trees);
    free(seen);
    return st;
}

double bosc_cache_bytes(void)
{
    const double usual = 1 << 20;
    long bytes = 0;

#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? (double)bytes : usual;
}

/* ---- matrices ---- */

bosc_matrix_features bosc_matrix_features_of(const bosc_spmv_size *size,
                                             int threads, double cache)
{
    const double rows = fmax(1, size->rows);
    const double mean_row = size->entries / rows;
    bosc_matrix_features f;

    f.of[BOSC_MATRIX_FEATURE_rows] = size->rows;
    f.of[BOSC_MATRIX_FEATURE_columns] = size->columns;
    f.of[BOSC_MATRIX_FEATURE_entries] = size->entries;
    f.of[BOSC_MATRIX_FEATURE_mean_row] = mean_row;
    f.of[BOSC_MATRIX_FEATURE_longest] =
        mean_row > 0 ? size->width / mean_row : 1;
    f.of[BOSC_MATRIX_FEATURE_density] = mean_row / fmax(1, size->columns);
    f.of[BOSC_MATRIX_FEATURE_threads] = threads;
    f.of[BOSC_MATRIX_FEATURE_cache] =
        bosc_spmv_bytes(BOSC_SPMV_CSR, false, size) / (threads * cache);
    return f;
}
