/* Neurolucida files: NEURON's sections, damage, any depth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/morphology.h"
#include "tests/lib/tap.h"

static const double PI = 3.14159265358979323846;

/* Outlines: a rhombus 8 long and 6 wide, one above it, one elsewhere. */
#define RHOMBUS                                                                \
    "(\"CellBody\" (Color Red) (CellBody) (-4 0 0 0) (0 -3 0 0) (4 0 0 0)"     \
    " (0 3 0 0))\n"
#define ABOVE "(\"CellBody\" (-3 0 2 0) (0 -2 2 0) (3 0 2 0) (0 2 2 0))\n"
#define THIRD "(\"Cell Body\" (-2 1 5 0) (0 -1 5 0) (2 0 5 0) (0 2 5 0))\n"
#define FAR "(\"Soma\" (20 20 1 0) (26 21 1 0) (27 27 1 0) (19 25 1 0))\n"
#define STEM "( (Color Blue) (Dendrite) (1 1 0 2) (1 11 0 1)"

/* What NEURON 9.0 makes of it: "name parent(x) points length area", joined by
 * "; ". */
static const struct {
    const char *name, *text, *want;
    int repairs;
} cases[] = {
    {"one outline is 21 circles along its long axis", RHOMBUS,
     "soma[0] - 21 7.29859 100.971", 0},
    {"a tree in its box hangs on the middle of the soma",
     RHOMBUS STEM " Normal)\n",
     "soma[0] - 21 7.29859 100.971; dend[0] soma[0](0.5) 2 10 47.1828", 0},
    {"a tree before the outline, too", STEM " Normal)\n" RHOMBUS,
     "soma[0] - 21 7.29859 100.971; dend[0] soma[0](0.5) 2 10 47.1828", 0},
    {"a tree outside hangs there, too, and is noted",
     RHOMBUS "( (Axon) (8 1 0 2) (9 11 0 1) )\n",
     "soma[0] - 21 7.29859 100.971; axon[0] soma[0](0.5) 2 10.0499 47.4175", 1},
    {"outlines that overlap are a circle each", RHOMBUS ABOVE THIRD STEM ")\n",
     "soma[0] - 3 5.06985 69.8337; dend[0] soma[0](0.5) 2 10 47.1828", 0},
    {"others are somata of their own",
     RHOMBUS FAR "( (Apical) (22 22 3 2) (30 30 3 1) )\n" STEM ")\n"
                 "( (Axon) (16 16 3 2) (16 8 3 1) )\n",
     "soma[0] - 21 7.29859 100.971; soma[1] - 21 9.58201 154.982; apic[0] "
     "soma[1](0.5) 2 11.3137 53.3666; dend[0] soma[0](0.5) 2 10 47.1828; "
     "axon[0] soma[1](0.5) 2 8 37.7727",
     1},
    {"other outlines are left out",
     "(\"Contour\" (Closed) (1 1 1 1) (2 2 2 2) (3 1 1 1))\n" RHOMBUS,
     "soma[0] - 21 7.29859 100.971", 0},
    {"branches begin where their parent ends, with their own diameter",
     STEM "( (1 20 0 0.5) (1 25 0 0.5) | (1 11 0 3) (4 15 0 3) ( (5 16 0 1) (5 "
          "18 0 1) Low | (4 19 0 2) High ) ) )\n",
     "dend[0] - 2 10 47.1828; dend[1] dend[0](1) 3 14 21.9911; dend[2] "
     "dend[0](1) 2 5 47.1239; dend[3] dend[2](1) 3 3.41421 10.7261; dend[4] "
     "dend[2](1) 2 4 25.1327",
     0},
    {"points have eight digits, as in the hoc that Import3d prints",
     "( (Dendrite) (1 1 0 2) (1 1.000017149 0 2) )\n",
     "dend[0] - 2 1.70469e-05 0.000107109", 0},
    {"without an outline trees stay apart",
     STEM ")\n"
          "( (Axon) (8 1 0 2) (9 11 0 1) )\n",
     "dend[0] - 2 10 47.1828; axon[0] - 2 10.0499 47.4175", 0},
    {"a type is that of the last property; none is custom",
     "( (Axon) (Color Red) (Apical) (0 0 0 1) (5 0 0 1) )\n"
     "( (Color Red) (0 0 9 1) (7 0 9 1) )\n",
     "apic[0] - 2 5 15.708; custom[0] - 2 7 21.9911", 0},
    {"comments, spines, sets, texts, words and commas are skipped",
     "; ( comment\n(Sections S1)\n(Set \"a\" " RHOMBUS
     ")\n( (Color Red) (5 5 0 1) \"a ) text\")\n( (Color RGB (1, 2, 3)) "
     "(Dendrite) (Set \"a\")\n (1, 1, 0, 2) <(Class 4 \"spine\") (Color Red) "
     "(2 2 0 0)> ; 1\n (1 11 0 1 S1) <(3 3 3 0)> <(4 4 4 0)> (Cross (Color "
     "White) (8 8 8 1)) Incomplete )\n",
     "soma[0] - 21 7.29859 100.971; dend[0] soma[0](0.5) 2 10 47.1828", 0},
    {"a branch of one point at its parent's end is dropped",
     STEM "( (1 11 0 1) ( (2 20 0 1) | (3 20 0 1) ) | (1 15 0 1) ) )\n",
     "dend[0] - 2 10 47.1828; dend[1] dend[0](1) 2 9.05539 28.4483; dend[2] "
     "dend[0](1) 2 9.21954 28.9641; dend[3] dend[0](1) 2 4 12.5664",
     1},
    {"a stem of one point is dropped",
     RHOMBUS "( (Axon) (1 1 0 2) ( (1 9 0 1) | (1 2 0 1) (1 5 0 2) ) )\n",
     "soma[0] - 21 7.29859 100.971; axon[0] soma[0](0.5) 2 8 25.1327; axon[1] "
     "soma[0](0.5) 3 4 17.4738",
     1},
    {"a root of one point is a cylinder",
     "( (Axon) (1 1 0 2) ( (1 9 0 1) | (1 2 0 1) (1 5 0 2) ) )\n",
     "axon[0] - 3 2 12.5664; axon[1] axon[0](1) 2 8 25.1327; axon[2] "
     "axon[0](1) 3 4 17.4738",
     0},
    {"an outline of two points is left out",
     "(\"CellBody\" (1 1 0 0) (2 2 0 0))\n" STEM ")\n",
     "dend[0] - 2 10 47.1828", 1},
    {"a point without z and diameter", STEM "(1 12) (1 14 2) )\n",
     "dend[0] - 4 13.8284 59.2101", 2},
    {"a marker between points is skipped",
     STEM "(Dot (Color White) (9 9 9 9)) (1 15 0 1) )\n",
     "dend[0] - 3 14 59.7491", 0},
    {"a marker that begins a branch is skipped",
     STEM "( (Dot (Color White) (9 9 9 9)) (1 15 0 1) | (2 16 0 1)) )\n",
     "dend[0] - 2 10 47.1828; dend[1] dend[0](1) 2 4 12.5664; dend[2] "
     "dend[0](1) 2 5.09902 16.019",
     0},
    {"a marker in an outline is skipped",
     "(\"CellBody\" (-4 0 0 0) (0 -3 0 0) (Dot (9 9 9 9)) (4 0 0 0) (0 3 0 "
     "0))\n",
     "soma[0] - 21 7.29859 100.971", 0},
    {"an empty branch is dropped", STEM "( | (1 15 0 1) ) )\n",
     "dend[0] - 2 10 47.1828; dend[1] dend[0](1) 2 4 12.5664", 1},
    {"branches of an empty one hang where it hung",
     "( (Axon) ( (1 1 0 1) (2 1 0 1) | (5 5 0 1) (6 6 0 2) ) )\n",
     "axon[0] - 2 1 3.14159; axon[1] - 2 1.41421 7.06858", 1},
    {"lines end with CR LF or CR; a byte order mark",
     "\xEF\xBB\xBF"
     "; x\r" STEM "\r\n)\r\n",
     "dend[0] - 2 10 47.1828", 0},
};

static double area_of(const bosc_sections *all, const bosc_section *sec)
{
    const double *arc = all->arc + sec->first_point;
    const double *d = all->diam + sec->first_point;
    double area = 0;

    for (int32_t i = 1; i < sec->n_points; ++i)
        area += PI / 2 * ((double)d[i] + d[i - 1]) *
                hypot(arc[i] - arc[i - 1], ((double)d[i] - d[i - 1]) / 2);
    return area;
}

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
    snprintf(to + n, room - n, " %d %.6g %.6g", sec->n_points, sec->length,
             area_of(all, sec));
}

static void test_rules(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_morphology *read = NULL;
        bosc_error err = {""};
        char got[1024] = "";

        if (bosc_morphology_parse(cases[i].text, strlen(cases[i].text), "t.asc",
                                  false, &read, &err) == BOSC_OK)
            for (int32_t s = 0; s < read->sections->n; ++s)
                describe(read->sections, s, got, sizeof got);
        if (!ok(strcmp(got, cases[i].want) == 0 && read != NULL &&
                    read->repairs.n == cases[i].repairs,
                "%s", cases[i].name)) {
            diag("want %s", cases[i].want);
            diag("got  %s %s", got, err.text);
            for (int k = 0; read != NULL && k < read->repairs.n; ++k)
                diag("%s", read->repairs.text[k]);
        }
        bosc_morphology_destroy(read);
    }
}

static const struct {
    const char *name, *text, *says;
} refusals[] = {
    {"an empty file", "", "t.asc: neither an outline of a soma nor a tree"},
    {"an unclosed tree", STEM "\n", "t.asc:2: the file ends where"},
    {"an unclosed list", RHOMBUS "(ImageCoords \"x\" (1 2)\n",
     "t.asc:2: the file ends before the ')' of this '('"},
    {"an unclosed spine", STEM "\n<(1 2 3 4)\n)",
     "t.asc:2: the file ends before the '>' of this '<'"},
    {"an unclosed string", "(\"CellBody (1 2 3 4)\n)",
     "t.asc:1: no second '\"' on the line"},
    {"an unclosed set", "(Set \"a\" " RHOMBUS,
     "t.asc:2: the file ends where the ')' of a set should be"},
    {"a closed bracket too many", RHOMBUS STEM ") )",
     "t.asc:2: ')' where '(' should be"},
    {"a point of one number", STEM "(1 ))", "t.asc:1: ')' where a coordinate"},
    {"a point of words", STEM "(1 2 x 3))", "t.asc:1: 'x' where ')' should be"},
    {"an infinite point", STEM "(1e300 2 3 4))", "t.asc:1: x is 1e+300"},
    {"'|' outside of a split", STEM "| (1 2 3 4))", "t.asc:1: '|' where ')'"},
    {"points behind a split", STEM "((1 2 3 4)|(2 2 3 4)) (1 1 1 1))",
     "t.asc:1: '(' where ')' should be"},
    {"an outline without area",
     "(\"CellBody\" (1 1 1 0) (1 1 1 0) (1 1 1 0))\n",
     "t.asc:1: the outline of the soma encloses no area"},
    {"an outline on a line", "(\"CellBody\" (0 0 1 0) (0 0 2 0) (0 0 3 0))\n",
     "t.asc:1: the outline of the soma encloses no area"},
    {"only empty branches", "( (Axon) ( | ) )", "t.asc: no section"},
    {"a zero byte", STEM "\0)", "t.asc:1: "},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < BOSC_LEN(refusals); ++i) {
        const size_t bytes = strlen(refusals[i].text);
        bosc_morphology *read = NULL;
        bosc_error err = {""};

        if (!ok(bosc_morphology_parse(refusals[i].text, bytes, "t.asc", false,
                                      &read, &err) == BOSC_EFORMAT &&
                    read == NULL &&
                    strncmp(err.text, refusals[i].says,
                            strlen(refusals[i].says)) == 0,
                "%s is refused", refusals[i].name))
            diag("%s", err.text);
        bosc_morphology_destroy(read);
    }
}

/* Branches in branches, lists in lists: no stack of the machine grows. */
static void test_depth(const char *name, const char *begin, const char *each,
                       const char *end, int32_t sections)
{
    enum { DEPTH = 200000 };
    const size_t n = strlen(each), m = strlen(begin);
    char *text = malloc(m + DEPTH * (n + 1) + strlen(end) + 1), *to = text;
    bosc_morphology *read = NULL;
    bosc_error err = {""};

    memcpy(to, begin, m);
    to += m;
    for (int i = 0; i < DEPTH; ++i, to += n)
        memcpy(to, each, n);
    memset(to, ')', DEPTH);
    strcpy(to + DEPTH, end);
    if (!ok(bosc_morphology_parse(text, strlen(text), "t.asc", false, &read,
                                  &err) == BOSC_OK &&
                read->sections->n == sections,
            "%s", name))
        diag("%s", err.text);
    bosc_morphology_destroy(read);
    free(text);
}

static void test_strict(void)
{
    bosc_morphology *read = NULL;
    bosc_error err = {""};
    const char *text = STEM "\n( | (5 20 0 1) ) )";

    ok(bosc_morphology_parse(text, strlen(text), "t.asc", true, &read, &err) ==
               BOSC_EFORMAT &&
           strcmp(err.text, "t.asc:2: a branch without points; delete it") == 0,
       "strict refuses what would be repaired");
    bosc_morphology_destroy(read);
}

int main(void)
{
    test_rules();
    test_refusals();
    test_strict();
    test_depth("branches of any depth", "((1 1 1 1)(2 2 2 1)",
               "((3 3 3 1)(4 3 3 1)", ")", 200001);
    test_depth("lists of any depth", "(Thumbnail ", "(a ", ")" STEM ")", 1);
    return done_testing();
}
