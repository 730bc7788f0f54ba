/* edit.c - what is done to the sections of a file before they are cut.
 *
 * The numbers of rules were recorded from NEURON 9.0.2, in which the published
 * code ran: AllenSDK 2.16.2, BMTK 1.2.0, BluePyOpt 1.14.26 (bbp_v5 is its hoc),
 * EModelRunner 1.2.5 and BluePyEModel 1.0.50.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "src/morphology/sections/edit.h"
#include "tests/lib/tap.h"

/* The middle of axon[1] is 60.8 um from soma(0), 50.8 from soma(0.5); that of
 * axon[2] is farther than 60 from both. */
#define SOMA "1 1 0 0 0 5 -1\n2 1 0 10 0 6 1\n3 1 0 20 0 4 2\n"
#define AXON                                                                   \
    "4 2 0 30 0 1.5 3\n5 2 0 45 0 1 4\n6 2 6 60 0 0.8 5\n"                     \
    "7 2 10 75 0 0.5 6\n8 2 -10 60 0 0.6 5\n9 2 -40 80 0 0.4 8\n"
#define DENDRITES                                                              \
    "10 3 0 -10 0 2 1\n11 3 0 -50 0 1 10\n"                                    \
    "12 4 30 10 0 1.5 2\n13 4 90 10 0 1 12\n"

static const char *const whole = SOMA AXON DENDRITES;

/* Positions and areas of sections are kept in double, diameters in float. */
static bool near(double a, double b)
{
    return fabs(a - b) <= 2e-7 * fabs(b);
}

static bosc_cable_spec by_odd_per(double um)
{
    bosc_cable_spec spec = bosc_cable_defaults();

    spec.policy = BOSC_ODD_PER;
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        spec.odd_per[r] = um;
    return spec;
}

/* A neuron of SWC lines; NULL: refused, err tells why.  '*notes': how many
 * there are. */
static bosc_cable *make(const char *text, const bosc_cable_spec *spec,
                        int *notes, bosc_error *err)
{
    bosc_swc *swc = NULL;
    bosc_cable *cable = NULL;

    if (bosc_swc_parse(text, strlen(text), "t.swc", false, &swc, err) ==
        BOSC_OK)
        bosc_cable_cut(swc, spec, "t.swc", &cable, err);
    if (notes != NULL && swc != NULL)
        *notes = swc->repairs.n;
    bosc_swc_destroy(swc);
    return cable;
}

static double area_of(const bosc_cable *c, int32_t s)
{
    double area = 0;

    for (int32_t k = 0; k < c->sections[s].n; ++k)
        area += c->area[c->sections[s].first + k];
    return area;
}

/* --- rules --------------------------------------------------------------- */

/* What NEURON has: sections, segments and area of all; of the first two axon
 * sections where on the soma the first hangs, length, segments and diameters of
 * segments. */
static const struct recorded {
    bosc_axon_rule rule;
    int sections, segments;
    double area, parent_x, length;
    int n;
    double diameter[10];
} recorded[] = {
    {BOSC_AXON_REMOVE, 3, 7, 1641.707490630135, 0, 0, 0, {0}},
    {BOSC_AXON_STUB, 5, 9, 1830.2030498455224, 0.5, 30, 1, {1, 1}},
    {BOSC_AXON_ALLEN_PERISOMATIC, 5, 9, 1830.2030498455224, 0.5, 30, 1, {1, 1}},
    {BOSC_AXON_AIBS_PERISOMATIC, 5, 9, 1830.2030498455224, 0.5, 30, 1, {1, 1}},
    {BOSC_AXON_ALLEN_TRUNCATED,
     5,
     9,
     2042.7301029381356,
     1,
     30,
     1,
     {2.7, 1.5549820693628698}},
    {BOSC_AXON_AIBS_ALLACTIVE,
     5,
     9,
     2009.2738400883095,
     1,
     30,
     1,
     {2.7, 1.2000000476837158}},
    {BOSC_AXON_BLUEPYOPT,
     5,
     9,
     1999.8490567908148,
     1,
     30,
     1,
     {2.7, 1.100000038743019}},
    {BOSC_AXON_BBP_V5,
     5,
     9,
     2042.7301029381356,
     1,
     30,
     1,
     {2.7, 1.5549820693628698}},
    {BOSC_AXON_BBP_V6,
     6,
     22,
     5568.979416235334,
     1,
     30,
     5,
     {3, 3, 2.833333, 2.5, 2.166667, 1.921563, 1.764689, 1.598898, 1.36732,
      1.12244}},
    {BOSC_AXON_BBP_V6_NOMYELIN,
     5,
     17,
     2042.7301029381356,
     1,
     30,
     5,
     {3, 3, 2.833333, 2.5, 2.166667, 1.921563, 1.764689, 1.598898, 1.36732,
      1.12244}},
    {BOSC_AXON_THALAMUS,
     5,
     17,
     2042.7301029381356,
     1,
     30,
     5,
     {3, 3, 2.833333, 2.5, 2.166667, 1.921563, 1.764689, 1.598898, 1.36732,
      1.12244}},
};

static bool has_stub(const bosc_cable *c, const struct recorded *r)
{
    bool right = true;

    for (int32_t k = 0; k < 2; ++k) {
        const int32_t s = 3 + k;
        const bosc_cable_section *sec = &c->sections[s];

        right = right && sec->region == BOSC_AXON && sec->number == k &&
                sec->type == BOSC_SWC_AXON && sec->n == r->n &&
                sec->length == r->length &&
                sec->parent == (k > 0 ? s - 1 : 0) &&
                sec->parent_x == (k > 0 ? 1 : r->parent_x);
        for (int32_t i = 0; right && i < r->n; ++i)
            right = fabs(c->diameter[sec->first + i] -
                         r->diameter[k * r->n + i]) < 1e-6;
    }
    return right;
}

static void test_rule(const struct recorded *r)
{
    bosc_cable_spec spec = by_odd_per(40);
    bosc_error err = {.text = ""};
    bosc_cable *c;
    int segments = 0;

    spec.edit.axon.rule = r->rule;
    c = make(whole, &spec, NULL, &err);
    if (!ok(c != NULL && c->n_sections == r->sections &&
                near(c->area_total, r->area),
            "%s: sections and area of NEURON", bosc_axon_names[r->rule]))
        diag("%s, area %.15g", err.text, c != NULL ? c->area_total : 0);
    for (int32_t s = 0; c != NULL && s < c->n_sections; ++s)
        segments += c->sections[s].n;
    ok(segments == r->segments, "%s: compartments of NEURON",
       bosc_axon_names[r->rule]);
    if (r->n > 0)
        ok(c != NULL && has_stub(c, r), "%s: the new axon is NEURON's",
           bosc_axon_names[r->rule]);
    bosc_cable_destroy(c);
}

static void test_myelin(void)
{
    bosc_cable_spec spec = by_odd_per(40);
    char name[BOSC_SECTION_NAME] = "";
    bosc_cable *c;

    spec.edit.axon.rule = BOSC_AXON_BBP_V6;
    c = make(SOMA AXON DENDRITES "14 7 0 10 50 1 2\n15 7 0 10 60 1 14\n", &spec,
             NULL, NULL);

    const bosc_cable_section *m =
        c != NULL && c->n_sections == 7 ? &c->sections[6] : NULL;

    ok(m != NULL && m->region == BOSC_CUSTOM && m->type == BOSC_SWC_MYELIN &&
           m->length == 1000 && m->n == 5 && m->parent == 5 &&
           m->parent_x == 1 && fabs(c->diameter[m->first] - 1.12244) < 1e-6,
       "myelin is 1000 um behind axon[1], as thick as its last compartment");
    ok(m != NULL && m->number == 1 &&
           bosc_cable_node(c, BOSC_CUSTOM, 1, 0.5) == m->first + 2 &&
           bosc_cable_node(c, BOSC_CUSTOM, -1, 0.5) == m->first + 2 &&
           bosc_cable_node(c, BOSC_CUSTOM, -2, 0.5) < 0,
       "it is found as custom[1] and as myelin[0]");
    ok(m != NULL &&
           strcmp(bosc_cable_section_name(c, 6, name), "myelin[0]") == 0,
       "it is called myelin[0]");
    bosc_cable_destroy(c);
}

/* --- what rules refuse --------------------------------------------------- */

static void test_refused(void)
{
    static const struct {
        const char *text;
        bosc_axon_rule rule;
        const char *says;
    } refused[] = {
        {SOMA DENDRITES, BOSC_AXON_ALLEN_TRUNCATED,
         "number of axon sections is 0, axon rule 'allen_truncated' needs 1"},
        {SOMA DENDRITES, BOSC_AXON_AIBS_ALLACTIVE, "aibs_allactive' needs 1"},
        {SOMA DENDRITES, BOSC_AXON_THALAMUS, "thalamus' needs 1"},
        {SOMA "4 2 0 30 0 1.5 3\n5 2 0 145 0 1 4\n", BOSC_AXON_BBP_V6,
         "number of axon sections is 1, axon rule 'bbp_v6' needs 3"},
        {SOMA "4 2 0 30 0 1.5 3\n5 2 5 35 0 1 4\n6 2 -5 35 0 1 4\n"
              "7 2 -9 35 0 1 6\n8 2 -9 39 0 1 6\n",
         BOSC_AXON_BBP_V6_NOMYELIN, "gives 6 diameters in steps of 6 um"},
        {SOMA "4 2 0 25 0 1.5 3\n", BOSC_AXON_THALAMUS, "'thalamus' needs 2"},
        {"1 3 0 0 0 5 -1\n2 3 0 10 0 6 1\n", BOSC_AXON_STUB, "has no soma"},
        {"1 2 0 0 0 5 -1\n2 2 0 10 0 6 1\n", BOSC_AXON_REMOVE,
         "nothing but axon"},
    };

    for (size_t i = 0; i < BOSC_LEN(refused); ++i) {
        bosc_cable_spec spec = by_odd_per(40);
        bosc_error err = {.text = ""};
        bosc_cable *c;

        spec.edit.axon.rule = refused[i].rule;
        c = make(refused[i].text, &spec, NULL, &err);
        if (!ok(c == NULL && strncmp(err.text, "t.swc: ", 7) == 0 &&
                    strstr(err.text, refused[i].says) != NULL &&
                    strstr(err.text, refused[i].rule == BOSC_AXON_STUB ||
                                             refused[i].rule == BOSC_AXON_REMOVE
                                         ? "write "
                                         : "take another rule") != NULL,
                "refused with file and remedy: %s", refused[i].says))
            diag("%s", err.text);
        bosc_cable_destroy(c);
    }
}

/* --- what is given by hand ------------------------------------------------ */

static void test_given(void)
{
    bosc_cable_spec spec = by_odd_per(10);
    bosc_axon_spec *axon = &spec.edit.axon;
    bosc_cable *c;

    axon->rule = BOSC_AXON_GIVEN;
    axon->lengths = (bosc_number_list){2, {25, 40}};
    axon->diameters = (bosc_number_list){2, {2, 1}};
    axon->attach = BOSC_ATTACH_START;
    c = make(whole, &spec, NULL, NULL);
    ok(c != NULL && c->n_sections == 5 && c->sections[3].n == 5 &&
           c->sections[4].n == 9 && c->sections[3].parent_x == 0 &&
           near(area_of(c, 3), 3.14159265358979 * 50) &&
           near(area_of(c, 4), 3.14159265358979 * 40),
       "sections given by hand are cut by the policy");
    bosc_cable_destroy(c);

    axon->compartments = (bosc_number_list){2, {2, 3}};
    axon->attach = BOSC_ATTACH_FILE;
    c = make(whole, &spec, NULL, NULL);
    ok(c != NULL && c->sections[3].n == 2 && c->sections[4].n == 3 &&
           c->sections[3].parent_x == 1,
       "or as they say, and hang on soma(1)");
    bosc_cable_destroy(c);

    axon->diameters.n = 1;
    c = make(whole, &spec, NULL, NULL);
    ok(c == NULL, "one diameter for two lengths is refused");
    bosc_cable_destroy(c);
}

/* A dendrite on an axon is a part of its own, as in NEURON, and is noted. */
static void test_hanging(void)
{
    bosc_cable_spec spec = by_odd_per(40);
    int notes = 0;
    bosc_cable *c;

    spec.edit.axon.rule = BOSC_AXON_BLUEPYOPT;
    c = make(SOMA AXON "10 3 -50 90 0 1 9\n11 3 -60 90 0 1 10\n", &spec, &notes,
             NULL);
    ok(c != NULL && c->n_sections == 4 && c->sections[1].parent == -1 &&
           notes == 1,
       "what hangs on the axon is left unconnected, with a note");
    bosc_cable_destroy(c);
}

/* --- scale, attach, odd_per ---------------------------------------------- */

/* L and diameters times these in NEURON (pt3dchange, then L), all on soma(1),
 * nseg of the soma by 20. */
static void test_scale(void)
{
    static const struct {
        double length, area, distance;
        int n;
    } neuron[] = {
        {20, 736.2648914155749, 0, 3},
        {12.5, 116.80562036650767, 16.25, 1},
        {15.839834558831768, 85.16757805336654, 30.419917279415884, 1},
        {27.04163456597992, 112.20300092197297, 36.02081728298996, 1},
        {50, 553.0770941348514, 35, 3},
        {72, 622.0534938400277, 46, 3},
    };
    bosc_cable_spec spec = by_odd_per(40);
    bosc_cable *c;
    double *distance = NULL;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        spec.edit.diameter[r] = 1.1;
    spec.edit.length[BOSC_AXON] = 0.5;
    spec.edit.length[BOSC_APICAL] = 1.2;
    spec.edit.attach = BOSC_ATTACH_END;
    spec.odd_per[BOSC_SOMA] = 20;
    spec.points = true;
    c = make(whole, &spec, NULL, NULL);
    if (c != NULL)
        distance = malloc((size_t)c->n * sizeof *distance);
    ok(c != NULL && c->n_sections == 6 && distance != NULL &&
           bosc_path_distances(c, distance, NULL) == BOSC_OK,
       "a scaled neuron is cut");
    for (int32_t s = 0; distance != NULL && s < c->n_sections; ++s) {
        const bosc_cable_section *sec = &c->sections[s];

        ok(near(sec->length, neuron[s].length) &&
               near(area_of(c, s), neuron[s].area) && sec->n == neuron[s].n &&
               fabs(distance[sec->first + sec->n / 2] - neuron[s].distance) <
                   1e-5,
           "section %d: length, area, compartments, distance of NEURON",
           (int)s);
    }
    /* axon[0] begins at y = 20 and is half as long; axon[1] begins there */
    ok(c != NULL &&
           fabs(c->point[BOSC_CABLE_POINT * (c->sections[1].first + 1) + 1] -
                32.5f) < 1e-4f &&
           fabs(c->point[BOSC_CABLE_POINT * c->sections[2].first + 1] - 40.2f) <
               0.5f,
       "branches move along");
    free(distance);
    bosc_cable_destroy(c);

    spec.edit.length[BOSC_SOMA] = 0;
    c = make(whole, &spec, NULL, NULL);
    ok(c == NULL, "a factor of 0 is refused");
    bosc_cable_destroy(c);
}

static void test_same(void)
{
    bosc_cable_spec a = bosc_cable_defaults(), b = a;

    ok(bosc_edit_is_none(&a.edit) && bosc_edit_same(&a.edit, &b.edit),
       "by default nothing is edited");
    b.edit.axon.rule = BOSC_AXON_BBP_V6;
    ok(!bosc_edit_same(&a.edit, &b.edit), "rules differ");
    b = a;
    b.edit.length[BOSC_APICAL] = 2;
    ok(!bosc_edit_same(&a.edit, &b.edit), "scales differ");
    b = a;
    b.edit.attach = BOSC_ATTACH_END;
    ok(!bosc_edit_same(&a.edit, &b.edit), "places differ");
    a.edit.axon.lengths = (bosc_number_list){1, {30}};
    b = a;
    b.edit.axon.lengths.at[0] = 31;
    ok(!bosc_edit_same(&a.edit, &b.edit), "lengths differ");
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(recorded); ++i)
        test_rule(&recorded[i]);
    test_myelin();
    test_refused();
    test_given();
    test_hanging();
    test_scale();
    test_same();
    return done_testing();
}
