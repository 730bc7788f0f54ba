#include "tests/lib/mechs.h"
#include "tests/reference/reference_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/tree.h"

static double param(const reference_model *m, const char *key)
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

static bool read_files(reference_model *m)
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
static uint32_t set_bit(reference_model *m, size_t i, int mech, size_t from)
{
    forest_set set = {.mech = mech};
    forest *f = &m->forest;

    for (int k = 0; k < test_mechs()->mech[mech]->n_params; ++k)
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

static uint32_t find_sets(reference_model *m, size_t i)
{
    uint32_t has = 0;

    if (tsv_number(&m->nodes, i, PAS) != 0)
        has |= set_bit(m, i, BOSC_MECH_pas, PAS + 1);
    if (tsv_number(&m->nodes, i, HH) != 0)
        has |= set_bit(m, i, BOSC_MECH_hh, HH + 1);
    return has;
}

/* Cell c: its nodes in depth-first order, with their totals. */
static void make_shape(reference_model *m, int32_t c)
{
    const size_t n_all = m->nodes.n;
    int32_t *old = forest_get(n_all, sizeof *old),
            *parent = forest_get(n_all, sizeof *parent);
    int32_t *order = forest_get(n_all, sizeof *order);
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

    if (tree_order(n, parent, order, &err) != BOSC_OK ||
        tree_renumber(n, parent, order, s.parent, &err) != BOSC_OK)
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

static void parse_traces(reference_model *m)
{
    const size_t n = m->traces.columns - 1;

    m->trace = forest_get(m->traces.n * n, sizeof *m->trace);
    for (size_t i = 0; i < m->traces.n; ++i)
        for (size_t k = 0; k < n; ++k)
            m->trace[i * n + k] = tsv_number(&m->traces, i, 1 + k);
}

bool reference_model_read(reference_model *m, const char *folder)
{
    const char *slash = strrchr(folder, '/');

    if (slash != NULL && slash[1] == '\0' && slash > folder)
        while (slash > folder && slash[-1] != '/')
            --slash;
    else if (slash != NULL)
        ++slash;
    *m = (reference_model){.folder = folder, .name = slash ? slash : folder};
    if (!read_files(m))
        return false;
    m->cell = forest_get(m->nodes.n, sizeof *m->cell);
    m->number = forest_get(m->nodes.n, sizeof *m->number);
    for (size_t i = 0; i < m->nodes.n; ++i) {
        m->cell[i] = (int32_t)tsv_number(&m->nodes, i, CELL);
        m->n_cells = m->cell[i] >= m->n_cells ? m->cell[i] + 1 : m->n_cells;
    }
    m->shapes = forest_get((size_t)m->n_cells * 4, sizeof *m->shapes);
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
    m->n_steps = (int64_t)param(m, "nsteps");
    return true;
}

void reference_model_clear(reference_model *m)
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
