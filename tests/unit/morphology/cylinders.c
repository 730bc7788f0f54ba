/* Cylinders without coordinates: lengths and areas of the table, units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"
#include "src/morphology/ending.h"
#include "src/morphology/morphology.h"
#include "tests/lib/tap.h"

static const double PI = 3.14159265358979323846;

#define HEAD "section\tlength\tdiameter\tparent\tparent_x\tnseg\ttype\n"
#define ROWS                                                                   \
    "soma\t20.1\t15\t-\n"                                                      \
    "apical_1\t1000.3\t2.3\tsoma\t0.5\t3\n"                                    \
    "b\t0.7\t0.3\tapical_1\t\t\t2\n"                                           \
    "dend[1]\t50.9\t1\tsoma\t0\n"                                              \
    "c\t60\t1\tb\n"

static bosc_morphology *make(const char *text, const char *name,
                             bosc_error *err)
{
    bosc_morphology *read = NULL;

    bosc_morphology_parse(text, strlen(text), name, false, &read, err);
    return read;
}

static void test_sections(void)
{
    bosc_error err = {""};
    bosc_morphology *read =
        make("# a cell\n\n" HEAD ROWS, "t.cylinders.tsv", &err);
    const bosc_section *s = read != NULL ? read->sections->section : NULL;

    if (!ok(s != NULL && read->sections->n == 5 && read->repairs.n == 0,
            "a table is a neuron")) {
        diag("%s", err.text);
        return;
    }
    ok(s[0].parent == -1 && s[1].parent == 0 && s[2].parent == 1 &&
           s[3].parent == 0 && s[4].parent == 2,
       "parents are found by name");
    ok(s[1].parent_x == 0.5 && s[2].parent_x == 1 && s[3].parent_x == 0,
       "parent_x is 1 where it is not given");
    ok(s[0].type == 1 && s[1].type == 4 && s[2].type == 2 && s[3].type == 3 &&
           s[4].type == 0 && s[4].region == BOSC_CUSTOM,
       "types are those of the column, else of the name");
    ok(s[0].length == 20.1 && s[1].length == 1000.3 && s[2].length == 0.7,
       "lengths have all digits");
    ok(s[0].file_count == 0 && s[0].n_compartments == 1 && s[1].file_count == 3,
       "nseg is the number of compartments, if it is given");

    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;

    spec.file_counts = false;
    spec.policy = BOSC_PER_SECTION;
    spec.per_section = 1;
    bosc_cable_create(read->sections, &spec, "t", &cable, &err);
    ok(cable != NULL &&
           fabs(cable->area[cable->sections[1].first] / (PI * 2.3 * 1000.3) -
                1) < 1e-15,
       "areas are those of cylinders, with all digits");
    bosc_cable_destroy(cable);
    bosc_morphology_destroy(read);
}

static void test_units(void)
{
    bosc_error err = {""};
    bosc_morphology *read =
        make("# units: nm\n" HEAD "a\t2000\t500\t\n", "t.cylinders.tsv", &err);

    ok(read != NULL && read->sections->section[0].length == 2 &&
           read->sections->diam[0] == 0.5,
       "a table in nm");
    bosc_morphology_destroy(read);
    read = make("# x\n# units: nm\n1 3 1000 0 0 500 -1\n2 3 4000 0 0 500 1\n",
                "t.swc", &err);
    ok(read != NULL && read->sections->section[0].length == 3 &&
           read->sections->diam[0] == 1 && read->file.length == 3,
       "an SWC file in nm");
    bosc_morphology_destroy(read);
    read = make("# units: nm, no\n1 3 1 0 0 5 -1\n# units: nm\n2 3 4 0 0 5 1\n",
                "t.swc", &err);
    ok(read != NULL && read->sections->section[0].length == 3,
       "other comments, and later ones, say nothing");
    bosc_morphology_destroy(read);
}

static void test_endings(void)
{
    ok(bosc_morphology_ending("a.cylinders.tsv") &&
           bosc_morphology_ending("a.SWC") &&
           bosc_morphology_ending("b/a.asc.gz") &&
           !bosc_morphology_ending("a.tsv") &&
           !bosc_morphology_ending("cylinders.txt"),
       "a table of cylinders is no list of files");
}

static const struct {
    const char *name, *text, *says;
} refusals[] = {
    {"an empty file", "", "t.cylinders.tsv: no section"},
    {"a header alone", HEAD, "t.cylinders.tsv: no section"},
    {"a table without diameters", "section\tlength\tparent\n",
     "t.cylinders.tsv:1: no column 'diameter'"},
    {"an unknown column", "section\tlength\tdiameter\tparent\tcm\n",
     "t.cylinders.tsv:1: no column is called 'cm'"},
    {"a column twice", "section\tlength\tdiameter\tparent\tlength\n",
     "t.cylinders.tsv:1: a second column 'length'"},
    {"a length of 0", HEAD "a\t0\t1\t\n",
     "t.cylinders.tsv:2: length is '0'; it is a number from 0.001"},
    {"no diameter", HEAD "a\t1\t\t\n", "t.cylinders.tsv:2: diameter is ''"},
    {"a length in words", HEAD "a\t1um\t1\t\n",
     "t.cylinders.tsv:2: length is '1um'"},
    {"a parent below", HEAD "a\t1\t1\t\nb\t1\t1\tc\nc\t1\t1\ta\n",
     "t.cylinders.tsv:3: no section above is called 'c'"},
    {"its own parent", HEAD "a\t1\t1\ta\n",
     "t.cylinders.tsv:2: no section above is called 'a'"},
    {"a second root", HEAD "a\t1\t1\t\nb\t1\t1\t\n",
     "t.cylinders.tsv:3: a second section without a parent: 'b'"},
    {"a name twice", HEAD "a\t1\t1\t\na\t1\t1\ta\n",
     "t.cylinders.tsv:3: a section needs a name of its own, not 'a'"},
    {"a place beyond the parent", HEAD "a\t1\t1\t\nb\t1\t1\ta\t1.5\n",
     "t.cylinders.tsv:3: parent_x is '1.5'"},
    {"half a compartment", HEAD "a\t1\t1\t\t\t1.5\n",
     "t.cylinders.tsv:2: no whole number: '1.5'"},
    {"units behind the header", HEAD "# units: nm\na\t1\t1\t\n",
     "t.cylinders.tsv:2: units stand before the first row"},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < BOSC_LEN(refusals); ++i) {
        bosc_error err = {""};
        bosc_morphology *read = make(refusals[i].text, "t.cylinders.tsv", &err);

        if (!ok(read == NULL && strncmp(err.text, refusals[i].says,
                                        strlen(refusals[i].says)) == 0,
                "%s is refused", refusals[i].name))
            diag("%s", err.text);
        bosc_morphology_destroy(read);
    }
}

int main(void)
{
    test_sections();
    test_units();
    test_endings();
    test_refusals();
    return done_testing();
}
