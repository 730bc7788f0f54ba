/* Where NEURON's Import3d makes other sections: row by row. */
#include <stdio.h>
#include <string.h>

#include "src/morphology/section.h"
#include "tests/lib/tap.h"

/* A soma of radius 5 and a stem of two samples begin most cases. */
#define SOMA "1 1 0 0 0 5 -1\n"
#define STEM "2 3 0 8 0 1.5 1\n3 3 0 20 0 1 2\n"

/* Where NEURON's Import3d makes other sections, "row: times from line; ..."; as
 * measured with NEURON 9.0.2. */
static const struct {
    const char *name, *text, *want;
} readings[] = {
    {"NEURON reads lines in depth-first order alike",
     SOMA STEM "4 3 3 20 0 1 3\n5 3 0 25 0 1 3\n", ""},
    {"NEURON ends a section where the next sample is elsewhere",
     SOMA STEM "4 2 0 -8 0 1 1\n5 3 0 29 0 1 3\n6 2 0 -9 0 1 4\n",
     "order of lines: 2 from 5; "},
    {"NEURON goes on into the next line, whatever its type",
     SOMA STEM "4 4 0 -8 0 1 1\n5 2 0 -9 0 1 4\n6 4 3 -8 0 1 4\n",
     "order of lines: 1 from 5; "},
    {"NEURON hangs a branch on the first sample of a stem from another line",
     SOMA STEM "4 4 0 -8 0 1 1\n5 2 0 28 0 1 3\n6 2 3 -8 0 1 4\n",
     "order of lines: 1 from 6; "},
    {"NEURON stops where ids do not ascend",
     "1 1 0 0 0 5 -1\n3 3 0 8 0 1 1\n2 3 8 0 0 1 1\n",
     "order of lines: 1 from 3; "},
    {"or where a parent has a higher one",
     "1 1 0 0 0 5 -1\n2 3 0 9 0 1 3\n3 3 0 8 0 1 1\n",
     "order of lines: 1 from 2; "},
    {"a soma that forks before a stem has a cylinder more",
     SOMA STEM "4 1 4 0 0 5 1\n5 1 -4 0 0 5 1\n",
     "first soma sample forks: 1 from 1; "},
    {"so has a soma that goes on behind a stem", SOMA STEM "4 1 4 0 0 5 1\n",
     "first soma sample forks: 1 from 1; "},
    {"a soma that goes on before its stems has none",
     SOMA "2 1 4 0 0 5 1\n3 1 -4 0 0 4 1\n4 3 0 8 0 1 1\n5 3 0 9 0 1 4\n", ""},
    {"NEURON knows a 3-point soma on the first three lines",
     SOMA "2 1 0 5 0 5 1\n3 1 0 -5 0 5 1\n4 3 0 8 0 1 1\n", ""},
    {"and on no others",
     SOMA "2 1 0 5 0 5 1\n3 3 0 8 0 1 1\n4 3 0 9 0 1 3\n5 1 0 -5 0 5 1\n",
     "three-point soma not on consecutive lines: 1 from 1; "},
    {"a root section in one place is 1e-9 um long to NEURON",
     SOMA "2 1 0 0 0 4 1\n3 3 0 8 0 1 2\n",
     "section without length: 1 from 1; "},
    {"NEURON too drops a section of two equal points",
     SOMA "2 2 0 0 0 1 1\n3 3 0 7 0 1 2\n4 3 0 9 0 1 3\n", ""},
    {"but none of three", SOMA "2 2 0 0 0 1 1\n3 2 0 0 0 1 2\n4 2 0 0 0 1 3\n",
     "section without length: 1 from 2; "},
    {"NEURON drops a stem of one sample where the soma forks",
     SOMA "2 1 0 5 0 5 1\n3 1 0 -5 0 4 1\n4 3 9 0 0 1 1\n",
     "stem of one sample where the soma forks: 1 from 4; "},
    {"NEURON takes a radius of zero as it is",
     SOMA STEM "4 3 0 21 0 0 3\n5 3 0 22 0 0 4\n",
     "radius of zero: 2 from 4; "},
    {"NEURON ignores the sign of a radius", SOMA STEM "4 3 0 21 0 -1 3\n", ""},
    {"NEURON joins a second soma to the first", SOMA "2 1 0 80 0 4 -1\n",
     "second root: 1 from 2; "},
    {"and a neurite as here", SOMA "2 3 0 8 0 1 -1\n3 3 0 20 0 1 2\n", ""},
    {"but to the first sample of the file",
     "1 3 0 8 0 1 -1\n2 3 0 9 0 1 1\n3 1 0 0 0 5 -1\n",
     "second root: 1 from 3; "},
};

static bosc_status make(const char *text, bosc_swc **swc, bosc_sections **out,
                        bosc_error *err)
{
    const bosc_status st =
        bosc_swc_parse(text, strlen(text), "t", false, swc, err);

    return st != BOSC_OK ? st : bosc_sections_create(*swc, out, err);
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(readings); ++i) {
        bosc_swc *swc = NULL;
        bosc_sections *all = NULL;
        bosc_error err = {""};
        char got[512] = "failed";

        if (make(readings[i].text, &swc, &all, &err) == BOSC_OK) {
            size_t n = 0;

            got[0] = '\0';
            for (int r = 0; r < BOSC_N_IMPORT3D_ROWS; ++r)
                if (all->differs[r].n > 0)
                    n += (size_t)snprintf(
                        got + n, sizeof got - n, "%s: %d from %d; ",
                        bosc_import3d_names[r], (int)all->differs[r].n,
                        (int)all->differs[r].line);
        }
        if (!ok(strcmp(got, readings[i].want) == 0, "%s", readings[i].name)) {
            diag("want %s", readings[i].want);
            diag("got  %s %s", got, err.text);
        }
        bosc_sections_destroy(all);
        bosc_swc_destroy(swc);
    }
    return done_testing();
}
