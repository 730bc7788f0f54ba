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
 * Models with synapses are compared up to their first event, and so is the
 * matrix of the first step of every model.  Exit code: 0 all within the
 * tolerances, 1 not, 77 nothing to check.
 */
#include <getopt.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/tree.h"
#include "src/mem.h"
#include "tests/forest.h"
#include "tests/tsv.h"

/* Columns of nodes.tsv, points.tsv, detectors.tsv, final.tsv, matrix0.tsv. */
enum { PARENT = 1, CELL, AREA, ZERO_AREA, CM, RI, PAS = 9, HH = 12 };
enum { KIND = 0, POINT_NODE = 2, P1, P2, P3 };
enum { GID = 0, DETECTOR_NODE, THRESHOLD };
enum { MAX_SETS = 32, MAX_WIDTH = 64 };

/* A case: its files, and its cells as shapes. */
typedef struct model {
    const char *folder, *name;
    char *params;
    tsv nodes, points, detectors, traces, spikes, final, matrix, events, cons;
    forest forest;
    forest_shape *shapes; /* [n_cells] and their prefixes */
    forest_set sets[MAX_SETS];
    int32_t n_cells;
    int32_t *cell, *number; /* [n nodes] where a node went */
    double *trace;          /* [rows][probes] of traces.tsv */
    int64_t n_steps;        /* to compare */
    bool has_network;
} model;

/* Largest differences. */
typedef struct result {
    double trace, final, gate;
    size_t spikes, missing;
} result;

static struct {
    double voltage, time;
} tolerance = {1e-6, 1e-6};

static void *get(size_t n, size_t size)
{
    void *memory = bosc_alloc(n, size);

    if (memory == NULL) {
        fprintf(stderr, "reference-check: out of memory\n");
        exit(1);
    }
    return memory;
}

static double param(const model *m, const char *key)
{
    const size_t length = strlen(key);

    for (const char *line = m->params; *line != '\0';) {
        if (strncmp(line, key, length) == 0 && line[length] == ' ')
            return strtod(line + length, NULL);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return 0;
}

static bool read_files(model *m)
{
    const struct {
        const char *name;
        tsv *table;
    } files[] = {
        {"nodes.tsv", &m->nodes},         {"points.tsv", &m->points},
        {"detectors.tsv", &m->detectors}, {"traces.tsv", &m->traces},
        {"spikes.tsv", &m->spikes},       {"final.tsv", &m->final},
        {"matrix0.tsv", &m->matrix},      {"events.tsv", &m->events},
        {"netcons.tsv", &m->cons},
    };

    m->params = tsv_slurp(m->folder, "params.txt");
    if (m->params == NULL) {
        printf("%s: cannot read params.txt\n", m->folder);
        return false;
    }
    for (size_t i = 0; i < BOSC_LEN(files); ++i)
        if (!tsv_read(m->folder, files[i].name, files[i].table)) {
            printf("%s: cannot read %s\n", m->folder, files[i].name);
            return false;
        }
    return true;
}

/* The bit of the parameter set in columns 'from'... of node i; made if new. */
static uint32_t set_bit(model *m, size_t i, int mech, size_t from)
{
    forest_set set = {.mech = mech};
    forest *f = &m->forest;

    for (int k = 0; k < bosc_mechs[mech].n_params; ++k)
        set.p[k] = tsv_number(&m->nodes, i, from + (size_t)k);
    for (int k = 0; k < f->n_sets; ++k)
        if (m->sets[k].mech == mech &&
            memcmp(m->sets[k].p, set.p, sizeof set.p) == 0)
            return 1u << k;
    if (f->n_sets == MAX_SETS) {
        fprintf(stderr, "reference-check: %s: too many parameter sets\n",
                m->folder);
        exit(1);
    }
    m->sets[f->n_sets] = set;
    return 1u << f->n_sets++;
}

static uint32_t find_sets(model *m, size_t i)
{
    uint32_t has = 0;

    if (tsv_number(&m->nodes, i, PAS) != 0)
        has |= set_bit(m, i, BOSC_MECH_pas, PAS + 1);
    if (tsv_number(&m->nodes, i, HH) != 0)
        has |= set_bit(m, i, BOSC_MECH_hh, HH + 1);
    return has;
}

/* Cell c: its nodes in depth-first order, with their totals. */
static void make_shape(model *m, int32_t c)
{
    const size_t n_all = m->nodes.n;
    int32_t *old = get(n_all, sizeof *old),
            *parent = get(n_all, sizeof *parent);
    int32_t *order = get(n_all, sizeof *order);
    int32_t n = 0;
    bosc_error err;

    for (size_t i = 0; i < n_all; ++i) {
        if (m->cell[i] != c)
            continue;
        const double p = tsv_number(&m->nodes, i, PARENT);

        /* A second root hangs on the first, without any current between. */
        parent[n] = n == 0 ? -1 : p < 0 ? 0 : m->number[(size_t)p];
        m->number[i] = n; /* for now: in the file's order */
        old[n++] = (int32_t)i;
    }

    forest_shape s = forest_shape_create(n);

    if (bosc_tree_order(n, parent, order, &err) != BOSC_OK ||
        bosc_tree_renumber(n, parent, order, s.parent, &err) != BOSC_OK)
        exit(1);
    for (int32_t k = 0; k < n; ++k) {
        const size_t i = (size_t)old[order[k]];
        const bool bare = tsv_number(&m->nodes, i, ZERO_AREA) != 0;
        const bool root = tsv_number(&m->nodes, i, PARENT) < 0;

        m->number[i] = k;
        s.area[k] = bare ? 0 : tsv_number(&m->nodes, i, AREA);
        s.C[k] = s.area[k] * tsv_number(&m->nodes, i, CM) * 1e-5;
        s.g_axial[k] = root ? 0 : 1 / tsv_number(&m->nodes, i, RI);
        s.has[k] = find_sets(m, i);
    }
    m->shapes[c] = s;
    free(old);
    free(parent);
    free(order);
}

static void parse_traces(model *m)
{
    const size_t n = m->traces.columns - 1;

    m->trace = get(m->traces.n * n, sizeof *m->trace);
    for (size_t i = 0; i < m->traces.n; ++i)
        for (size_t k = 0; k < n; ++k)
            m->trace[i * n + k] = tsv_number(&m->traces, i, 1 + k);
}

/* Comparable is what comes before the step that would take the first event. */
static void find_end(model *m)
{
    double first = INFINITY;

    m->n_steps = (int64_t)param(m, "nsteps");
    for (size_t i = 0; i < m->events.n; ++i)
        first = fmin(first, tsv_number(&m->events, i, 0));
    if (m->cons.n > 0 && m->spikes.n > 0)
        first = fmin(first, tsv_number(&m->spikes, 0, 0));
    m->has_network = m->events.n > 0 || m->cons.n > 0;
    if (m->has_network) {
        const double last = floor(first / m->forest.dt - 0.5);

        m->n_steps = last < 0 ? 0 : (int64_t)fmin(last, (double)m->n_steps);
    }
}

static bool model_read(model *m, const char *folder)
{
    const char *slash = strrchr(folder, '/');

    if (slash != NULL && slash[1] == '\0' && slash > folder)
        while (slash > folder && slash[-1] != '/')
            --slash;
    else if (slash != NULL)
        ++slash;
    *m = (model){.folder = folder, .name = slash ? slash : folder};
    if (!read_files(m))
        return false;
    m->cell = get(m->nodes.n, sizeof *m->cell);
    m->number = get(m->nodes.n, sizeof *m->number);
    for (size_t i = 0; i < m->nodes.n; ++i) {
        m->cell[i] = (int32_t)tsv_number(&m->nodes, i, CELL);
        m->n_cells = m->cell[i] >= m->n_cells ? m->cell[i] + 1 : m->n_cells;
    }
    m->shapes = get((size_t)m->n_cells * 4, sizeof *m->shapes);
    for (int32_t c = 0; c < m->n_cells; ++c)
        make_shape(m, c);
    m->forest.dt = param(m, "dt_ms");
    m->forest.celsius = param(m, "celsius_degC");
    m->forest.v_init = param(m, "v_init_mV");
    m->forest.second_order = param(m, "secondorder") == 2;
    m->forest.every = (int32_t)param(m, "trace_every_steps");
    m->forest.n_shapes = m->n_cells;
    m->forest.shapes = m->shapes;
    m->forest.sets = m->sets;
    parse_traces(m);
    find_end(m);
    return true;
}

static void model_clear(model *m)
{
    tsv *tables[] = {&m->nodes,  &m->points, &m->detectors,
                     &m->traces, &m->spikes, &m->final,
                     &m->matrix, &m->events, &m->cons};

    for (size_t i = 0; i < BOSC_LEN(tables); ++i)
        tsv_clear(tables[i]);
    for (int32_t s = 0; m->shapes != NULL && s < 4 * m->n_cells; ++s)
        forest_shape_clear(&m->shapes[s]);
    free(m->shapes);
    free(m->params);
    free(m->trace);
    free(m->cell);
    free(m->number);
}

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

static void add_companions(model *m, population *p)
{
    for (int32_t c = 0; c < m->n_cells; ++c)
        for (int32_t k = 1; k < 4; ++k) {
            const int32_t s = p->f.n_shapes++;

            if (m->shapes[s].n == 0)
                m->shapes[s] = quarters(&m->shapes[c], k);
            p->shape[p->f.n_neurons++] = s;
        }
}

/* Add the clamps, detectors and probes of one copy. */
static void add_points(const model *m, population *p, int32_t copy)
{
    const int32_t base = copy * m->n_cells;

    for (size_t i = 0; i < m->points.n; ++i) {
        const size_t node = (size_t)tsv_number(&m->points, i, POINT_NODE);

        if (strcmp(tsv_text(&m->points, i, KIND), "IClamp") == 0)
            p->clamps[p->f.n_clamps++] = (forest_clamp){
                base + m->cell[node], m->number[node],
                tsv_number(&m->points, i, P1), tsv_number(&m->points, i, P2),
                tsv_number(&m->points, i, P3)};
    }
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

static population populate(model *m, int32_t copies, bool companions)
{
    population p = {.f = m->forest, .copies = copies};
    const size_t n = (size_t)copies;

    p.shape = get((n + 3) * (size_t)m->n_cells, sizeof *p.shape);
    p.clamps = get(n * m->points.n, sizeof *p.clamps);
    p.detectors = get(n * m->detectors.n, sizeof *p.detectors);
    p.probes = get(n * m->traces.columns, sizeof *p.probes);
    for (int32_t copy = 0; copy < copies; ++copy) {
        for (int32_t c = 0; c < m->n_cells; ++c)
            p.shape[p.f.n_neurons++] = c;
        add_points(m, &p, copy);
    }
    if (companions)
        add_companions(m, &p);
    p.f.shape = p.shape;
    p.f.clamps = p.clamps;
    p.f.detectors = p.detectors;
    p.f.probes = p.probes;
    return p;
}

static void population_clear(population *p)
{
    free(p->shape);
    free(p->clamps);
    free(p->detectors);
    free(p->probes);
}

static void compare_traces(const model *m, const population *p,
                           const bosc_record *record, result *r)
{
    const size_t n = m->traces.columns - 1, all = (size_t)p->f.n_probes;

    for (size_t row = 0; row < (size_t)record->n_frames[0]; ++row)
        for (size_t k = 0; k < all; ++k)
            r->trace = fmax(r->trace, fabs(record->values[0][row * all + k] -
                                           m->trace[row * n + k % n]));
}

/* Match every spike of NEURON with one of ours in each copy. */
static void compare_spikes(const model *m, const population *p,
                           const bosc_record *record, result *r)
{
    bool *taken = get(record->n_spikes, sizeof *taken);
    const double end = ((double)m->n_steps - 0.5) * m->forest.dt;
    const size_t n = m->detectors.n;
    size_t wanted = 0, found = 0;

    for (size_t i = 0; i < m->spikes.n; ++i) {
        const double t = tsv_number(&m->spikes, i, 0);
        const double gid = tsv_number(&m->spikes, i, 1);

        if (t > end)
            continue;
        wanted += (size_t)p->copies;
        for (size_t k = 0; k < record->n_spikes; ++k) {
            const bosc_spike *s = &record->spikes[k];
            const size_t detector = (size_t)s->source % n;

            if (taken[k] || tsv_number(&m->detectors, detector, GID) != gid ||
                fabs((double)s->step * m->forest.dt - t) > tolerance.time)
                continue;
            taken[k] = true;
            ++found;
        }
    }
    free(taken);
    r->spikes = wanted;
    r->missing = (wanted > found ? wanted - found : found - wanted) +
                 (record->n_spikes - found);
}

static void compare_final(const model *m, const bosc_batch *batch,
                          const population *p, result *r)
{
    for (int32_t copy = 0; copy < p->copies; ++copy)
        for (size_t i = 0; i < m->nodes.n; ++i) {
            const int32_t neuron = copy * m->n_cells + m->cell[i];
            const double v = forest_value(batch, neuron, m->number[i], -1, 0);

            r->final = fmax(r->final, fabs(v - tsv_number(&m->final, i, 1)));
            for (int s = 0; s < bosc_mechs[BOSC_MECH_hh].n_states; ++s) {
                double x = 0;

                for (int b = 0; b < batch->n_blocks; ++b)
                    x += forest_value(batch, neuron, m->number[i], b, s);
                r->gate = fmax(
                    r->gate, fabs(x - tsv_number(&m->final, i, 2 + (size_t)s)));
            }
        }
}

static bosc_status run(model *m, const bosc_backend *backend, int method,
                       const variant *how, result *r, bosc_error *err)
{
    const int32_t width = backend->width(method);
    population p = populate(m, how->fill ? width : 1, how->companions);
    bosc_batch batch = forest_pack(&p.f, width);
    bosc_engine *engine = NULL;
    bosc_record record;
    bosc_status st = backend->create(&batch, method, 1, &engine, err);

    if (st == BOSC_OK)
        st = backend->advance(engine, 0, m->n_steps, &record, err);
    if (st == BOSC_OK) {
        compare_traces(m, &p, &record, r);
        compare_spikes(m, &p, &record, r);
        st = backend->download(engine, err);
    }
    if (st == BOSC_OK && !m->has_network)
        compare_final(m, &batch, &p, r);
    backend->destroy(engine);
    bosc_batch_clear(&batch);
    population_clear(&p);
    return st;
}

static bool check(model *m, const bosc_backend *backend, int method,
                  const variant *how)
{
    result r = {0};
    bosc_error err;
    bool good;

    printf("%-22s  %-4s %-11s %-8s", m->name, backend->name,
           backend->methods[method].name, how->name);
    if (run(m, backend, method, how, &r, &err) != BOSC_OK) {
        printf("  FAIL: %s\n", err.text);
        return false;
    }
    good = r.trace <= tolerance.voltage && r.final <= tolerance.voltage &&
           r.gate <= tolerance.voltage && r.missing == 0;
    printf(" %9.2e %9.2e %9.2e %7zu %7zu  %s\n", r.trace, r.final, r.gate,
           r.spikes, r.missing, good ? "PASS" : "FAIL");
    return good;
}

/* The system of the first step, at rest: d, and b - A v, which is NEURON's
 * right-hand side.  Its clamps there are those of t = 0.  Both in uS and nA:
 * NEURON's densities times area / 100. */
static bool check_matrix(model *m)
{
    population p = populate(m, 1, false);
    bosc_batch batch = forest_pack(&p.f, 1);
    const size_t n = (size_t)batch.layout.n_slots;
    double *d = get(n, sizeof *d), *b = get(n, sizeof *b);
    double worst_d = 0, worst_b = 0;
    bool good;

    for (size_t i = 0; i < n; ++i) {
        d[i] = batch.d[i];
        b[i] = batch.c[i] * batch.v[i] + batch.e[i];
    }
    for (int k = 0; k < batch.n_blocks; ++k) {
        const bosc_mech_block *block = &batch.blocks[k];
        int32_t g = 0;

        for (ptrdiff_t i = 0; i < block->n; ++i) {
            double s[3], cond, cond_e;

            while (i >= block->first[g + 1])
                ++g;
            for (int j = 0; j < 3; ++j)
                s[j] = block->state[j][i];
            bosc_hh_current(block->p, s, p.f.v_init, &cond, &cond_e);
            d[batch.layout.first[g] + block->at[i]] += block->scale[i] * cond;
            b[batch.layout.first[g] + block->at[i]] += block->scale[i] * cond_e;
        }
    }
    for (ptrdiff_t i = 0; i < batch.n_clamps; ++i)
        if (batch.clamps[i].delay <= 0 && batch.clamps[i].duration > 0)
            b[batch.clamps[i].slot] += batch.clamps[i].amplitude;
    for (size_t i = 0; i < n; ++i)
        b[i] -= d[i] * batch.v[i];
    for (int32_t c = 0; c < m->n_cells; ++c)
        for (int32_t i = 1; i < m->shapes[c].n; ++i) {
            const ptrdiff_t at = bosc_slot(&batch.layout, c, i);
            const ptrdiff_t up =
                bosc_slot(&batch.layout, c, m->shapes[c].parent[i]);

            b[at] -= batch.u[at] * batch.v[up];
            b[up] -= batch.u[at] * batch.v[at];
        }
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

static bool check_case(const char *folder)
{
    model m;
    bool good = model_read(&m, folder);

    if (good) {
        good = check_matrix(&m);
        if (m.has_network)
            printf("%-22s  synapses: skipped (needs the network); compared "
                   "until %g ms\n",
                   m.name, (double)m.n_steps * m.forest.dt);
        for (int i = 0; bosc_backends[i] != NULL; ++i)
            for (int k = 0; k < bosc_backends[i]->n_methods; ++k)
                for (size_t j = 0; j < BOSC_LEN(variants); ++j)
                    if (!variants[j].fill || bosc_backends[i]->width(k) > 1)
                        good &= check(&m, bosc_backends[i], k, &variants[j]);
    }
    model_clear(&m);
    return good;
}

/* The folders given, or all of ../shared/reference. */
static bool find_cases(int argc, char **argv, glob_t *found)
{
    const char *shared = getenv("BOSC_SHARED"), *src = getenv("BOSC_SRC");
    char *pattern;
    int rc;

    *found = (glob_t){0};
    if (optind < argc) {
        for (int i = optind; i < argc; ++i)
            if (glob(argv[i], GLOB_NOCHECK | (i > optind ? GLOB_APPEND : 0),
                     NULL, found) != 0)
                return false;
        return true;
    }
    pattern = shared != NULL
                  ? bosc_format("%s/reference/c*", shared)
                  : bosc_format("%s/../shared/reference/c*", src ? src : ".");
    rc = pattern != NULL ? glob(pattern, 0, NULL, found) : -1;
    free(pattern);
    return rc == 0;
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
