/* path_distance.c - distances from the soma along the cable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "tests/lib/tap.h"

/* A neuron of SWC lines, every section cut into n; NULL: refused. */
static bosc_cable *make(const char *text, int32_t n)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;
    bosc_cable *cable = NULL;

    spec.policy = BOSC_PER_SECTION;
    spec.per_section = n;
    if (bosc_swc_parse(text, strlen(text), "t", false, &swc, NULL) == BOSC_OK &&
        bosc_sections_create(swc, &all, NULL) == BOSC_OK)
        bosc_cable_create(all, &spec, "t", &cable, NULL);
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
    return cable;
}

static double *distances(const bosc_cable *cable)
{
    double *distance = malloc((size_t)cable->n * sizeof *distance);

    if (bosc_path_distances(cable, distance, NULL) == BOSC_OK)
        return distance;
    free(distance);
    return NULL;
}

/* Every node of section s is where base + (x - x0) length says, up and down.
 */
static bool runs(const bosc_cable *c, const double *distance, int32_t s,
                 const double base_x0[2])
{
    bool right = true;

    for (int32_t i = 0; i < c->n; ++i) {
        const double along =
            fabs(bosc_cable_x(c, i) - base_x0[1]) * c->sections[s].length;

        if (c->section[i] != s || fabs(distance[i] - base_x0[0] - along) < 1e-9)
            continue;
        diag("node %d, x %g: %g", (int)i, bosc_cable_x(c, i), distance[i]);
        right = false;
    }
    return right;
}

static int32_t section_of(const bosc_cable *c, bosc_region region, int32_t n)
{
    return c->section[bosc_cable_node(c, region, n, 0.5)];
}

/* A soma of 20 um, a dendrite of 60 that forks into 30 and 50. */
static void test_fork(void)
{
    bosc_cable *c = make("1 1 0 0 0 5 -1\n2 1 20 0 0 5 1\n"
                         "3 3 50 0 0 1 2\n4 3 80 0 0 1 3\n"
                         "5 3 80 30 0 1 4\n6 3 80 -50 0 1 4\n",
                         5);
    double *d = c == NULL ? NULL : distances(c);

    if (!ok(d != NULL && c->n_sections == 4, "a cell like a Y is made")) {
        diag("%d sections", c == NULL ? 0 : (int)c->n_sections);
        return;
    }
    ok(d[c->soma] == 0 &&
           runs(c, d, c->section[c->soma], (const double[]){0, 0.5}),
       "the soma is at 0, its ends half its length away");
    ok(runs(c, d, section_of(c, BOSC_DENDRITE, 0), (const double[]){10, 0}),
       "its dendrite begins where the soma ends");
    ok(runs(c, d, section_of(c, BOSC_DENDRITE, 1), (const double[]){70, 0}) &&
           runs(c, d, section_of(c, BOSC_DENDRITE, 2), (const double[]){70, 0}),
       "both branches go on from its end");
    ok(fmax(d[bosc_cable_node(c, BOSC_DENDRITE, 1, 1)],
            d[bosc_cable_node(c, BOSC_DENDRITE, 2, 1)]) == 120,
       "the farthest tip is at the sum of the lengths");
    free(d);
    bosc_cable_destroy(c);
}

/* A dendrite of 40 um is the root; at its end a soma of 20 um and a branch of
 * 30; one of 25 behind the soma. */
static void test_soma_in_the_middle(void)
{
    bosc_cable *c = make("1 3 0 0 0 1 -1\n2 3 40 0 0 1 1\n"
                         "3 1 60 0 0 5 2\n"
                         "4 3 40 30 0 1 2\n5 4 85 0 0 1 3\n",
                         4);
    double *d = c == NULL ? NULL : distances(c);

    if (!ok(d != NULL && c->n_sections == 4 && c->sections[0].parent == -1 &&
                c->sections[0].region == BOSC_DENDRITE,
            "a cell with its root at the tip of a dendrite is made")) {
        diag("%d sections", c == NULL ? 0 : (int)c->n_sections);
        return;
    }
    ok(runs(c, d, c->section[c->soma],
            (const double[]){0, bosc_cable_x(c, c->soma)}),
       "distances count from its soma, both ways");

    const double up = bosc_cable_x(c, c->soma) * 20, down = 20 - up;

    ok(runs(c, d, 0, (const double[]){up, 1}),
       "the root is farther than where it meets the soma's branch");
    ok(runs(c, d, section_of(c, BOSC_DENDRITE, 1), (const double[]){up, 0}),
       "a sister of the soma begins there, too");
    ok(runs(c, d, section_of(c, BOSC_APICAL, 0), (const double[]){down, 0}),
       "what hangs on the soma begins at its other end");
    free(d);
    bosc_cable_destroy(c);
}

/* No soma, two roots. */
static void test_unconnected(void)
{
    bosc_cable *c = make("1 3 0 0 0 1 -1\n2 3 40 0 0 1 1\n3 2 40 9 0 1 2\n"
                         "4 3 500 0 0 1 -1\n5 3 530 0 0 1 4\n6 4 560 0 0 1 5\n",
                         3);
    double *d = c == NULL ? NULL : distances(c);
    int far = 0, all = 0;

    if (!ok(d != NULL && c->n_sections == 4, "a cell of two parts is made")) {
        diag("%d sections", c == NULL ? 0 : (int)c->n_sections);
        return;
    }
    ok(runs(c, d, 0, (const double[]){0, 0.5}) &&
           runs(c, d, section_of(c, BOSC_AXON, 0), (const double[]){20, 0}),
       "without a soma, distances count from the middle of the root section");
    for (int32_t i = 0; i < c->n; ++i) {
        const int32_t s = c->section[i];
        const bool apart = s == section_of(c, BOSC_DENDRITE, 1) ||
                           s == section_of(c, BOSC_APICAL, 0);

        all += apart;
        far += apart && isinf(d[i]);
    }
    ok(far == all && all >= 8, "what is not connected is infinitely far");
    free(d);
    bosc_cable_destroy(c);
}

int main(void)
{
    test_fork();
    test_soma_in_the_middle();
    test_unconnected();
    return done_testing();
}
