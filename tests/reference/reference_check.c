/* reference_check.c - run reference folders through the backends.
 *
 *     reference-check [--voltage MV] [--time MS] [DIR...]
 *
 * Each folder holds one discretised model and what NEURON computed for it (its
 * README describes the files).  Every backend and method integrates it three
 * ways: one copy; as many copies as a vector has lanes, if it has several;
 * among other neurons made of the first nodes of the same trees.  Printed are
 * the largest differences in recorded voltages, in the final voltages and in
 * the final gates, and the spikes compared and missing.
 *
 * Models with synapses receive the events of their files, and the spikes of
 * their own neurons through an connection table.  The matrix of the first step
 * of every model is compared, too.
 *
 * Where model.json names the SWC file that NEURON imported, and it is there,
 * the neuron is made from it as well, and compared twice: with NEURON's
 * results, as above; and ("clamped") with NEURON's tree over the whole time,
 * without synapses and with spikes.
 *
 * Exit code: 0 all within the tolerances, 1 not, 77 nothing to check.
 */
#include <getopt.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mech/builtin.h"
#include "src/base/mem.h"
#include "tests/lib/mechs.h"
#include "tests/lib/shared.h"
#include "tests/reference/reference_net.h"
#include "tests/reference/reference_swc.h"

typedef reference_result result;

static struct {
    double voltage, time;
} tolerance = {1e-6, 1e-6};

/* How a case is multiplied to fill the lanes of a vector. */
typedef struct variant {
    const char *name;
    bool fill;       /* as many copies as lanes */
    bool companions; /* and neurons of other shapes */
} variant;

static const variant variants[] = {
    {"alone", false, false},
    {"uniform", true, false},
    {"mixed", false, true},
};

/* A population: the forest, what it owns, and how many copies of the case. */
typedef struct population {
    forest f;
    int32_t copies;
    int32_t *shape;
    forest_clamp *clamps;
    forest_detector *detectors;
    forest_probe *probes;
    forest_synapse *synapses;
} population;

/* The first k quarters of a tree, and on to a node with membrane: a cell
 * without any has no solution. */
static forest_shape quarters(const forest_shape *shape, int32_t k)
{
    int32_t n = shape->n * k / 4;

    n = n > 0 ? n : 1;
    while (n < shape->n && shape->area[n - 1] == 0)
        ++n;
    return forest_shape_prefix(shape, n);
}

static void add_companions(reference_model *m, population *p)
{
    for (int32_t c = 0; c < m->n_cells; ++c)
        for (int32_t k = 1; k < 4; ++k) {
            const int32_t s = p->f.n_shapes++;

            if (m->shapes[s].n == 0)
                m->shapes[s] = quarters(&m->shapes[c], k);
            p->shape[p->f.n_neurons++] = s;
        }
}

/* Add a clamp or a synapse; synapses are numbered in the order of the file. */
static void add_point(const reference_model *m, population *p, int32_t base,
                      size_t i)
{
    const char *kind = tsv_text(&m->points, i, KIND);
    const size_t node = (size_t)tsv_number(&m->points, i, POINT_NODE);
    const double p1 = tsv_number(&m->points, i, P1),
                 p2 = tsv_number(&m->points, i, P2),
                 p3 = tsv_number(&m->points, i, P3);
    const int32_t neuron = base + m->cell[node], number = m->number[node];

    if (strcmp(kind, "IClamp") == 0)
        p->clamps[p->f.n_clamps++] = (forest_clamp){neuron, number, p1, p2, p3};
    else
        p->synapses[p->f.n_synapses++] = (forest_synapse){
            neuron, number, bosc_mechs_find(test_mechs(), kind), {p1, p2, p3}};
}

/* Add the clamps, synapses, detectors and probes of one copy. */
static void add_points(const reference_model *m, population *p, int32_t copy)
{
    const int32_t base = copy * m->n_cells;

    for (size_t i = 0; i < m->points.n; ++i)
        add_point(m, p, base, i);
    for (size_t i = 0; i < m->detectors.n; ++i) {
        const size_t node = (size_t)tsv_number(&m->detectors, i, DETECTOR_NODE);

        p->detectors[p->f.n_detectors] = (forest_detector){
            base + m->cell[node], m->number[node], p->f.n_detectors,
            tsv_number(&m->detectors, i, THRESHOLD)};
        ++p->f.n_detectors;
    }
    for (size_t k = 1; k < m->traces.columns; ++k) {
        const size_t node = (size_t)strtol(strchr(m->traces.cell[k], '[') + 1,
                                           NULL, 10); /* v_mV[node] */

        p->probes[p->f.n_probes++] =
            (forest_probe){base + m->cell[node], m->number[node]};
    }
}

static population populate(reference_model *m, int32_t copies, bool companions)
{
    population p = {.f = m->forest, .copies = copies};
    const size_t n = (size_t)copies;

    p.shape = forest_get((n + 3) * (size_t)m->n_cells, sizeof *p.shape);
    p.clamps = forest_get(n * m->points.n, sizeof *p.clamps);
    p.synapses = forest_get(n * m->points.n, sizeof *p.synapses);
    p.detectors = forest_get(n * m->detectors.n, sizeof *p.detectors);
    p.probes = forest_get(n * m->traces.columns, sizeof *p.probes);
    for (int32_t copy = 0; copy < copies; ++copy) {
        for (int32_t c = 0; c < m->n_cells; ++c)
            p.shape[p.f.n_neurons++] = c;
        add_points(m, &p, copy);
    }
    if (companions)
        add_companions(m, &p);
    p.f.shape = p.shape;
    p.f.clamps = p.clamps;
    p.f.synapses = p.synapses;
    p.f.detectors = p.detectors;
    p.f.probes = p.probes;
    return p;
}

static void population_clear(population *p)
{
    free(p->shape);
    free(p->clamps);
    free(p->synapses);
    free(p->detectors);
    free(p->probes);
}

/* The record of the steps that begin with 'from'. */
static void compare_traces(const reference_model *m, const population *p,
                           const bosc_step_output *record, int64_t from,
                           result *r)
{
    const size_t n = m->traces.columns - 1, all = (size_t)p->f.n_probes;
    const size_t before = from == 0 ? 0 : (size_t)(from / m->forest.every) + 1;

    for (size_t row = 0; row < (size_t)record->n_frames[0]; ++row)
        for (size_t k = 0; k < all; ++k)
            r->trace =
                fmax(r->trace, fabs(record->values[0][row * all + k] -
                                    m->trace[(before + row) * n + k % n]));
}

/* Match every spike of NEURON with one of ours in each copy. */
static void compare_spikes(const reference_model *m, const population *p,
                           const reference_spikes *record, result *r)
{
    bool *taken = forest_get(record->n, sizeof *taken);
    const double end = ((double)m->n_steps - 0.5) * m->forest.dt;
    const size_t n = m->detectors.n;
    size_t wanted = 0, found = 0;

    for (size_t i = 0; i < m->spikes.n; ++i) {
        const double t = tsv_number(&m->spikes, i, 0);
        const double gid = tsv_number(&m->spikes, i, 1);

        if (t > end)
            continue;
        wanted += (size_t)p->copies;
        for (size_t k = 0; k < record->n; ++k) {
            const bosc_spike *s = &record->spike[k];
            const size_t detector = (size_t)s->source % n;

            if (taken[k] || tsv_number(&m->detectors, detector, GID) != gid ||
                fabs(bosc_spike_time(s, m->forest.dt) - t) > tolerance.time)
                continue;
            taken[k] = true;
            ++found;
        }
    }
    free(taken);
    r->spikes = wanted;
    r->missing = (wanted > found ? wanted - found : found - wanted) +
                 (record->n - found);
}

static void compare_final(const reference_model *m, const bosc_batch *batch,
                          const population *p, result *r)
{
    for (int32_t copy = 0; copy < p->copies; ++copy)
        for (size_t i = 0; i < m->nodes.n; ++i) {
            const int32_t neuron = copy * m->n_cells + m->cell[i];
            const double v = forest_value(batch, neuron, m->number[i], -1, 0);

            r->final = fmax(r->final, fabs(v - tsv_number(&m->final, i, 1)));
            for (int s = 0; s < test_mechs()->mech[BOSC_MECH_hh]->n_states;
                 ++s) {
                double x = 0;

                for (int b = 0; b < batch->n_blocks; ++b)
                    if (batch->blocks[b].mech ==
                        test_mechs()->mech[BOSC_MECH_hh])
                        x += forest_value(batch, neuron, m->number[i], b, s);
                r->gate = fmax(
                    r->gate, fabs(x - tsv_number(&m->final, i, 2 + (size_t)s)));
            }
        }
}

static bosc_status run(reference_model *m, const bosc_method *method,
                       const variant *how, result *r, bosc_error *err)
{
    const bosc_engine_ops *ops = method->engine.ops;
    const int32_t width = bosc_method_width(method);
    population p = populate(m, how->fill ? width : 1, how->companions);
    bosc_batch batch = forest_pack_for(&p.f, method);
    bosc_engine *engine = NULL;
    reference_spikes spikes = {0};
    reference_net net;
    bosc_status st =
        ops->create(&batch, method->engine.variant, 1, &engine, err);

    reference_net_create(m, &p.f, &batch, p.copies, &net);
    for (int64_t from = 0; st == BOSC_OK && from < m->n_steps;
         from += net.epoch) {
        bosc_events events;
        bosc_step_output record;
        bosc_step_input steps = {.from = from, .to = from + net.epoch, &events};

        if (steps.to > m->n_steps)
            steps.to = m->n_steps;
        st = bosc_connection_table_deliver(net.connection_table, from, steps.to,
                                           &events, err);
        if (st == BOSC_OK)
            st = ops->advance(engine, &steps, &record, err);
        if (st != BOSC_OK)
            break;
        compare_traces(m, &p, &record, from, r);
        st = reference_net_hear(&net, &record, &spikes, err);
    }
    reference_net_destroy(&net);
    if (st == BOSC_OK) {
        compare_spikes(m, &p, &spikes, r);
        st = ops->download(engine, err);
    }
    free(spikes.spike);
    if (st == BOSC_OK)
        compare_final(m, &batch, &p, r);
    ops->destroy(engine);
    bosc_batch_clear(&batch);
    population_clear(&p);
    return st;
}

static void announce(const reference_model *m, const bosc_method *method,
                     const char *how)
{
    printf("%-22s  %-4s %-11s %-8s", m->name, method->backend->name,
           method->name, how);
}

static bool report(const result *r, double voltage)
{
    const bool good = r->trace <= voltage && r->final <= voltage &&
                      r->gate <= voltage && r->missing == 0;

    printf(" %9.2e %9.2e %9.2e %7zu %7zu  %s\n", r->trace, r->final, r->gate,
           r->spikes, r->missing, good ? "PASS" : "FAIL");
    return good;
}

static bool report_failure(const bosc_error *err)
{
    printf("  FAIL: %s\n", err->text);
    return false;
}

static bool check(reference_model *m, const bosc_method *method,
                  const variant *how)
{
    result r = {0};
    bosc_error err;

    announce(m, method, how->name);
    return run(m, method, how, &r, &err) == BOSC_OK
               ? report(&r, tolerance.voltage)
               : report_failure(&err);
}

/* What the import explains: points are float, as NEURON has them, so that areas
 * and resistances agree to 4e-15 relative.  Two spikes make 1e-12 mV of that,
 * with second order 4e-11 mV; an Ra wrong by 1e-6 would make 1e-4 mV. */
static bool check_clamped(const reference_model *m, const reference_model *made,
                          const bosc_method *method)
{
    const double voltage = 1e-9;
    result r = {0};
    bosc_error err;

    announce(made, method, "clamped");
    return reference_swc_compare(m, made, method, &r, &err) == BOSC_OK
               ? report(&r, voltage)
               : report_failure(&err);
}

/* Add a block's part to the system, whose arrays are those of the batch. */
static void add_block(const bosc_batch *batch, const bosc_mech_block *block,
                      double *d, double *b)
{
    int32_t g = 0;

    for (ptrdiff_t i = 0; i < block->n; ++i) {
        double p[BOSC_LEN(bosc_hh_params)], s[BOSC_hh_STATES], cond, cond_e;
        ptrdiff_t at;

        while (i >= block->first[g + 1])
            ++g;
        at = batch->layout.first[g] + block->at[i];
        for (int j = 0; j < block->mech->n_params; ++j)
            p[j] = bosc_mech_value(&block->p, j, i);
        if (block->mech->stimulus)
            b[at] += bosc_stimulus(BOSC_MECH_IClamp, p, 0);
        if (block->mech !=
            test_mechs()->mech[BOSC_MECH_hh]) /* synapses are at rest */
            continue;
        for (int j = 0; j < BOSC_hh_STATES; ++j)
            s[j] = block->state[j][i];
        bosc_hh_current(p, s, batch->v[at], &cond, &cond_e);
        d[at] += block->scale[i] * cond;
        b[at] += block->scale[i] * cond_e;
    }
}

/* The system of the first step, at rest, as NEURON has it: the diagonal d, and
 * b - A v, which axial currents have no part in.  Clamps are those of t = 0. */
static void first_system(const bosc_batch *batch, double *d, double *b)
{
    const bosc_layout *layout = &batch->layout;

    for (ptrdiff_t i = 0; i < layout->n_slots; ++i) {
        d[i] = batch->system.d[i];
        b[i] = batch->system.c[i] * (batch->v[i] + batch->system.e[i]);
    }
    for (int k = 0; k < batch->n_blocks; ++k)
        add_block(batch, &batch->blocks[k], d, b);
    for (ptrdiff_t i = 0; i < layout->n_slots; ++i)
        b[i] -= d[i] * batch->v[i];
    for (int32_t n = 0; n < layout->n_neurons; ++n) {
        const bosc_tree *tree = &batch->trees[batch->shape[n]];

        for (int32_t i = 1; i < tree->n; ++i) {
            const ptrdiff_t at = bosc_slot(layout, n, i);

            d[at] -= batch->system.u[at];
            d[bosc_slot(layout, n, tree->parent[i])] -= batch->system.u[at];
        }
    }
}

/* NEURON's densities, times area / 100, are uS and nA. */
static bool check_matrix(reference_model *m)
{
    population p = populate(m, 1, false);
    bosc_batch batch = forest_pack(&p.f, 1);
    const size_t n = (size_t)batch.layout.n_slots;
    double *d = forest_get(n, sizeof *d), *b = forest_get(n, sizeof *b);
    double worst_d = 0, worst_b = 0;
    bool good;

    first_system(&batch, d, b);
    for (size_t i = 0; i < m->nodes.n; ++i) {
        const ptrdiff_t at = bosc_slot(&batch.layout, m->cell[i], m->number[i]);
        const double to_total = tsv_number(&m->nodes, i, AREA) * 1e-2;
        const double want_d = tsv_number(&m->matrix, i, 1) * to_total;
        const double want_b = tsv_number(&m->matrix, i, 2) * to_total;

        worst_d = fmax(worst_d, fabs(d[at] - want_d) / want_d);
        worst_b = fmax(worst_b, fabs(b[at] - want_b) / want_d);
    }
    free(d);
    free(b);
    bosc_batch_clear(&batch);
    population_clear(&p);
    good = worst_d < 1e-9 && worst_b < 1e-9;
    printf("%-22s  matrix of the first step: diagonal %.1e relative, "
           "right-hand side %.1e mV  %s\n",
           m->name, worst_d, worst_b, good ? "PASS" : "FAIL");
    return good;
}

static bool check_made(const reference_model *m, reference_model *made)
{
    bool good = check_matrix(made);

    for (const bosc_method *k = forest_next_loop(NULL); k != NULL;
         k = forest_next_loop(k)) {
        good &= check(made, k, &variants[0]);
        good &= check_clamped(m, made, k);
    }
    return good;
}

/* The neuron from SWC; true where there is none. */
static bool check_swc(const reference_model *m)
{
    char *path = reference_swc_path(m), name[64];
    reference_model made;
    bosc_error err;
    bool good = true;

    if (path == NULL)
        return true;
    snprintf(name, sizeof name, "%s (SWC)", m->name);
    if (access(path, R_OK) != 0) {
        printf("%-22s  skipped (its SWC file is not at hand)\n", name);
    } else if (reference_swc_make(m, path, &made, &err) != BOSC_OK) {
        printf("%-22s", name);
        good = report_failure(&err);
    } else {
        made.name = name;
        good = check_made(m, &made);
        reference_swc_clear(&made);
    }
    free(path);
    return good;
}

static bool check_case(const char *folder)
{
    reference_model m;
    bool good = reference_model_read(&m, folder);

    if (good) {
        good = check_matrix(&m);
        for (const bosc_method *k = forest_next_loop(NULL); k != NULL;
             k = forest_next_loop(k))
            for (size_t j = 0; j < BOSC_LEN(variants); ++j)
                if (!variants[j].fill || bosc_method_width(k) > 1)
                    good &= check(&m, k, &variants[j]);
        good &= check_swc(&m);
    }
    reference_model_clear(&m);
    return good;
}

static bool add_folders(char *pattern, bool more, glob_t *found)
{
    const int rc = pattern == NULL
                       ? GLOB_NOSPACE
                       : glob(pattern, more ? GLOB_APPEND : 0, NULL, found);

    free(pattern);
    return rc == 0 || rc == GLOB_NOMATCH;
}

/* The folders given, or all of tests/reference and ../shared/reference. */
static bool find_cases(int argc, char **argv, glob_t *found)
{
    const char *src = getenv("BOSC_SRC");

    *found = (glob_t){0};
    if (optind < argc) {
        for (int i = optind; i < argc; ++i)
            if (glob(argv[i], GLOB_NOCHECK | (i > optind ? GLOB_APPEND : 0),
                     NULL, found) != 0)
                return false;
        return true;
    }
    return add_folders(bosc_format("%s/tests/reference/c*", src ? src : "."),
                       false, found) &&
           add_folders(shared_folder("reference/c*"), true, found) &&
           found->gl_pathc > 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: reference-check [--voltage MV] [--time MS] [DIR...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"voltage", required_argument, NULL, 'v'},
        {"time", required_argument, NULL, 't'},
        {0},
    };
    glob_t found;
    bool good = true;

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == '?')
            return usage();
        *(c == 'v' ? &tolerance.voltage : &tolerance.time) =
            strtod(optarg, NULL);
    }
    if (!find_cases(argc, argv, &found)) {
        printf("SKIP: no reference folders given or found\n");
        return 77;
    }
    printf("%-46s  %9s %9s %9s %7s %7s\n", "case", "traces mV", "final mV",
           "gates", "spikes", "missing");
    for (size_t i = 0; i < found.gl_pathc; ++i)
        good &= check_case(found.gl_pathv[i]);
    globfree(&found);
    printf("%s: every difference %s %g mV and %g ms\n", good ? "PASS" : "FAIL",
           good ? "within" : "wanted within", tolerance.voltage,
           tolerance.time);
    return !good;
}
