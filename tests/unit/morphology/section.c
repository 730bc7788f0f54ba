/* Sections: Import3d's rules one by one, then on published morphologies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/section.h"
#include "tests/lib/cable_file.h"
#include "tests/lib/shared.h"
#include "tests/lib/tap.h"
#include "tests/lib/tsv.h"

/* Sections are written "name parent(x) points length", their parts joined by
 * "; ".  A soma of radius 5 and a stem of two samples begin most cases. */
#define SOMA "1 1 0 0 0 5 -1\n"
#define BALL "soma[0] - 3 10; "
#define STEM "2 3 0 8 0 1.5 1\n3 3 0 20 0 1 2\n"
#define CHAIN "1 1 0 0 0 5 -1\n2 1 4 0 0 6 1\n3 1 9 0 0 4 2\n"

static const struct {
    const char *name, *text, *want;
    int repairs;
} cases[] = {
    {"a soma of one sample is a cylinder of length = diameter", SOMA,
     "soma[0] - 3 10", 0},
    {"a neuron of one other sample is one too", "1 3 0 0 0 2 -1\n",
     "dend[0] - 3 4", 0},
    {"a stem hangs on the soma's middle and does not begin there", SOMA STEM,
     BALL "dend[0] soma[0](0.5) 2 12", 0},
    {"a stem of one sample begins at the soma's centre",
     SOMA "2 2 0 8 0 1.5 1\n", BALL "axon[0] soma[0](0.5) 2 8", 0},
    {"a branch begins at its parent's last sample",
     SOMA STEM "4 3 3 20 0 1 3\n5 3 0 25 0 1 3\n",
     BALL "dend[0] soma[0](0.5) 2 12; dend[1] dend[0](1) 2 3; "
          "dend[2] dend[0](1) 2 5",
     0},
    {"a 3-point soma is a cylinder",
     SOMA "2 1 0 5 0 5 1\n3 1 0 -5 0 5 1\n4 3 0 8 0 1 1\n5 3 0 9 0 1 4\n",
     BALL "dend[0] soma[0](0.5) 2 1", 0},
    {"a 3-point soma is one wherever its lines are",
     SOMA "2 1 0 5 0 5 1\n4 3 0 8 0 1 1\n5 3 0 9 0 1 4\n3 1 0 -5 0 5 1\n",
     BALL "dend[0] soma[0](0.5) 2 1", 0},
    {"a 3-point soma of unequal radii is two sections",
     SOMA "2 1 0 5 0 5 1\n3 1 0 -5 0 4 1\n4 3 0 8 0 1 1\n5 3 0 9 0 1 4\n",
     "soma[0] - 2 5; soma[1] soma[0](0) 2 5; dend[0] soma[0](0) 2 1", 0},
    {"a 3-point soma of another length is two sections",
     SOMA "2 1 0 5.2 0 5 1\n3 1 0 -5 0 5 1\n",
     "soma[0] - 2 5.2; soma[1] soma[0](0) 2 5", 0},
    {"a 3-point soma has no fourth sample elsewhere",
     SOMA "2 1 0 5 0 5 1\n3 1 0 -5 0 5 1\n4 3 0 8 0 1 1\n5 1 0 9 0 1 4\n",
     "soma[0] - 2 5; soma[1] soma[0](0) 2 5; dend[0] soma[0](0) 2 8; "
     "soma[2] dend[0](1) 2 1",
     0},
    {"a chain of soma samples is a section", CHAIN, "soma[0] - 3 9", 0},
    {"a stem at a soma's first sample hangs on x = 0",
     CHAIN "4 3 0 8 0 1 1\n5 3 0 20 0 1 4\n",
     "soma[0] - 3 9; dend[0] soma[0](0) 3 20", 0},
    {"a stem inside a soma hangs on its middle, by wire",
     CHAIN "4 3 4 8 0 1 2\n5 3 4 20 0 1 4\n",
     "soma[0] - 3 9; dend[0] soma[0](0.5) 2 12", 0},
    {"a stem at a soma's last sample hangs on x = 1",
     CHAIN "4 3 9 8 0 1 3\n5 3 9 20 0 1 4\n",
     "soma[0] - 3 9; dend[0] soma[0](1) 3 20", 0},
    {"a soma that forks later has three sections",
     CHAIN "4 1 9 1 0 1 3\n5 1 9 -2 0 1 3\n6 3 9 8 0 1 3\n7 3 9 9 0 1 6\n",
     "soma[0] - 3 9; soma[1] soma[0](1) 2 1; soma[2] soma[0](1) 2 2; "
     "dend[0] soma[0](1) 2 1",
     0},
    {"a neuron may have no soma",
     "1 3 0 0 0 1 -1\n2 3 4 0 0 1 1\n3 3 4 1 0 1 2\n4 3 4 -2 0 1 2\n",
     "dend[0] - 2 4; dend[1] dend[0](1) 2 1; dend[2] dend[0](1) 2 2", 0},
    {"the first sample of a neuron without soma may fork",
     "1 3 0 0 0 1 -1\n2 3 4 0 0 1 1\n3 3 0 2 0 1 1\n",
     "dend[0] - 2 4; dend[1] dend[0](0) 2 2", 0},
    {"where it forks into other types it is a cylinder",
     "1 3 0 0 0 1 -1\n2 3 4 0 0 1 1\n3 2 0 2 0 1 1\n",
     "dend[0] - 3 2; dend[1] dend[0](0) 2 4; axon[0] dend[0](0) 2 2", 0},
    {"the first sample of a stem may fork",
     SOMA STEM "4 4 0 -8 0 1 1\n5 4 0 -9 0 1 4\n6 4 3 -8 0 1 4\n",
     BALL "dend[0] soma[0](0.5) 2 12; apic[0] soma[0](0.5) 2 1; "
          "apic[1] apic[0](0) 2 3",
     0},
    {"it goes on into the first child of its own type",
     SOMA STEM "4 4 0 -8 0 1 1\n5 2 0 -9 0 1 4\n6 4 3 -8 0 1 4\n",
     BALL "dend[0] soma[0](0.5) 2 12; apic[0] soma[0](0.5) 2 3; "
          "axon[0] apic[0](0) 2 1",
     0},
    {"it does not go on if its last child has another type",
     SOMA STEM "4 4 0 -8 0 1 1\n5 4 0 -9 0 1 4\n6 2 3 -8 0 1 4\n",
     BALL "dend[0] soma[0](0.5) 2 12; apic[0] soma[0](0.5) 2 8; "
          "apic[1] apic[0](1) 2 1; axon[0] apic[0](0) 2 3",
     0},
    {"it does not fork on the second line of the file",
     SOMA "4 4 0 -8 0 1 1\n5 4 0 -9 0 1 4\n6 4 3 -8 0 1 4\n",
     BALL "apic[0] soma[0](0.5) 2 8; apic[1] apic[0](1) 2 1; "
          "apic[2] apic[0](1) 2 3",
     0},
    {"a soma may hang on a neurite",
     "1 2 0 0 0 1 -1\n2 2 4 0 0 1 1\n3 1 9 0 0 5 2\n4 3 9 8 0 1 3\n",
     "axon[0] - 2 4; soma[0] axon[0](1) 2 5; dend[0] soma[0](1) 2 8", 0},
    {"a neuron may have somata at both ends", SOMA STEM "4 1 0 29 0 6 3\n",
     BALL "dend[0] soma[0](0.5) 2 12; soma[1] dend[0](1) 2 9", 0},
    {"a new type starts a new section", SOMA STEM "4 2 0 29 0 1 3\n",
     BALL "dend[0] soma[0](0.5) 2 12; axon[0] dend[0](1) 2 9", 0},
    {"type codes beyond 4 are custom",
     SOMA "2 5 0 8 0 1 1\n3 5 0 9 0 1 2\n4 77 0 10 0 1 3\n5 0 0 15 0 1 4\n",
     BALL "custom[0] soma[0](0.5) 2 1; custom[1] custom[0](1) 2 1; "
          "custom[2] custom[1](1) 2 5",
     0},
    {"lines of different branches may be mixed",
     SOMA "3 3 0 8 0 1 1\n2 2 0 -8 0 1 1\n5 3 0 9 0 1 3\n4 2 0 -9 0 1 2\n",
     BALL "dend[0] soma[0](0.5) 2 1; axon[0] soma[0](0.5) 2 1", 0},
    {"a section without length is dropped, its branches move up",
     SOMA "2 2 0 0 0 1 1\n3 3 0 7 0 1 2\n4 3 0 9 0 1 3\n",
     BALL "dend[0] soma[0](0.5) 3 9", 1},
    {"a tenth of a picometre is no length",
     SOMA STEM "4 2 0 20.0000001 0 1 3\n", BALL "dend[0] soma[0](0.5) 2 12", 1},
    {"equal points inside a section stay",
     SOMA STEM "4 3 0 20 0 3 3\n5 3 0 21 0 3 4\n",
     BALL "dend[0] soma[0](0.5) 4 13", 0},
    {"a root section without length is a cylinder",
     SOMA "2 1 0 0 0 4 1\n3 3 0 8 0 1 2\n4 3 0 9 0 1 3\n",
     BALL "dend[0] soma[0](0.5) 2 1", 1},
    {"a separate neurite attaches to the soma's middle",
     SOMA "2 3 0 8 0 1 -1\n3 3 0 20 0 1 2\n", BALL "dend[0] soma[0](0.5) 2 12",
     1},
    {"a separate sample stays apart", SOMA "2 3 0 8 0 1 -1\n",
     BALL "dend[0] - 3 2", 1},
    {"a second soma stays apart",
     SOMA "2 1 0 80 0 4 -1\n3 3 0 90 0 1 2\n4 3 0 91 0 1 3\n",
     BALL "soma[1] - 3 8; dend[0] soma[1](0.5) 2 1", 1},
    {"a second soma of several samples too",
     SOMA "2 1 0 80 0 4 -1\n3 1 0 87 0 4 2\n", BALL "soma[1] - 2 7", 1},
    {"parts without any soma stay apart",
     "1 3 0 0 0 1 -1\n2 3 4 0 0 1 1\n3 2 9 0 0 1 -1\n4 2 9 1 0 1 3\n",
     "dend[0] - 2 4; axon[0] - 2 1", 1},
    {"the soma comes first, even if its line does not",
     "1 3 0 8 0 1 -1\n2 3 0 9 0 1 1\n3 1 0 0 0 5 -1\n",
     BALL "dend[0] soma[0](0.5) 2 1", 1},
};

static bosc_status make(const char *text, bosc_swc **swc, bosc_sections **out,
                        bosc_error *err)
{
    const bosc_status st =
        bosc_swc_parse(text, strlen(text), "t", false, swc, err);

    return st != BOSC_OK ? st : bosc_sections_create(*swc, out, err);
}

/* Add one section to the text in the form of the cases. */
static void describe(const bosc_sections *all, int32_t s, char *to, size_t room)
{
    const bosc_section *sec = &all->section[s];
    size_t n = strlen(to);

    n += (size_t)snprintf(to + n, room - n, "%s%s[%d] ", s > 0 ? "; " : "",
                          bosc_region_prefixes[sec->region], sec->number);
    if (sec->parent < 0)
        n += (size_t)snprintf(to + n, room - n, "-");
    else
        n += (size_t)snprintf(
            to + n, room - n, "%s[%d](%g)",
            bosc_region_prefixes[all->section[sec->parent].region],
            all->section[sec->parent].number, sec->parent_x);
    snprintf(to + n, room - n, " %d %g", sec->n_points, sec->length);
}

static void test_rules(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_swc *swc = NULL;
        bosc_sections *all = NULL;
        bosc_error err = {""};
        char got[512] = "";

        if (make(cases[i].text, &swc, &all, &err) == BOSC_OK)
            for (int32_t s = 0; s < all->n; ++s)
                describe(all, s, got, sizeof got);
        if (!ok(strcmp(got, cases[i].want) == 0 && swc != NULL &&
                    swc->repairs.n == cases[i].repairs,
                "%s", cases[i].name)) {
            diag("want %s", cases[i].want);
            diag("got  %s %s", got, err.text);
        }
        bosc_sections_destroy(all);
        bosc_swc_destroy(swc);
    }
}

static const struct {
    const char *name, *text;
    int32_t section, point;
    float xyz[3], diam;
} points[] = {
    {"the cylinder of a soma lies along x", SOMA, 0, 0, {-5, 0, 0}, 10},
    {"with the soma's sample in its middle", SOMA, 0, 1, {0, 0, 0}, 10},
    {"and both ends one radius away", SOMA, 0, 2, {5, 0, 0}, 10},
    {"a stem's first point is its own first sample",
     SOMA STEM,
     1,
     0,
     {0, 8, 0},
     3},
    {"a stem that begins at the soma has its own diameter there",
     SOMA "2 2 0 8 0 1.5 1\n",
     1,
     0,
     {0, 0, 0},
     3},
    {"a stem at a soma's end has its own diameter there",
     CHAIN "4 3 9 8 0 1 3\n5 3 9 20 0 1 4\n",
     1,
     0,
     {9, 0, 0},
     2},
    {"a branch begins with its parent's diameter",
     SOMA STEM "4 2 3 20 0 0.25 3\n",
     2,
     0,
     {0, 20, 0},
     2},
    {"a soma below a neurite begins with the neurite's diameter",
     SOMA STEM "4 1 0 29 0 6 3\n",
     2,
     0,
     {0, 20, 0},
     2},
};

static void test_points(void)
{
    for (size_t i = 0; i < BOSC_LEN(points); ++i) {
        bosc_swc *swc = NULL;
        bosc_sections *all = NULL;
        bool same = false;

        if (make(points[i].text, &swc, &all, NULL) == BOSC_OK) {
            const int32_t k =
                all->section[points[i].section].first_point + points[i].point;

            same = memcmp(all->xyz + 3 * k, points[i].xyz,
                          sizeof points[i].xyz) == 0 &&
                   all->diam[k] == points[i].diam;
        }
        ok(same, "%s", points[i].name);
        bosc_sections_destroy(all);
        bosc_swc_destroy(swc);
    }
}

static void test_repairs(void)
{
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;
    bosc_error err;

    ok(make(SOMA "2 3 0 0 0 1 1\n", &swc, &all, &err) == BOSC_OK &&
           swc->repairs.n == 1 &&
           strcmp(swc->repairs.text[0],
                  "t:2: section without length, dropped; its branches hang on "
                  "its parent") == 0,
       "a repair names file and line");
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
}

/* Any depth and any number of branches, in time in proportion. */
static void test_size(const char *name, bool chain)
{
    enum { N = 400000 };
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;
    int32_t sections = 0;

    if (make(SOMA "2 3 0 8 0 1 1\n", &swc, &all, NULL) == BOSC_OK) {
        bosc_swc big = *swc;

        bosc_sections_destroy(all);
        all = NULL;
        big.n = N;
        big.parent = bosc_alloc(N, sizeof *big.parent);
        big.type = bosc_alloc(N, sizeof *big.type);
        big.line = bosc_alloc(N, sizeof *big.line);
        big.xyz = bosc_alloc(3 * (size_t)N, sizeof *big.xyz);
        big.radius = bosc_alloc(N, sizeof *big.radius);
        for (int32_t i = 0; i < N; ++i) {
            big.parent[i] = chain ? i - 1 : i == 0 ? -1 : 0;
            big.type[i] = i == 0 ? 1 : 2 + i % 2;
            big.xyz[3 * i] = i;
            big.radius[i] = 1;
        }
        if (bosc_sections_create(&big, &all, NULL) == BOSC_OK)
            sections = all->n;
        free(big.parent);
        free(big.type);
        free(big.line);
        free(big.xyz);
        free(big.radius);
    }
    ok(sections == N, "%s", name);
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
}

/* ---- NEURON's own sections ---- */

static const char *const references[][2] = {
    {"c6a_swc100", "syn100.swc"},
    {"c6b_swc400", "syn400.swc"},
    {"c6c_allen_pvalb", "Pvalb_469628681_m.swc"}};

/* Points are NEURON's own floats; only sums may differ in their last digits. */
static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-13 * fmax(fabs(b), 1);
}

static bool is_named(const bosc_section *sec, const char *name)
{
    char text[32];

    snprintf(text, sizeof text, "%s[%d]", bosc_region_prefixes[sec->region],
             sec->number);
    return strcmp(text, name) == 0;
}

/* Our section for each row; the rows' names say which. */
static bool match(const bosc_sections *all, const tsv *rows, int32_t *ours)
{
    for (size_t i = 0; i < rows->n; ++i) {
        const char *name = tsv_text(rows, i, tsv_column(rows, "name"));

        ours[i] = 0;
        while (ours[i] < all->n && !is_named(&all->section[ours[i]], name))
            ++ours[i];
        if (ours[i] == all->n)
            return false;
    }
    return rows->n == (size_t)all->n;
}

static int count_other_sections(const bosc_sections *all, const tsv *rows,
                                const int32_t *ours)
{
    int wrong = 0;

    for (size_t i = 0; i < rows->n; ++i) {
        const bosc_section *sec = &all->section[ours[i]];
        const int p = (int)tsv_number(rows, i, tsv_column(rows, "parent"));

        wrong +=
            sec->parent != (p < 0 ? -1 : ours[p]) ||
            sec->parent_x !=
                tsv_number(rows, i, tsv_column(rows, "parent_x")) ||
            sec->n_points !=
                (int)tsv_number(rows, i, tsv_column(rows, "n3d")) ||
            !near(sec->length, tsv_number(rows, i, tsv_column(rows, "L_um")));
    }
    return wrong;
}

/* The rows of pt3d.tsv are in the order of their sections. */
static int count_other_points(const bosc_sections *all, const tsv *rows,
                              const int32_t *ours)
{
    int wrong = 0;
    long before = -1;
    int32_t k = 0;

    for (size_t i = 0; i < rows->n; ++i) {
        const long s = (long)tsv_number(rows, i, 0);

        k = s == before ? k + 1 : all->section[ours[s]].first_point;
        before = s;
        for (size_t j = 0; j < 3; ++j)
            wrong +=
                !near(all->xyz[3 * (size_t)k + j], tsv_number(rows, i, 1 + j));
        wrong += !near(all->diam[k], tsv_number(rows, i, 4)) ||
                 !near(all->arc[k], tsv_number(rows, i, 5));
    }
    return wrong + (rows->n != (size_t)all->n_points);
}

static void test_reference(const char *folder, const char *swc_path,
                           const char *name)
{
    tsv sections, pt3d = {0};
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;
    bosc_error err = {"no such section"};
    int wrong = -1;

    if (!tsv_read(folder, "sections.tsv", &sections)) {
        skip("%s: recorded NEURON sections are not at hand", name);
        return;
    }
    int32_t *ours = bosc_alloc(sections.n, sizeof *ours);

    if (tsv_read(folder, "pt3d.tsv", &pt3d) && ours != NULL &&
        swc_file_read(swc_path, true, &swc, &err) == BOSC_OK &&
        bosc_sections_create(swc, &all, &err) == BOSC_OK &&
        match(all, &sections, ours))
        wrong = count_other_sections(all, &sections, ours) +
                count_other_points(all, &pt3d, ours);
    if (!ok(wrong == 0, "%s has NEURON's sections and points", name))
        diag("%d differ: %s", wrong, err.text);
    free(ours);
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
    tsv_clear(&pt3d);
    tsv_clear(&sections);
}

/* ---- every published file ---- */

static int compare_points(const void *a, const void *b)
{
    const float *x = a, *y = b;

    for (int k = 0; k < 3; ++k)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Samples whose place is no point of a section.  Sorts the points. */
static int count_lost(const bosc_swc *swc, bosc_sections *all)
{
    const size_t size = 3 * sizeof *all->xyz;
    int lost = 0;

    qsort(all->xyz, (size_t)all->n_points, size, compare_points);
    for (int32_t i = 0; i < swc->n; ++i) {
        const double *at = swc->xyz + 3 * (ptrdiff_t)i;
        const float point[] = {(float)at[0], (float)at[1], (float)at[2]};

        lost += bsearch(point, all->xyz, (size_t)all->n_points, size,
                        compare_points) == NULL;
    }
    return lost;
}

static bool is_sound(const bosc_sections *all, int32_t s)
{
    const bosc_section *sec = &all->section[s];
    const int32_t end = sec->first_point + sec->n_points;

    if (sec->parent >= s || (s == 0 && sec->parent != -1) ||
        sec->n_points < 2 || end > all->n_points || !(sec->length > 0) ||
        all->arc[sec->first_point] != 0 || all->arc[end - 1] != sec->length)
        return false;
    for (int32_t k = sec->first_point; k < end; ++k)
        if (!(all->diam[k] > 0) ||
            (k > sec->first_point && all->arc[k] < all->arc[k - 1]))
            return false;
    return sec->parent < 0 ? sec->level == 0 && sec->parent_x == 0
                           : sec->level == all->section[sec->parent].level + 1;
}

static bool file_is_sound(const char *path, const char **why)
{
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;
    bool sound = true;

    if (swc_file_read(path, false, &swc, NULL) != BOSC_OK)
        return true; /* refused: another test says why */
    *why = "refused";
    if (bosc_sections_create(swc, &all, NULL) != BOSC_OK)
        sound = false;
    for (int32_t s = 0; sound && s < all->n; ++s)
        sound = is_sound(all, s);
    if (sound) {
        /* Only the sides of a 3-point soma, and those of dropped sections. */
        const int allowed =
            swc->repairs.n + (all->section[0].n_points == 3 ? 2 : 0);

        *why = "lost samples";
        sound = count_lost(swc, all) <= allowed;
    }
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
    return sound;
}

static void test_folder(const char *name)
{
    char *folder = shared_folder(name);
    tsv index;
    int wrong = 0;

    if (folder == NULL || !tsv_read(folder, "INDEX.tsv", &index)) {
        skip("%s morphologies are not at hand",
             strstr(name, "bad") != NULL ? "malformed" : "published");
        free(folder);
        return;
    }
    for (size_t i = 0; i < index.n; ++i) {
        char *path = bosc_format("%s/%s", folder, tsv_text(&index, i, 0));
        const char *why = "";

        if (path == NULL || !file_is_sound(path, &why)) {
            diag("%s: %s", tsv_text(&index, i, 0), why);
            ++wrong;
        }
        free(path);
    }
    ok(index.n > 0 && wrong == 0,
       "the sections of %zu files in %s are sound and have all samples",
       index.n, name);
    tsv_clear(&index);
    free(folder);
}

int main(void)
{
    char *reference = shared_folder("reference");

    test_rules();
    test_points();
    test_repairs();
    test_size("a chain of sections may be 400,000 deep", true);
    test_size("a soma may have 400,000 stems", false);
    for (size_t i = 0; reference != NULL && i < BOSC_LEN(references); ++i) {
        char *folder = bosc_format("%s/%s", reference, references[i][0]);
        char *swc = bosc_format("%s/swc/%s", reference, references[i][1]);

        if (folder != NULL && swc != NULL)
            test_reference(folder, swc, references[i][0]);
        free(folder);
        free(swc);
    }
    free(reference);
    test_folder("morphologies-real");
    test_folder("morphologies-bad");
    return done_testing();
}
