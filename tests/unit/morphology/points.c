/* points.c - where compartments are, and how thick. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "tests/lib/tap.h"

/* A neuron of SWC lines, every section cut into n; NULL: refused. */
static bosc_cable *make(const char *text, int32_t n, bool points)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_swc *swc = NULL;
    bosc_cable *cable = NULL;

    spec.policy = BOSC_PER_SECTION;
    spec.per_section = n;
    spec.points = points;
    if (bosc_swc_parse(text, strlen(text), "t", false, &swc, NULL) == BOSC_OK)
        bosc_cable_cut(swc, &spec, "t", &cable, NULL);
    bosc_swc_destroy(swc);
    return cable;
}

static bool is_at(const bosc_cable *c, int32_t node, double x, double y,
                  double z)
{
    const float *at = c->point + BOSC_CABLE_POINT * (size_t)node;
    const bool right = fabs(at[0] - x) < 1e-4 && fabs(at[1] - y) < 1e-4 &&
                       fabs(at[2] - z) < 1e-4;

    if (!right)
        diag("node %d: %g %g %g and not %g %g %g", (int)node, at[0], at[1],
             at[2], x, y, z);
    return right;
}

/* From x = 7.5 to 107.5, one thickness; samples are not where borders are. */
static void test_straight(void)
{
    bosc_cable *c = make("1 3 7.5 2.25 -1 1.5 -1\n2 3 20 2.25 -1 1.5 1\n"
                         "3 3 107.5 2.25 -1 1.5 2\n",
                         5, true);
    bool right = c != NULL && c->n == 7;

    for (int32_t i = 0; right && i < c->n; ++i)
        right = is_at(c, i, 7.5 + 100 * bosc_cable_x(c, i), 2.25, -1) &&
                fabs(c->diameter[i] - 3) < 1e-6;
    ok(right, "compartments of a straight cable are at their centres, its ends "
              "at x = 0 and 1, and all as thick as the cable");
    bosc_cable_destroy(c);
}

/* 30 um along x, a corner, 50 um along y; then a branch along z. */
static void test_bent(void)
{
    bosc_cable *c = make("1 3 0 0 0 1 -1\n2 3 30 0 0 1 1\n3 3 30 50 0 1 2\n"
                         "4 3 30 50 40 0.5 3\n5 4 90 50 0 1 3\n",
                         4, true);

    if (!ok(c != NULL && c->n_sections == 3 && c->n == 6 + 5 + 5,
            "a cable with a corner and two branches is made")) {
        bosc_cable_destroy(c);
        return;
    }
    ok(is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 0, 0.2), 10, 0, 0) &&
           is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 0, 0.4), 30, 0, 0) &&
           is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 0, 0.6), 30, 20, 0) &&
           is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 0, 0.9), 30, 40, 0) &&
           is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 0, 1), 30, 50, 0),
       "positions follow the path around a corner");
    ok(is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 1, 0.1), 30, 50, 5) &&
           is_at(c, bosc_cable_node(c, BOSC_DENDRITE, 1, 1), 30, 50, 40) &&
           is_at(c, bosc_cable_node(c, BOSC_APICAL, 0, 0.1), 37.5, 50, 0),
       "branches begin where their parent ends");

    const int32_t thick = bosc_cable_node(c, BOSC_DENDRITE, 1, 0.1);
    const int32_t thin = bosc_cable_node(c, BOSC_DENDRITE, 1, 0.9);

    ok(fabs(c->diameter[thick] - 1.875) < 1e-6 &&
           fabs(c->diameter[thin] - 1.125) < 1e-6 &&
           c->diameter[thin + 1] == c->diameter[thin],
       "a diameter is the mean along the compartment, an end's that of the "
       "compartment beside it");
    bosc_cable_destroy(c);
}

/* A soma of one sample is a cylinder along x. */
static void test_soma(void)
{
    bosc_cable *c = make("1 1 3 4 5 10 -1\n2 3 3 30 5 1 1\n", 1, true);

    ok(c != NULL && is_at(c, c->soma, 3, 4, 5) &&
           is_at(c, c->soma - 1, -7, 4, 5) && is_at(c, c->soma + 1, 13, 4, 5),
       "a soma of one sample is a cylinder around it");
    ok(c != NULL && fabs(c->diameter[c->soma] - 20) < 1e-6,
       "as thick as the sample says");
    bosc_cable_destroy(c);
}

static void test_packing(void)
{
    static const char text[] = "1 3 0 0 0 1 -1\n2 3 30 0 0 1 1\n";
    bosc_cable *c = make(text, 3, true), *bare = make(text, 3, false);
    bosc_cable *copy = NULL;
    char *bytes = bosc_alloc(c == NULL ? 1 : bosc_cable_packed_size(c), 1);

    ok(bare != NULL && bare->point == NULL &&
           bosc_cable_packed_size(bare) < bosc_cable_packed_size(c) &&
           memcmp(bare->area, c->area, (size_t)c->n * sizeof *c->area) == 0,
       "positions are kept where they are asked for only");
    bosc_cable_pack(c, bytes);
    ok(bosc_cable_unpack(bytes, &copy, NULL) == BOSC_OK &&
           memcmp(copy->point, c->point,
                  BOSC_CABLE_POINT * (size_t)c->n * sizeof *c->point) == 0,
       "and travel with the template");
    free(bytes);
    bosc_cable_destroy(copy);
    bosc_cable_destroy(bare);
    bosc_cable_destroy(c);
}

int main(void)
{
    test_straight();
    test_bent();
    test_soma();
    test_packing();
    return done_testing();
}
