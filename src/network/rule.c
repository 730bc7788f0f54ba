/* rule.c - which sources a target has, rule by rule: one row of a table for
 * each; and what is drawn for each connection.
 */
#include <math.h>

#include "src/base/random.h"
#include "src/base/search.h"
#include "src/network/rule.h"

/* The visitor, and what has been found so far. */
typedef struct visitor {
    const bosc_in_edges *in_edges;
    bosc_visit *visit;
    void *what;
} visitor;

static void words_for(const bosc_in_edges *in_edges, uint32_t index,
                      uint32_t use, uint32_t words[4])
{
    bosc_random(in_edges->spec->seed, in_edges->name,
                (uint64_t)in_edges->target, USES * index + use, words);
}

static void take(const visitor *v, int64_t source, uint32_t index)
{
    if (source != v->in_edges->self || v->in_edges->spec->autapses)
        v->visit(v->what, &(bosc_link){source, index, NAN, NAN, NULL});
}

static void one_to_one(const visitor *v)
{
    take(v, v->in_edges->target, 0);
}

static void all_to_all(const visitor *v)
{
    for (int64_t s = 0; s < v->in_edges->n_source; ++s)
        take(v, s, (uint32_t)s);
}

/* Sources may be drawn twice; where a neuron may not be its own, the numbers
 * above it move down by one. */
static void fixed_indegree(const visitor *v)
{
    const bosc_in_edges *in_edges = v->in_edges;
    const bool skip = in_edges->self >= 0 && !in_edges->spec->autapses;
    const int64_t n = in_edges->n_source - skip;

    for (int64_t k = 0; n > 0 && k < in_edges->spec->indegree; ++k) {
        uint32_t words[4];

        words_for(in_edges, (uint32_t)k, USE_SOURCE, words);

        const int64_t s = bosc_below(words, n);

        take(v, s + (skip && s >= in_edges->self), (uint32_t)k);
    }
}

/* The next source is a geometric number away, so only those taken cost. */
static void fixed_probability(const visitor *v)
{
    const double p = v->in_edges->spec->probability;
    const double scale = 1 / log1p(-p); /* -0 for p = 1, -inf for 0 */
    uint32_t k = 0;

    if (p <= 0)
        return;
    for (int64_t s = 0; s < v->in_edges->n_source; ++s, ++k) {
        uint32_t words[4];

        words_for(v->in_edges, k, USE_SOURCE, words);

        const double skip = floor(log1p(-bosc_uniform(words)) * scale);

        if (skip >= (double)(v->in_edges->n_source - s))
            return;
        s += (int64_t)skip;
        take(v, s, k);
    }
}

static void ring(const visitor *v)
{
    const int64_t n = v->in_edges->n_source;
    const int64_t s = (v->in_edges->target - v->in_edges->spec->offset) % n;

    take(v, s < 0 ? s + n : s, 0);
}

static double distance(const double a[3], const double b[3])
{
    double square = 0;

    for (int i = 0; i < 3; ++i)
        square += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(square);
}

static double distance_of(const bosc_in_edges *in_edges, int64_t source)
{
    const bosc_model *model = in_edges->model;
    double a[3], b[3];

    bosc_model_position(model, in_edges->spec->from_index, source, a);
    bosc_model_position(model, in_edges->spec->to_index, in_edges->target, b);
    return distance(a, b);
}

static void by_distance(const visitor *v)
{
    const bosc_projection_spec *spec = v->in_edges->spec;

    for (int64_t s = 0; s < v->in_edges->n_source; ++s) {
        const double p = spec->probability *
                         exp(-distance_of(v->in_edges, s) / spec->length);
        uint32_t words[4];

        words_for(v->in_edges, (uint32_t)s, USE_SOURCE, words);
        if (bosc_uniform(words) < p)
            take(v, s, (uint32_t)s);
    }
}

static void from_list(const visitor *v)
{
    const bosc_edge *edges = v->in_edges->edges;

    for (int64_t k = 0; k < v->in_edges->n_edges; ++k)
        v->visit(v->what,
                 &(bosc_link){edges[k].source, (uint32_t)k, edges[k].weight,
                              edges[k].delay, &edges[k]});
}

/* --- how many connections a rule makes ------------------------------------ */

static double each_source(const bosc_projection_spec *spec, double n_sources)
{
    (void)spec;
    return n_sources;
}

static double indegree(const bosc_projection_spec *spec, double n_sources)
{
    (void)n_sources;
    return (double)spec->indegree;
}

static double some_sources(const bosc_projection_spec *spec, double n_sources)
{
    return n_sources * spec->probability;
}

/* Positions that are in a file, which is read when neurons have their ranks:
 * those of n populations. */
static bool is_placed_by_file(const bosc_model *model, int population, int n)
{
    for (int k = 0; k < n && model->files == NULL; ++k)
        if (model->job->populations[population + k].positions != NULL)
            return true;
    return false;
}

/* The mean probability of some pairs. */
static double mean_probability(const bosc_model *model,
                               const bosc_projection_spec *spec,
                               const bosc_expected *e)
{
    enum { SAMPLES = 512 };
    const int n = (int)fmin(SAMPLES, e->sources);
    const int m = (int)fmin(SAMPLES, e->targets);
    double from[SAMPLES][3], sum = 0;

    for (int i = 0; i < n; ++i)
        bosc_model_position(model, spec->from_index,
                            (int64_t)(i * e->sources / n), from[i]);
    for (int k = 0; k < m; ++k) {
        double to[3];

        bosc_model_position(model, spec->to_index,
                            (int64_t)(k * e->targets / m), to);
        for (int i = 0; i < n; ++i)
            sum += exp(-distance(from[i], to) / spec->length);
    }
    return spec->probability * sum / ((double)n * m);
}

static void expect_by_distance(const bosc_model *model,
                               const bosc_projection_spec *spec, double rows,
                               bosc_expected *e)
{
    (void)rows;
    e->known = !is_placed_by_file(model, spec->from_index, spec->n_from) &&
               !is_placed_by_file(model, spec->to_index, spec->n_to);
    e->indegree = e->known ? e->sources * mean_probability(model, spec, e) : 0;
}

static void expect_list(const bosc_model *model,
                        const bosc_projection_spec *spec, double rows,
                        bosc_expected *e)
{
    (void)model;
    (void)spec;
    e->known = rows >= 0;
    e->indegree = e->known ? rows / e->targets : 0;
}

/* --- the table of rules -------------------------------------------------- */

static const struct rule {
    /* Visit the connections onto one target. */
    void (*visit)(const visitor *v);
    /* Sources that 'visit' examines for one target, on average; NULL: 1. */
    double (*examined)(const bosc_projection_spec *spec, double n_sources);
    /* Set e->indegree where it is not the number examined, else NULL. */
    void (*expect)(const bosc_model *model, const bosc_projection_spec *spec,
                   double rows, bosc_expected *e);
    bosc_expected_kind kind;
    bool alike; /* every target has the same indegree */
} rules[BOSC_N_RULES] = {
    [BOSC_RULE_ONE_TO_ONE] = {one_to_one, NULL, NULL, BOSC_PAIRED, true},
    [BOSC_RULE_ALL_TO_ALL] = {all_to_all, each_source, NULL, BOSC_APART, true},
    [BOSC_RULE_FIXED_INDEGREE] = {fixed_indegree, indegree, NULL, BOSC_DRAWN,
                                  true},
    [BOSC_RULE_FIXED_PROBABILITY] = {fixed_probability, some_sources, NULL,
                                     BOSC_APART, false},
    [BOSC_RULE_RING] = {ring, NULL, NULL, BOSC_PAIRED, true},
    [BOSC_RULE_DISTANCE] = {by_distance, each_source, expect_by_distance,
                            BOSC_DRAWN, false},
    [BOSC_RULE_LIST] = {from_list, NULL, expect_list, BOSC_DRAWN, false},
};

void bosc_in_edges_visit(const bosc_in_edges *in_edges, bosc_visit *visit,
                         void *what)
{
    rules[in_edges->spec->rule].visit(&(visitor){in_edges, visit, what});
}

bool bosc_rule_fixes_indegree(bosc_rule rule)
{
    return rules[rule].alike;
}

double bosc_rule_examined(const bosc_projection_spec *spec, double n_sources)
{
    const struct rule *rule = &rules[spec->rule];

    return rule->examined != NULL ? rule->examined(spec, n_sources) : 1;
}

bosc_expected bosc_rule_expect(const bosc_model *model, int link, double rows)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    const struct rule *rule = &rules[spec->rule];
    bosc_expected e = {.known = true,
                       .sources = (double)bosc_model_n_sources(model, spec),
                       .targets = (double)bosc_model_n_targets(model, spec),
                       .kind = rule->kind,
                       .alike = rule->alike};

    e.indegree = bosc_rule_examined(spec, e.sources);
    if (rule->expect != NULL)
        rule->expect(model, spec, rows, &e);
    return e;
}

/* --- in-edges of a target ------------------------------------------------- */

static bool is_before(const void *element, const void *target)
{
    return ((const bosc_edge *)element)->target < *(const int64_t *)target;
}

/* Of the edges of a list, which are sorted by target, those of one. */
static void find_list(const bosc_edge_list *list, bosc_in_edges *in_edges)
{
    const bosc_edge *edges = list->edge;
    const int64_t target = in_edges->target,
                  low = bosc_lower_bound(edges, list->n, sizeof *edges, &target,
                                         is_before);
    int64_t end;

    in_edges->list = list;
    for (end = low; end < list->n; ++end)
        if (edges[end].target != in_edges->target)
            break;
    in_edges->n_edges = end - low;
    in_edges->edges = edges + low;
}

bosc_in_edges bosc_in_edges_onto(const bosc_model *model, int link,
                                 int64_t target)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    bosc_in_edges in_edges = {
        .model = model,
        .spec = spec,
        .name = bosc_hash(spec->name),
        .neuron = -1,
        .target = target,
        .n_source = bosc_model_n_sources(model, spec),
        .self = -1,
    };
    const int64_t *first = model->gid_table->first_gid;
    const int64_t self = spec->from_index < 0 ? -1
                                              : first[spec->to_index] + target -
                                                    first[spec->from_index];

    if (self >= 0 && self < in_edges.n_source)
        in_edges.self = self;
    if (spec->rule == BOSC_RULE_LIST && model->files != NULL)
        find_list(&model->files->lists[link], &in_edges);
    return in_edges;
}

bosc_in_edges bosc_in_edges_of(const bosc_model *model, int link,
                               int32_t neuron)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    bosc_in_edges in_edges =
        bosc_in_edges_onto(model, link,
                           model->cells->gid[neuron] -
                               model->gid_table->first_gid[spec->to_index]);

    in_edges.neuron = neuron;
    return in_edges;
}

bosc_status bosc_in_edges_check(const bosc_model *model, int link,
                                bosc_error *err)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    const int64_t n = bosc_model_n_sources(model, spec);
    const int64_t targets = bosc_model_n_targets(model, spec);

    if (spec->rule != BOSC_RULE_ONE_TO_ONE || n == targets)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: '%s': one_to_one needs equal sizes: "
                     "'%s' has %lld sources, '%s' %lld targets",
                     spec->where, spec->name, spec->from, (long long)n,
                     spec->to, (long long)targets);
}

/* --- draws ---------------------------------------------------------------- */

double bosc_in_edges_draw(const bosc_in_edges *in_edges, const bosc_draw *draw,
                          const bosc_link *link, uint32_t use)
{
    uint32_t words[4];

    if (draw->kind == BOSC_DRAW_CONSTANT)
        return draw->a;
    if (draw->kind == BOSC_DRAW_DISTANCE) {
        const double x =
            draw->a + draw->b * distance_of(in_edges, link->source);

        return x < draw->low ? draw->low : x > draw->high ? draw->high : x;
    }
    words_for(in_edges, link->index, use, words);
    return bosc_draw_number(draw, words);
}

double bosc_in_edges_weight(const bosc_in_edges *in_edges,
                            const bosc_link *link)
{
    return isnan(link->weight)
               ? bosc_in_edges_draw(in_edges, &in_edges->spec->weight, link,
                                    USE_WEIGHT)
               : link->weight;
}

double bosc_in_edges_delay(const bosc_in_edges *in_edges, const bosc_link *link)
{
    return isnan(link->delay)
               ? bosc_in_edges_draw(in_edges, &in_edges->spec->delay, link,
                                    USE_DELAY)
               : link->delay;
}

int bosc_in_edges_kind(const bosc_in_edges *in_edges, const bosc_link *link)
{
    const bosc_edge_list *list = in_edges->list;
    const double kind =
        link->edge == NULL || list->kind < 0
            ? NAN
            : list->more[link->edge->row * list->n_more + list->kind];

    return isnan(kind) ? in_edges->spec->synapse_index : (int)kind;
}

double bosc_in_edges_param(const bosc_in_edges *in_edges, int i,
                           const bosc_link *link)
{
    const bosc_param_draw *param = &in_edges->spec->params.draw[i];
    const bosc_draw *draw = &param->draw;
    uint32_t words[4];

    if (draw->kind == BOSC_DRAW_CONSTANT || draw->kind == BOSC_DRAW_DISTANCE)
        return bosc_in_edges_draw(in_edges, draw, link, 0);
    /* a stream for each parameter, apart from those of the projection */
    bosc_random(in_edges->spec->seed, param->stream, (uint64_t)in_edges->target,
                link->index, words);
    return bosc_draw_number(draw, words);
}
