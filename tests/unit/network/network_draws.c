/* network_draws.c - where synapses are on their targets, and what weights and
 * delays are drawn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/morphology/cable.h"
#include "tests/lib/netlist.h"
#include "tests/lib/tap.h"

enum { N_C = NETLIST_N_C, C = NETLIST_C, MAX_NODES = 64 };

/* 100 connections a neuron of c, to be changed by the rest of their line. */
static netlist draw(const char *rest)
{
    char line[400];

    snprintf(line, sizeof line,
             "  - {from: c, to: c, rule: fixed_indegree, indegree: 100, "
             "synapse: ampa, %s}\n",
             rest);
    return netlist_create(line, 1, NULL);
}

static bool within(double got, double mean, double variance)
{
    if (fabs(got - mean) <= 5 * sqrt(variance))
        return true;
    diag("%g, not %g within %g", got, mean, 5 * sqrt(variance));
    return false;
}

/* --- places --------------------------------------------------------------- */

static const struct {
    const char *name, *at;
    bool by_area;
    unsigned regions; /* bits */
    double near, far;
} places[] = {
    {"by length, anywhere", "{region: all}", false, ~0u, 0, 1e9},
    {"by area, anywhere", "{region: all, by: area}", true, ~0u, 0, 1e9},
    {"by length on dendrites", "{region: dendrite}", false, 1u << BOSC_DENDRITE,
     0, 1e9},
    {"by area on two regions", "{region: [soma, axon], by: area}", true,
     1u << BOSC_SOMA | 1u << BOSC_AXON, 0, 1e9},
    {"by length between two distances", "{region: all, distance: [20, 60]}",
     false, ~0u, 20, 60},
    {"by area on far dendrites",
     "{region: dendrite, distance: [71, 500], by: area}", true,
     1u << BOSC_DENDRITE, 71, 500},
    {"by length in a region of the user's own", "{region: middle}", false,
     1u << BOSC_DENDRITE, 20, 110},
    {"by area in such a region, nearer",
     "{region: [middle], distance: [0, 75], by: area}", true,
     1u << BOSC_DENDRITE, 20, 75},
};

/* The weight of each node in the draw, by the rule of the case. */
static double expect(const bosc_cable *cable, size_t k, double *share)
{
    double distance[MAX_NODES], sum = 0;

    bosc_path_distances(cable, distance, NULL);
    for (int32_t i = 0; i < cable->n; ++i) {
        const bosc_cable_section *s = &cable->sections[cable->section[i]];
        const bool has =
            cable->area[i] > 0 && (places[k].regions >> s->region & 1) &&
            distance[i] >= places[k].near && distance[i] <= places[k].far;

        share[i] = !has                ? 0
                   : places[k].by_area ? cable->area[i]
                                       : s->length / s->n;
        sum += share[i];
    }
    return sum;
}

static void test_places(void)
{
    for (size_t k = 0; k < BOSC_LEN(places); ++k) {
        char rest[200];

        snprintf(rest, sizeof rest, "weight: 1, at: %s", places[k].at);

        netlist list = draw(rest);
        double share[MAX_NODES], got[MAX_NODES] = {0};
        const double sum = expect(list.cable, k, share), n = (double)list.n;
        bool right = list.cable->n <= MAX_NODES && list.n == 100 * N_C;
        int nodes = 0;

        for (size_t i = 0; i < list.n; ++i)
            ++got[list.arc[i].node];
        for (int32_t i = 0; i < list.cable->n; ++i) {
            const double p = share[i] / sum;

            right = right && within(got[i], n * p, n * p * (1 - p));
            nodes += p > 0;
        }
        ok(right && nodes > 3,
           "synapses %s: as often as they should on %d "
           "compartments, never elsewhere",
           places[k].name, nodes);
        netlist_clear(&list);
    }
}

static void test_one_place(void)
{
    netlist list = draw("weight: 1, at: \"dend[1](0.3)\"");
    const int32_t node = bosc_cable_node(list.cable, BOSC_DENDRITE, 1, 0.3);
    bool same = list.n == 100 * N_C && node > 0;

    for (size_t i = 0; i < list.n; ++i)
        same = same && list.arc[i].node == node;
    ok(same, "synapses at a position are there");
    netlist_clear(&list);
}

/* --- positions ------------------------------------------------------------ */

/* Population c is in a box of 300, 200 and 100 um, a in one of 100, 100, 0. */
static void test_boxes(void)
{
    static const double box[] = {300, 200, 100};
    netlist list = draw("weight: 1");
    const bosc_model scene = {list.job, list.gid_table, NULL, NULL};
    double mean[3] = {0}, a[3], c[3], x[3];
    bool inside = true;

    for (int64_t i = 0; i < N_C; ++i) {
        bosc_model_position(&scene, 2, i, x);
        for (int k = 0; k < 3; ++k) {
            inside = inside && x[k] >= 0 && x[k] < box[k];
            mean[k] += x[k] / N_C;
        }
    }
    for (int k = 0; k < 3; ++k)
        inside =
            inside && within(mean[k], box[k] / 2, box[k] * box[k] / 12 / N_C);
    ok(inside, "somata are spread over their box");
    bosc_model_position(&scene, 0, 5, a);
    bosc_model_position(&scene, 2, 5, c);
    ok(a[2] == 0 && a[0] / 100 != c[0] / 300 && a[1] / 100 != c[1] / 200,
       "each population in its own way, a flat box being flat");
    netlist_clear(&list);
}

static void test_given_positions(void)
{
    double c[3 * N_C] = {0}, x[3];
    netlist list = draw("weight: 1");
    const bosc_network_files files = {NULL, (double *[]){NULL, NULL, c}};
    const bosc_model scene = {list.job, list.gid_table, NULL, &files};

    memcpy(c + 3 * 7, (const double[]){-2.385, 1e3, 0.5}, 3 * sizeof *c);
    bosc_model_position(&scene, 2, 7, x);
    ok(x[0] == -2.385 && x[1] == 1e3 && x[2] == 0.5,
       "or where a file says they are");
    netlist_clear(&list);
}

/* --- weights and delays --------------------------------------------------- */

typedef struct moments {
    double mean, variance, least, greatest;
} moments;

static moments moments_of(const netlist *list, bool of_delay)
{
    moments m = {0, 0, INFINITY, -INFINITY};
    const double n = (double)list->n;

    for (size_t i = 0; i < list->n; ++i) {
        const double x =
            of_delay ? list->arc[i].delay * list->job->dt : list->arc[i].weight;

        m.mean += x / n;
        m.variance += x * x / n;
        m.least = fmin(m.least, x);
        m.greatest = fmax(m.greatest, x);
    }
    m.variance -= m.mean * m.mean;
    return m;
}

/* 'fourth' is the fourth central moment over the squared variance. */
static const struct {
    const char *name, *rest;
    bool of_delay;
    double mean, deviation, fourth, least, greatest;
} drawn[] = {
    {"uniform weights", "weight: {uniform: [0.25, 0.75]}", false, 0.5,
     0.14433756729740643, 1.8, 0.25, 0.75},
    {"normal weights", "weight: {normal: [1, 0.1]}", false, 1, 0.1, 3, 0.4,
     1.6},
    {"negative weights", "weight: {normal: [-1, 0.1]}", false, -1, 0.1, 3, -1.6,
     -0.4},
    {"lognormal weights", "weight: {lognormal: [2, 0.5]}", false, 2, 0.5, 4.07,
     0.5, 7},
    {"uniform delays", "weight: 1, delay: {uniform: [1, 4]}", true, 2.5,
     0.86602540378443865, 1.8, 1, 4},
    {"normal delays", "weight: 1, delay: {normal: [3, 0.4]}", true, 3, 0.4, 3,
     0.6, 5.4},
};

static void test_draws(void)
{
    for (size_t k = 0; k < BOSC_LEN(drawn); ++k) {
        netlist list = draw(drawn[k].rest);
        const moments m = moments_of(&list, drawn[k].of_delay);
        const double n = (double)list.n, v = pow(drawn[k].deviation, 2);

        ok(within(m.mean, drawn[k].mean, v / n) &&
               within(m.variance, v, v * v * (drawn[k].fourth - 1) / n) &&
               m.least >= drawn[k].least && m.greatest <= drawn[k].greatest,
           "%s have their mean, deviation and range (%g, %g, %g to %g)",
           drawn[k].name, m.mean, sqrt(m.variance), m.least, m.greatest);
        netlist_clear(&list);
    }
}

/* Draws beyond a limit become the limit: 15.87 % of normal numbers are more
 * than a deviation below their mean. */
static void test_limits(void)
{
    static const struct {
        const char *name, *rest;
        bool of_delay;
        double limit, share;
    } cases[] = {
        {"below min", "weight: {normal: [1, 0.5], min: 0.5}", false, 0.5,
         0.158655},
        {"above max", "weight: {normal: [1, 0.5], max: 1.5}", false, 1.5,
         0.158655},
        {"of the other sign", "weight: {normal: [0.5, 0.5]}", false, 0,
         0.158655},
        {"of the other sign, where weights are negative",
         "weight: {normal: [-0.5, 0.5]}", false, 0, 0.158655},
        {"of lognormal numbers beyond their median",
         "weight: {lognormal: [2, 1], max: 1.7888543819998317}", false,
         1.7888543819998317, 0.5},
        {"of delays below 0", "weight: 1, delay: {normal: [0.5, 1]}", true, 0,
         0.31},
    };

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        netlist list = draw(cases[k].rest);
        const moments m = moments_of(&list, cases[k].of_delay);
        const double n = (double)list.n, p = cases[k].share;
        double at = 0;

        for (size_t i = 0; i < list.n; ++i)
            at += (cases[k].of_delay ? list.arc[i].delay * list.job->dt
                                     : list.arc[i].weight) == cases[k].limit;
        ok((m.least == cases[k].limit || m.greatest == cases[k].limit) &&
               within(at, n * p, n * (cases[k].of_delay ? 4 : 1) * p * (1 - p)),
           "draws %s become the limit (%.3f of them)", cases[k].name, at / n);
        netlist_clear(&list);
    }
}

static double distance(const netlist *list, const netlist_arc *arc)
{
    const bosc_model scene = {list->job, list->gid_table, NULL, NULL};
    double a[3], b[3];

    bosc_model_position(&scene, 2, arc->source - C, a);
    bosc_model_position(&scene, 2, arc->target - C, b);
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) +
                pow(a[2] - b[2], 2));
}

static void test_by_distance(void)
{
    netlist list = draw("weight: {distance: [1, -0.005]}, "
                        "delay: {distance: [0.5, 0.01]}");
    bool weights = list.n > 0, delays = list.n > 0, limited = false;

    for (size_t i = 0; i < list.n; ++i) {
        const netlist_arc *arc = &list.arc[i];
        const double d = distance(&list, arc), w = 1 - 0.005 * d;

        weights = weights && fabs(arc->weight - fmax(w, 0)) < 1e-12;
        limited = limited || w < 0;
        delays = delays && fabs(arc->delay * list.job->dt - (0.5 + 0.01 * d)) <=
                               0.5 * list.job->dt + 1e-9;
    }
    ok(weights && limited, "weights fall with the distance, down to 0");
    ok(delays, "delays grow with it, to within half a step");
    netlist_clear(&list);
}

/* Numbers of one connection have nothing to do with each other. */
static void test_independent(void)
{
    netlist list = draw("weight: {uniform: [0, 1]}, delay: {uniform: [1, 5]}, "
                        "at: {region: all}");
    const double n = (double)list.n;
    const moments w = moments_of(&list, false), d = moments_of(&list, true);
    double wd = 0, ws = 0, wn = 0;

    for (size_t i = 0; i < list.n; ++i) {
        const netlist_arc *arc = &list.arc[i];
        const double x = arc->weight - w.mean;

        wd += x * (arc->delay * list.job->dt - d.mean);
        ws += x * ((double)(arc->source - C) - (N_C - 1) / 2.0);
        wn += x * (arc->node - list.cable->n / 2.0);
    }
    ok(within(wd, 0, n * w.variance * d.variance) &&
           within(ws, 0, n * w.variance * N_C * N_C / 12.0) &&
           within(wn, 0, n * w.variance * pow(list.cable->n / 2.0, 2)),
       "weights know nothing of delays, sources and places");
    netlist_clear(&list);
}

int main(void)
{
    test_places();
    test_one_place();
    test_boxes();
    test_given_positions();
    test_draws();
    test_limits();
    test_by_distance();
    test_independent();
    return done_testing();
}
