/* Templates: closed forms, policies, refusals, places, packing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "tests/lib/tap.h"

static const double PI = 3.14159265358979323846;

#define SOMA "1 1 0 0 0 5 -1\n"

/* A neuron of SWC lines.  NULL when it is refused. */
static bosc_cable *make(const char *text, const bosc_cable_spec *spec,
                        bosc_error *err)
{
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;
    bosc_cable *cable = NULL;

    if (bosc_swc_parse(text, strlen(text), "t", false, &swc, err) == BOSC_OK &&
        bosc_sections_create(swc, &all, err) == BOSC_OK)
        bosc_cable_create(all, spec, "t", &cable, err);
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
    return cable;
}

static bosc_cable_spec by_section(int32_t n)
{
    bosc_cable_spec spec = bosc_cable_defaults();

    spec.policy = BOSC_PER_SECTION;
    spec.per_section = n;
    return spec;
}

static void test_types(void)
{
    const bosc_cable_spec spec = by_section(1);
    bosc_cable *cable =
        make(SOMA "2 4 0 9 0 1 1\n3 7 0 19 0 1 2\n", &spec, NULL);

    ok(cable != NULL && cable->n_sections == 3 &&
           cable->sections[0].type == 1 && cable->sections[1].type == 4 &&
           cable->sections[2].type == 7 &&
           cable->sections[2].region == BOSC_CUSTOM,
       "sections keep the type codes of the file");
    bosc_cable_destroy(cable);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-13 * fabs(b);
}

/* ---- closed forms ---- */

/* Cone of diameters d1, d2 and length l. */
static double side(double d1, double d2, double l)
{
    return PI / 2 * (d1 + d2) * hypot(l, (d2 - d1) / 2);
}

static double ri(double Ra, double d1, double d2, double l)
{
    return 1e-2 * Ra * 4 * l / (PI * d1 * d2);
}

static void test_cylinder(void)
{
    const bosc_cable_spec spec = by_section(4);
    bosc_cable *c =
        make("1 3 0 0 0 1.25 -1\n2 3 0 200 0 1.25 1\n", &spec, NULL);
    const double whole = ri(35.4, 2.5, 2.5, 50);
    bool same = c != NULL && c->n == 6 && c->area[0] == 0 && c->area[5] == 0 &&
                near(c->g_axial[1], 2 / whole) && c->g_axial[0] == 0 &&
                near(c->g_axial[5], 2 / whole);

    for (int k = 1; same && k <= 4; ++k)
        same = near(c->area[k], PI * 2.5 * 50) &&
               (k == 1 || near(c->g_axial[k], 1 / whole));
    ok(same, "a cylinder has the areas and resistances of cylinders");
    ok(same && near(c->area_total, PI * 2.5 * 200) &&
           near(c->sections[0].length, 200),
       "and their sum is its own");
    bosc_cable_destroy(c);
}

static void test_cone(void)
{
    const bosc_cable_spec spec = by_section(2);
    bosc_cable *c = make("1 3 0 0 0 4 -1\n2 3 0 0 80 1 1\n", &spec, NULL);

    /* Diameters 8, 6.5, 5, 3.5, 2 at the borders of the half compartments. */
    ok(c != NULL && c->n == 4 && near(c->area[1], side(8, 5, 40)) &&
           near(c->area[2], side(5, 2, 40)) &&
           near(c->g_axial[1], 1 / ri(35.4, 8, 6.5, 20)) &&
           near(c->g_axial[2],
                1 / (ri(35.4, 6.5, 5, 20) + ri(35.4, 5, 3.5, 20))) &&
           near(c->g_axial[3], 1 / ri(35.4, 3.5, 2, 20)),
       "a cone has the areas and resistances of cones");
    bosc_cable_destroy(c);
}

static void test_step(void)
{
    const bosc_cable_spec spec = by_section(1);
    bosc_cable *c = make("1 3 0 0 0 1 -1\n2 3 10 0 0 1 1\n3 3 10 0 0 3 2\n"
                         "4 3 14 0 0 3 3\n",
                         &spec, NULL);

    ok(c != NULL && near(c->area[1], PI * (2 * 10 + 6 * 4 + (9 - 1))),
       "a step in diameter adds a ring");
    ok(c != NULL && near(c->g_axial[1], 1 / ri(35.4, 2, 2, 7)) &&
           near(c->g_axial[2], 1 / (ri(35.4, 2, 2, 3) + ri(35.4, 6, 6, 4))),
       "and no resistance");
    bosc_cable_destroy(c);
}

static void test_step_at_border(void)
{
    const bosc_cable_spec spec = by_section(2);
    bosc_cable *c = make("1 3 0 0 0 1 -1\n2 3 10 0 0 1 1\n3 3 10 0 0 3 2\n"
                         "4 3 20 0 0 3 3\n",
                         &spec, NULL);

    ok(c != NULL && near(c->area[1], PI * (2 * 10 + (9 - 1))) &&
           near(c->area[2], PI * 6 * 10),
       "a step between two compartments belongs to the first");
    bosc_cable_destroy(c);
}

/* Ball, stem, two branches: nodes 0 to 2 soma, 3 and 4 stem, then branches. */
static void test_tree(void)
{
    static const int32_t parent[] = {-1, 0, 1, 1, 3, 4, 5, 4, 7};
    bosc_cable_spec spec = by_section(1);

    spec.Ra[BOSC_SOMA] = 150;
    spec.Ra[BOSC_AXON] = 77;

    bosc_cable *c = make(SOMA "2 3 0 8 0 1.5 1\n3 3 0 20 0 1.5 2\n"
                              "4 2 3 20 0 0.5 3\n5 3 0 25 0 1.5 3\n",
                         &spec, NULL);

    ok(c != NULL && c->n == 9 &&
           memcmp(c->parent, parent, sizeof parent) == 0 && c->n_levels == 3 &&
           c->soma == 1,
       "ball, stem and branches are numbered depth first");
    ok(c != NULL && near(c->area[1], PI * 100) &&
           near(c->g_axial[1], 1 / ri(150, 10, 10, 5)) &&
           near(c->g_axial[2], 1 / ri(150, 10, 10, 5)),
       "a ball has the area of the sphere");
    ok(c != NULL && near(c->g_axial[3], 1 / ri(35.4, 3, 3, 6)) &&
           near(c->g_axial[4], 1 / ri(35.4, 3, 3, 6)),
       "a stem's resistance to the soma is its own first half's");
    ok(c != NULL && near(c->area[5], side(3, 1, 3)) &&
           near(c->g_axial[5], 1 / ri(77, 3, 2, 1.5)) &&
           near(c->g_axial[6], 1 / ri(77, 2, 1, 1.5)) &&
           near(c->g_axial[7], 1 / ri(35.4, 3, 3, 2.5)),
       "each region has its own Ra");
    bosc_cable_destroy(c);
}

/* ---- policies ---- */

static const struct {
    const char *name;
    bosc_policy policy;
    double d_lambda, max_length; /* 0: the default */
    int32_t per_section, want;   /* compartments of 100 um, 2 um thick */
} cuts[] = {
    {"d_lambda is 0.1 at 100 Hz by default", BOSC_D_LAMBDA, 0, 0, 0, 3},
    {"a smaller d_lambda makes more compartments", BOSC_D_LAMBDA, 0.01, 0, 0,
     15},
    {"a large d_lambda makes one", BOSC_D_LAMBDA, 2, 0, 0, 1},
    {"max_length makes the fewest that are short enough", BOSC_MAX_LENGTH, 0,
     20, 0, 5},
    {"an odd number", BOSC_MAX_LENGTH, 0, 25, 0, 5},
    {"and none longer", BOSC_MAX_LENGTH, 0, 33, 0, 5},
    {"max_length beyond the section makes one", BOSC_MAX_LENGTH, 0, 100.5, 0,
     1},
    {"per_section is taken as it is", BOSC_PER_SECTION, 0, 0, 4, 4},
    {"per_sample makes one for each frustum", BOSC_PER_SAMPLE, 0, 0, 0, 3},
};

static void test_policies(void)
{
    for (size_t i = 0; i < BOSC_LEN(cuts); ++i) {
        bosc_cable_spec spec = bosc_cable_defaults();

        spec.policy = cuts[i].policy;
        if (cuts[i].d_lambda > 0)
            spec.d_lambda = cuts[i].d_lambda;
        spec.max_length = cuts[i].max_length;
        spec.per_section = cuts[i].per_section;

        bosc_cable *c = make("1 3 0 0 0 1 -1\n2 3 0 30 0 1 1\n"
                             "3 3 0 60 0 1 2\n4 3 0 100 0 1 3\n",
                             &spec, NULL);

        if (!ok(c != NULL && c->sections[0].n == cuts[i].want &&
                    c->n == cuts[i].want + 2,
                "%s", cuts[i].name) &&
            c != NULL)
            diag("%d compartments", c->sections[0].n);
        bosc_cable_destroy(c);
    }
}

static void test_generated_count(void)
{
    static const float xyz[] = {0, 0, 0, 10, 0, 0};
    static const double diam[] = {1, 1};
    bosc_section section = {.parent = -1,
                            .region = BOSC_AXON,
                            .n_points = 2,
                            .n_compartments = 6,
                            .length = 10};
    double arc[] = {0, 10};
    const bosc_sections all = {.n = 1,
                               .n_points = 2,
                               .n_levels = 1,
                               .section = &section,
                               .xyz = (float *)xyz,
                               .diam = (double *)diam,
                               .arc = arc};
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *c = NULL;

    spec.policy = BOSC_PER_SAMPLE;
    ok(bosc_cable_create(&all, &spec, "t", &c, NULL) == BOSC_OK && c->n == 8,
       "per_sample makes as many as a generator asks for");
    bosc_cable_destroy(c);
}

/* ---- refusals ---- */

static const struct {
    const char *name, *text;
    bosc_policy policy;
    double d_lambda, max_length;
    int32_t per_section;
    double Ra;
    const char *says;
} refusals[] = {
    {"billions of compartments", SOMA, BOSC_MAX_LENGTH, 0, 1e-9, 0, 100,
     "1e+10 compartments in the first 1 of 1 sections; a neuron has at most "
     "134217728: choose a larger max_length"},
    {"more compartments than a number can count", SOMA, BOSC_D_LAMBDA, 1e-300,
     0, 0, 100, "choose a larger d_lambda"},
    {"compartments without length", SOMA, BOSC_MAX_LENGTH, 0, 0, 0, 100,
     "max_length is 0; it must be more than 0"},
    {"a d_lambda below zero", SOMA, BOSC_D_LAMBDA, -0.1, 0, 0, 100,
     "d_lambda is -0.1"},
    {"no compartments", SOMA, BOSC_PER_SECTION, 0, 0, 0, 100,
     "per_section is 0"},
    {"an Ra that is no number", SOMA, BOSC_PER_SECTION, 0, 0, 1, NAN,
     "Ra is nan"},
    {"numbers without a finite resistance",
     SOMA "2 2 0 8 0 1e-4 1\n3 2 0 9 0 1e-4 2\n", BOSC_PER_SECTION, 0, 0, 1,
     1e308, "axon[0] at x = 0.5: area 0.000628319 um2, axial conductance 0 uS"},
    {"an axial conductance below 1e-30 uS",
     SOMA "2 2 0 8 0 1e-4 1\n3 2 0 9 0 1e-4 2\n", BOSC_PER_SECTION, 0, 0, 1,
     1e28, "uS, where 1e-30 to 1e30 are possible; check its diameters and "},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < BOSC_LEN(refusals); ++i) {
        bosc_cable_spec spec = by_section(refusals[i].per_section);
        bosc_error err = {"made"};

        spec.policy = refusals[i].policy;
        spec.d_lambda = refusals[i].d_lambda;
        spec.max_length = refusals[i].max_length;
        spec.Ra[BOSC_AXON] = refusals[i].Ra;

        bosc_cable *c = make(refusals[i].text, &spec, &err);

        if (!ok(c == NULL && strncmp(err.text, "t: ", 3) == 0 &&
                    strstr(err.text, refusals[i].says) != NULL,
                "%s: refused with the reason", refusals[i].name))
            diag("%s", err.text);
        bosc_cable_destroy(c);
    }
}

/* ---- places ---- */

static void test_places(void)
{
    const bosc_cable_spec spec = by_section(3);
    bosc_cable *c = make(SOMA "2 3 0 8 0 1 1\n3 3 0 20 0 1 2\n"
                              "4 3 3 20 0 1 3\n5 3 0 25 0 1 3\n",
                         &spec, NULL);
    static const struct {
        bosc_region region;
        int32_t number;
        double x;
        int32_t node;
        double is; /* x of that node in its own section */
    } places[] = {
        {BOSC_SOMA, 0, 0, 0, 0},
        {BOSC_SOMA, 0, 0.5, 2, 0.5},
        {BOSC_SOMA, 0, 1, 4, 1},
        {BOSC_DENDRITE, 0, 0, 2, 0.5},
        {BOSC_DENDRITE, 0, 1e-9, 5, 0.5 / 3},
        {BOSC_DENDRITE, 0, 0.99, 7, 2.5 / 3},
        {BOSC_DENDRITE, 0, 1, 8, 1},
        {BOSC_DENDRITE, 1, 0, 8, 1},
        {BOSC_DENDRITE, 1, 0.5, 10, 0.5},
        {BOSC_DENDRITE, 2, 1, 16, 1},
    };
    int wrong = 0;

    for (size_t i = 0; c != NULL && i < BOSC_LEN(places); ++i) {
        const int32_t k =
            bosc_cable_node(c, places[i].region, places[i].number, places[i].x);

        if (k != places[i].node || !near(bosc_cable_x(c, k), places[i].is)) {
            diag("place %zu is node %d", i, k);
            ++wrong;
        }
    }
    ok(c != NULL && wrong == 0, "x = 0 is the host, x = 1 the end, else the "
                                "compartment that holds x");
    ok(c != NULL && bosc_cable_node(c, BOSC_DENDRITE, 3, 0.5) == -1 &&
           bosc_cable_node(c, BOSC_CUSTOM, 0, 0.5) == -1,
       "a section that is not there has no node");
    bosc_cable_destroy(c);
}

static void test_hosts(void)
{
    const bosc_cable_spec spec = by_section(1);
    bosc_cable *c = make(SOMA "2 2 9 0 0 1 1\n3 2 10 0 0 1 2\n"
                              "4 4 0 -8 0 1 1\n5 4 0 -9 0 1 4\n"
                              "6 4 3 -8 0 1 4\n",
                         &spec, NULL);
    const int32_t k = c == NULL ? -1 : bosc_cable_node(c, BOSC_APICAL, 1, 0.5);

    ok(k >= 0 && c->parent[k] == c->soma, "x = 0 of a stem is the soma's node");
    bosc_cable_destroy(c);

    c = make(SOMA "2 1 0 80 0 4 -1\n3 3 0 90 0 1 2\n4 3 0 91 0 1 3\n", &spec,
             NULL);

    const int32_t r = c == NULL ? -1 : bosc_cable_node(c, BOSC_SOMA, 1, 0);

    ok(r > 0 && c->parent[r] == 0 && c->g_axial[r] == 0 && c->area[r] == 0 &&
           c->section[r] == 1 && c->g_axial[r + 1] > 0,
       "a separate part hangs on node 0 without conductance");
    bosc_cable_destroy(c);

    c = make("1 3 0 0 0 1 -1\n2 3 9 0 0 1 1\n", &spec, NULL);
    ok(c != NULL && c->soma == 1,
       "without a soma the middle of the root section stands for it");
    bosc_cable_destroy(c);
}

static void test_packing(void)
{
    const bosc_cable_spec spec = by_section(3);
    bosc_cable *c = make(SOMA "2 3 0 8 0 1 1\n3 3 0 20 0 1 2\n", &spec, NULL);
    const size_t size = c == NULL ? 0 : bosc_cable_packed_size(c);
    char *bytes = bosc_alloc(2 * size + 1, 1);
    bosc_cable *copy = NULL;

    if (c != NULL && bytes != NULL) {
        bosc_cable_pack(c, bytes + 1); /* messages are not aligned */
        ok(bosc_cable_unpack(bytes + 1, &copy, NULL) == BOSC_OK &&
               copy->n == c->n && copy->soma == c->soma &&
               copy->area_total == c->area_total &&
               memcmp(copy->g_axial, c->g_axial,
                      (size_t)c->n * sizeof *c->g_axial) == 0,
           "a packed template is the same unpacked");
        bosc_cable_pack(copy, bytes + 1 + size);
        ok(memcmp(bytes + 1, bytes + 1 + size, size) == 0,
           "equal templates have equal bytes");
    }
    free(bytes);
    bosc_cable_destroy(copy);
    bosc_cable_destroy(c);
}

int main(void)
{
    test_types();
    test_cylinder();
    test_cone();
    test_step();
    test_step_at_border();
    test_tree();
    test_policies();
    test_generated_count();
    test_refusals();
    test_places();
    test_hosts();
    test_packing();
    return done_testing();
}
