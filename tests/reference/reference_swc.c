#include "tests/reference/reference_swc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "tests/lib/cable_file.h"

/* What follows "key": in the text of a JSON file; NULL if it is not there. */
static const char *json_value(const char *text, const char *key)
{
    char *quoted = bosc_format("\"%s\":", key);
    const char *at =
        text != NULL && quoted != NULL ? strstr(text, quoted) : NULL;

    if (at != NULL) {
        at += strlen(quoted);
        at += strspn(at, " \t\n");
    }
    free(quoted);
    return at;
}

char *reference_swc_path(const reference_model *m)
{
    char *json = tsv_slurp(m->folder, "model.json"), *path = NULL;
    const char *name = json_value(json, "swc");

    if (name != NULL && *name == '"' && m->n_cells == 1)
        path = bosc_format("%s/../swc/%.*s", m->folder,
                           (int)strcspn(name + 1, "\""), name + 1);
    free(json);
    return path;
}

/* How NEURON cut its sections: "d_lambda 0.1 at 100 Hz", or how many segments
 * each has. */
static void set_policy(const char *rule, bosc_cable_spec *spec)
{
    if (rule != NULL && sscanf(rule, "\"d_lambda %lf at %lf Hz",
                               &spec->d_lambda, &spec->frequency) == 2)
        return;
    spec->policy = BOSC_PER_SECTION;
    spec->per_section = rule != NULL ? (int32_t)strtol(rule + 1, NULL, 10) : 1;
}

static bosc_cable_spec find_spec(const reference_model *m)
{
    const size_t section = tsv_column(&m->nodes, "section");
    char *json = tsv_slurp(m->folder, "model.json");
    const char *Ra = json_value(json, "Ra_ohm_cm");
    bosc_cable_spec spec = bosc_cable_defaults();

    set_policy(json_value(json, "nseg_rule"), &spec);
    for (int r = 0; r < BOSC_N_REGIONS && Ra != NULL; ++r)
        spec.Ra[r] = strtod(Ra, NULL);
    for (size_t i = 0; i < m->nodes.n; ++i) {
        const int r = cable_file_region(tsv_text(&m->nodes, i, section));

        if (r < BOSC_N_REGIONS && tsv_number(&m->nodes, i, ZERO_AREA) == 0)
            spec.cm[r] = tsv_number(&m->nodes, i, CM);
    }
    free(json);
    return spec;
}

/* number[i] becomes the node at the place of NEURON's node i; each is to be one
 * of them. */
static bosc_status match_nodes(const reference_model *m, const bosc_cable *c,
                               int32_t *number, bosc_error *err)
{
    const size_t section = tsv_column(&m->nodes, "section");
    const size_t x = tsv_column(&m->nodes, "x");

    if ((size_t)c->n != m->nodes.n)
        return bosc_fail(err, BOSC_EVALUE, "%d nodes from SWC, NEURON has %zu",
                         c->n, m->nodes.n);
    for (size_t i = 0; i < m->nodes.n; ++i) {
        const char *name = tsv_text(&m->nodes, i, section);
        const double at = tsv_number(&m->nodes, i, x);

        number[i] = cable_file_node(c, name, at);
        if (number[i] < 0)
            return bosc_fail(err, BOSC_EVALUE, "no node from SWC is %s(%g)",
                             name, at);
    }
    return BOSC_OK;
}

/* Shapes and numbers of 'made' from the template. */
static void dress(const reference_model *m, const bosc_cable *c,
                  reference_model *made)
{
    const forest_shape *theirs = &m->shapes[0];
    forest_shape s = forest_shape_create(c->n);

    for (int32_t k = 0; k < c->n; ++k) {
        s.parent[k] = c->parent[k];
        s.g_axial[k] = c->g_axial[k];
        s.area[k] = c->area[k];
    }
    for (size_t i = 0; i < m->nodes.n; ++i) {
        const int32_t k = made->number[i];

        s.C[k] = s.area[k] * tsv_number(&m->nodes, i, CM) * 1e-5;
        s.has[k] = theirs->has[m->number[i]];
    }
    made->shapes = forest_get(4, sizeof *made->shapes);
    made->shapes[0] = s;
    made->forest.shapes = made->shapes;
}

bosc_status reference_swc_make(const reference_model *m, const char *path,
                               reference_model *made, bosc_error *err)
{
    const bosc_cable_spec spec = find_spec(m);
    reference_model copy = *m;
    bosc_cable *c = NULL;
    bosc_status st = cable_file_read(path, &spec, &c, err);

    copy.number = forest_get(m->nodes.n, sizeof *copy.number);
    if (st == BOSC_OK)
        st = match_nodes(m, c, copy.number, err);
    if (st == BOSC_OK) {
        dress(m, c, &copy);
        *made = copy;
    } else {
        free(copy.number);
    }
    bosc_cable_destroy(c);
    return st;
}

void reference_swc_clear(reference_model *made)
{
    for (int s = 0; s < 4; ++s)
        forest_shape_clear(&made->shapes[s]);
    free(made->shapes);
    free(made->number);
}

/* Neuron 0 is NEURON's, neuron 1 is from SWC.  Probes and detectors alternate
 * between them. */
typedef struct pair {
    forest f;
    const reference_model *of[2];
    forest_shape shapes[2];
    forest_clamp *clamps;
    forest_detector *detectors;
    forest_probe *probes;
} pair;

static void add_clamps(const tsv *points, size_t i, pair *p)
{
    const size_t node = (size_t)tsv_number(points, i, POINT_NODE);
    const double delay = tsv_number(points, i, P1);

    for (int32_t k = 0; k < 2; ++k)
        for (int early = 0; early < 2; ++early)
            p->clamps[p->f.n_clamps++] = (forest_clamp){
                k, p->of[k]->number[node], early ? 0.5 * delay : delay,
                tsv_number(points, i, P2), tsv_number(points, i, P3)};
}

static void make_pair(const reference_model *m, const reference_model *made,
                      pair *p)
{
    static const int32_t shape[] = {0, 1};
    const int32_t n_nodes = (int32_t)m->nodes.n;
    const int32_t n_detectors = (int32_t)m->detectors.n;

    *p = (pair){.f = m->forest,
                .of = {m, made},
                .shapes = {m->shapes[0], made->shapes[0]}};
    p->clamps = forest_get(4 * m->points.n, sizeof *p->clamps);
    p->detectors = forest_get(2 * m->detectors.n, sizeof *p->detectors);
    p->probes = forest_get(2 * m->nodes.n, sizeof *p->probes);
    for (size_t i = 0; i < m->points.n; ++i)
        if (strcmp(tsv_text(&m->points, i, KIND), "IClamp") == 0)
            add_clamps(&m->points, i, p);
    for (int32_t i = 0; i < 2 * n_detectors; ++i) {
        const size_t d = (size_t)i / 2;
        const size_t node = (size_t)tsv_number(&m->detectors, d, DETECTOR_NODE);

        p->detectors[i] =
            (forest_detector){i % 2, p->of[i % 2]->number[node], i,
                              tsv_number(&m->detectors, d, THRESHOLD)};
    }
    for (int32_t i = 0; i < 2 * n_nodes; ++i)
        p->probes[i] = (forest_probe){i % 2, p->of[i % 2]->number[i / 2]};
    p->f.n_neurons = p->f.n_shapes = 2;
    p->f.n_detectors = 2 * n_detectors;
    p->f.n_probes = 2 * n_nodes;
    p->f.shapes = p->shapes;
    p->f.shape = shape;
    p->f.clamps = p->clamps;
    p->f.detectors = p->detectors;
    p->f.probes = p->probes;
}

static void pair_clear(pair *p)
{
    free(p->clamps);
    free(p->detectors);
    free(p->probes);
}

/* A detector's spikes of both neurons follow each other, as they are sorted by
 * step and by source. */
static void compare_record(const pair *p, const bosc_step_output *record,
                           reference_result *r)
{
    const ptrdiff_t n = record->n_frames[0] * p->f.n_probes;
    const double *v = record->values[0];

    for (ptrdiff_t i = 0; i < n; i += 2)
        r->trace = fmax(r->trace, fabs(v[i] - v[i + 1]));
    for (size_t i = 0; i < record->n_spikes; ++i) {
        const bosc_spike *s = &record->spikes[i];

        ++r->spikes;
        if (s->source % 2 == 0 && i + 1 < record->n_spikes &&
            s[1].order == s->order && s[1].source == s->source + 1)
            ++i;
        else
            ++r->missing;
    }
}

static void compare_end(const pair *p, const bosc_batch *batch,
                        reference_result *r)
{
    for (int32_t i = 0; i < p->f.n_probes; i += 2)
        for (int b = -1; b < batch->n_blocks; ++b) {
            const int n = b < 0 ? 1 : batch->blocks[b].mech->n_states;
            double *worst = b < 0 ? &r->final : &r->gate;

            for (int s = 0; s < n; ++s)
                *worst = fmax(
                    *worst,
                    fabs(forest_value(batch, 0, p->probes[i].node, b, s) -
                         forest_value(batch, 1, p->probes[i + 1].node, b, s)));
        }
}

bosc_status reference_swc_compare(const reference_model *m,
                                  const reference_model *made,
                                  const bosc_method *method,
                                  reference_result *r, bosc_error *err)
{
    const bosc_engine_ops *ops = method->engine.ops;
    enum { RANGE = 400 }; /* steps whose frames are held in memory */
    const int64_t end = m->n_steps;
    pair p;
    bosc_engine *engine = NULL;
    bosc_step_output record;

    make_pair(m, made, &p);

    bosc_batch batch = forest_pack_for(&p.f, method);
    bosc_status st =
        ops->create(&batch, method->engine.variant, 1, &engine, err);

    for (int64_t from = 0; from < end && st == BOSC_OK; from += RANGE) {
        const int64_t to = from + RANGE < end ? from + RANGE : end;

        st = ops->advance(engine, &(bosc_step_input){.from = from, .to = to},
                          &record, err);
        if (st == BOSC_OK)
            compare_record(&p, &record, r);
    }
    if (st == BOSC_OK)
        st = ops->download(engine, err);
    if (st == BOSC_OK)
        compare_end(&p, &batch, r);
    ops->destroy(engine);
    bosc_batch_clear(&batch);
    pair_clear(&p);
    return st;
}
