/* NeuroML: segments as sections, groups as types, what is refused. */
#include "config.h" /* whether there is expat */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"
#include "src/morphology/morphology.h"
#include "tests/lib/tap.h"

#define P(x, y, d) " x=\"" #x "\" y=\"" #y "\" z=\"0\" diameter=\"" #d "\"/>"
#define FROM(x, y, d) "<proximal" P(x, y, d)
#define TO(x, y, d) "<distal" P(x, y, d)
#define SEGMENT(id, rest) "<segment id=\"" #id "\">" rest "</segment>\n"
#define ON(id, at) "<parent segment=\"" #id "\" fractionAlong=\"" #at "\"/>"
#define GROUP(id, rest) "<segmentGroup id=\"" #id "\">" rest "</segmentGroup>\n"
#define SECTION(id, rest)                                                      \
    "<segmentGroup id=\"" #id "\" neuroLexId=\"sao864921383\">" rest           \
    "</segmentGroup>\n"
#define COUNT(n) "<property tag=\"numberInternalDivisions\" value=\"" #n "\"/>"
#define M(id) "<member segment=\"" #id "\"/>"
#define I(id) "<include segmentGroup=\"" #id "\"/>"
#define CELL(rest)                                                             \
    "<?xml version=\"1.0\"?>\n<neuroml xmlns=\"a\"><cell id=\"c\">"            \
    "<morphology id=\"m\">\n" rest "</morphology></cell></neuroml>\n"
#define SOMA SEGMENT(0, FROM(0, 0, 8) TO(10, 0, 8))
#define DEND                                                                   \
    SEGMENT(1, ON(0, 0.25) FROM(2, 4, 2) TO(2, 10, 2))                         \
    SEGMENT(2, ON(1, 1) TO(2, 20, 1))

static const struct {
    const char *name, *text, *want;
    int repairs;
} cases[] = {
    {"a segment of no unbranched group is a section", CELL(SOMA DEND),
     "custom[0] - 2 10; custom[1] custom[0](0.25) 2 6; "
     "custom[2] custom[1](1) 2 10",
     0},
    {"an unbranched group is a section",
     CELL(SOMA DEND SECTION(soma, M(0)) SECTION(dend_0, M(1) M(2))),
     "soma[0] - 2 10; dend[0] soma[0](0.25) 3 16", 0},
    {"groups give types, also by groups that they include",
     CELL(SOMA DEND SECTION(s1, M(0)) SECTION(s2, M(2) M(1))
              GROUP(soma_group, I(s1)) GROUP(dendrite_group, I(apical_dends))
                  GROUP(apical_dends, I(s2)) GROUP(soma_and_dend, I(s2))),
     "soma[0] - 2 10; apic[0] soma[0](0.25) 3 16", 0},
    {"a section without proximal begins on its parent",
     CELL(SOMA SEGMENT(7, ON(0, 0.5) TO(5, 20, 2)) GROUP(axon_group, M(7))
              GROUP(soma, M(0))),
     "soma[0] - 2 10; axon[0] soma[0](0.5) 2 20", 0},
    {"a place on a segment is one of its section",
     CELL(SOMA DEND SECTION(soma, M(0)) SECTION(dend_0, M(1) M(2))
              SEGMENT(3, ON(2, 0.2) TO(12, 12, 1))),
     "soma[0] - 2 10; dend[0] soma[0](0.25) 3 16; "
     "custom[0] dend[0](0.5) 2 10",
     0},
    {"parents may stand behind their children",
     CELL(DEND SOMA SECTION(dend_0, M(1) M(2)) SECTION(soma, M(0))),
     "soma[0] - 2 10; dend[0] soma[0](0.25) 3 16", 0},
    {"a sphere is a cylinder as long as it is thick",
     CELL(SEGMENT(0, FROM(0, 0, 8) TO(0, 0, 8)) GROUP(soma_group, M(0))
              SEGMENT(1, ON(0, 1) FROM(0, 4, 2) TO(0, 9, 2))),
     "soma[0] - 3 8; custom[0] soma[0](1) 2 5", 0},
    {"a gap in a section is joined by a cone",
     CELL(SOMA SEGMENT(1, ON(0, 1) FROM(12, 0, 2) TO(20, 0, 2))
              SECTION(soma, M(0) M(1))),
     "soma[0] - 4 20", 1},
    {"compartments of a group that is no section are left out",
     CELL(SOMA GROUP(soma, COUNT(3) M(0))), "soma[0] - 2 10", 1},
    {"another diameter in a section is a step",
     CELL(SOMA SEGMENT(1, ON(0, 1) FROM(10, 0, 2) TO(20, 0, 2))
              SECTION(soma, M(0) M(1))),
     "soma[0] - 4 20", 0},
    {"a morphology of its own",
     "<morphology><segment id=\"0\">" FROM(0, 0, 1) TO(0, 3, 1) "</segment>"
                                                                "</morphology>",
     "custom[0] - 2 3", 0},
};

static void describe(const bosc_sections *all, int32_t s, char *to, size_t room)
{
    const bosc_section *sec = &all->section[s];
    const bosc_section *up =
        sec->parent < 0 ? NULL : &all->section[sec->parent];
    size_t n = strlen(to);

    n += (size_t)snprintf(to + n, room - n, "%s%s[%d] ", s > 0 ? "; " : "",
                          bosc_region_prefixes[sec->region], sec->number);
    if (up == NULL)
        n += (size_t)snprintf(to + n, room - n, "-");
    else
        n += (size_t)snprintf(to + n, room - n, "%s[%d](%g)",
                              bosc_region_prefixes[up->region], up->number,
                              sec->parent_x);
    snprintf(to + n, room - n, " %d %g", sec->n_points, sec->length);
}

static void test_rules(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_morphology *read = NULL;
        bosc_error err = {""};
        char got[512] = "";

        if (bosc_morphology_parse(cases[i].text, strlen(cases[i].text),
                                  "t.cell.nml", false, &read, &err) == BOSC_OK)
            for (int32_t s = 0; s < read->sections->n; ++s)
                describe(read->sections, s, got, sizeof got);
        if (!ok(strcmp(got, cases[i].want) == 0 && read != NULL &&
                    read->repairs.n == cases[i].repairs,
                "%s", cases[i].name)) {
            diag("want %s", cases[i].want);
            diag("got  %s %s", got, err.text);
        }
        bosc_morphology_destroy(read);
    }
}

static const struct {
    const char *name, *text, *says;
} refusals[] = {
    {"an empty file", "", "t.nml:1: no element found"},
    {"a file without segments", CELL(""), "t.nml: no <segment>"},
    {"an unclosed element", "<neuroml>\n<morphology>", "t.nml:2: "},
    {"a document type",
     "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY a \"b\">]>\n<a>&a;</a>",
     "t.nml:2: a document type"},
    {"two morphologies", "<a><morphology/>\n<morphology/></a>",
     "t.nml:2: a second <morphology>"},
    {"a segment of NeuroML 1",
     CELL("<segment id=\"0\" parent=\"1\"></segment>"),
     "t.nml:3: a segment of NeuroML 1"},
    {"a coordinate of letters", CELL(SEGMENT(0, FROM(a, 0, 1))),
     "t.nml:3: x of <proximal> is 'a', no number"},
    {"a missing coordinate", CELL(SEGMENT(0, "<distal x=\"1\"/>")),
     "t.nml:3: <distal> without y"},
    {"a missing parent", CELL(SOMA SEGMENT(1, ON(7, 1) TO(0, 0, 1))),
     "t.nml:4: parent 7 of segment 1 does not exist"},
    {"a ring",
     CELL(SOMA SEGMENT(1, ON(2, 1) TO(0, 0, 1))
              SEGMENT(2, ON(1, 1) TO(0, 0, 1))),
     "t.nml:4: segment 1 is its own ancestor"},
    {"a repeated id", CELL(SOMA SOMA), "t.nml:"},
    {"a place beyond the parent", CELL(SOMA SEGMENT(1, ON(0, 1.5) TO(0, 0, 1))),
     "t.nml:4: fractionAlong is 1.5"},
    {"a segment without distal", CELL(SEGMENT(1, FROM(0, 0, 1))),
     "t.nml:3: segment 1 has no <distal>"},
    {"a root without proximal", CELL(SEGMENT(1, TO(0, 0, 1))),
     "t.nml:3: segment 1 has no <proximal>"},
    {"a section that branches",
     CELL(SOMA DEND SEGMENT(3, ON(1, 1) TO(9, 9, 1))
              SECTION(a, M(1) M(2) M(3))),
     "t.nml:6: segment 3 does not go on"},
    {"a section in pieces", CELL(SOMA DEND SECTION(a, M(0) M(2))),
     "t.nml:5: segment 2 does not go on"},
    {"a segment of two sections", CELL(SOMA SECTION(a, M(0)) SECTION(b, M(0))),
     "t.nml:5: member 0 of 'b' is in another section, too"},
    {"a member that is not there", CELL(SOMA SECTION(a, M(5))),
     "t.nml:4: member 5 of 'a' does not exist"},
    {"a section of no compartments", CELL(SOMA SECTION(a, M(0) COUNT(0))),
     "t.nml:4: numberInternalDivisions of 'a' is 0, not within 1 to 32767"},
    {"a section of half a compartment", CELL(SOMA SECTION(a, COUNT(2.5) M(0))),
     "t.nml:4: value of <property> is '2.5', no whole number"},
    {"a section of too many compartments",
     CELL(SOMA SECTION(a, COUNT(32768) M(0))),
     "t.nml:4: numberInternalDivisions of 'a' is 32768, not within"},
    {"an infinite coordinate", CELL(SEGMENT(0, FROM(1e99, 0, 1) TO(0, 0, 1))),
     "t.nml:3: x is 1e+99"},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < BOSC_LEN(refusals); ++i) {
        bosc_morphology *read = NULL;
        bosc_error err = {""};
        const char *text = refusals[i].text;

        if (!ok(bosc_morphology_parse(text, strlen(text), "t.nml", false, &read,
                                      &err) == BOSC_EFORMAT &&
                    read == NULL &&
                    strncmp(err.text, refusals[i].says,
                            strlen(refusals[i].says)) == 0,
                "%s is refused", refusals[i].name))
            diag("%s", err.text);
        bosc_morphology_destroy(read);
    }
}

/* How many compartments the dendrite has, 10 and 6 um long. */
static int32_t count(const bosc_sections *all, bool file_counts,
                     bosc_policy policy)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;
    bosc_error err = {""};
    int32_t n = -1;

    spec.file_counts = file_counts;
    spec.policy = policy;
    spec.per_section = 3;
    if (bosc_cable_create(all, &spec, "t", &cable, &err) == BOSC_OK)
        n = cable->sections[1].n;
    bosc_cable_destroy(cable);
    return n;
}

static void test_counts(void)
{
    static const char text[] = CELL(SOMA DEND SECTION(soma, M(0)) SECTION(
        dend_0, "<property tag=\"colour\" value=\"x\"/>" COUNT(4) M(1) M(2)));
    bosc_morphology *read = NULL;
    bosc_error err = {""};

    if (!ok(bosc_morphology_parse(text, strlen(text), "t.nml", true, &read,
                                  &err) == BOSC_OK,
            "a section may say how many compartments it has")) {
        diag("%s", err.text);
        return;
    }
    ok(bosc_cable_defaults().file_counts &&
           count(read->sections, true, BOSC_D_LAMBDA) == 4,
       "which it has where nothing else is asked for");
    ok(count(read->sections, false, BOSC_PER_SECTION) == 3,
       "a policy that is asked for takes no notice");
    ok(count(read->sections, false, BOSC_PER_SAMPLE) == 4,
       "but for per_sample");
    bosc_morphology_destroy(read);
}

static void test_depth(void)
{
    enum { DEPTH = 100000 };
    char *text = malloc(3 * DEPTH + 1);
    bosc_morphology *read = NULL;
    bosc_error err = {""};

    for (int i = 0; i < DEPTH; ++i)
        memcpy(text + 3 * i, "<a>", 4);
    ok(bosc_morphology_parse(text, strlen(text), "t.nml", false, &read, &err) ==
               BOSC_EFORMAT &&
           strncmp(err.text, "t.nml:1: elements nested deeper", 31) == 0,
       "elements in elements are refused at once");
    bosc_morphology_destroy(read);
    free(text);
}

int main(void)
{
#ifdef HAVE_EXPAT
    test_rules();
    test_refusals();
    test_counts();
    test_depth();
#else
    skip("NeuroML: bosc was built without expat");
#endif
    return done_testing();
}
