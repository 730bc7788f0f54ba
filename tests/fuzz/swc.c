/* swc.c - fuzzing: any text as a morphology.
 *
 * The first byte says how the neuron is cut, the rest is the file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "tests/fuzz/cable.h"
#include "tests/fuzz/fuzz.h"

static void check_forest(const bosc_swc *swc)
{
    must(swc->n >= 1 && swc->file.samples >= swc->n);
    for (int32_t i = 0; i < swc->n; ++i) {
        must(swc->parent[i] >= -1 && swc->parent[i] < i);
        must(swc->type[i] >= 0 && swc->line[i] >= 1);
        must(swc->radius[i] > 0 && isfinite(swc->radius[i]));
        for (int k = 0; k < 3; ++k)
            must(fabs(swc->xyz[3 * i + k]) <= 1e9);
    }
}

/* At least that of all sections (um); a sample alone is as long as thick. */
static double length_of(const bosc_swc *swc)
{
    double length = 0;

    for (int32_t i = 0; i < swc->n; ++i) {
        const double *xyz = swc->xyz + 3 * i;
        const double *from =
            swc->xyz + 3 * (swc->parent[i] >= 0 ? swc->parent[i] : i);

        length += 2 * swc->radius[i];
        for (int k = 0; k < 3; ++k)
            length += fabs(xyz[k] - from[k]);
    }
    return length;
}

/* A rule for axons, or two sections, and for some a scale. */
static void edit(int how, bosc_edit_spec *edit)
{
    edit->axon.rule = (bosc_axon_rule)(how % BOSC_N_AXON_RULES);
    edit->attach = (bosc_attach)(how % BOSC_N_ATTACH);
    edit->axon.lengths = (bosc_number_list){2, {30, 10}};
    edit->axon.diameters = (bosc_number_list){2, {1, 0.5}};
    if (how % 3 == 0)
        edit->length[how % BOSC_N_REGIONS] = 1.5;
}

static void cut(bosc_swc *swc, int how)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;
    bosc_error err = {""};
    bosc_status st;

    /* coarse, and no millions of compartments where it is 1e9 um long */
    spec.policy = (bosc_policy)(how % BOSC_N_POLICIES);
    if ((spec.policy < BOSC_PER_SECTION || spec.policy == BOSC_ODD_PER) &&
        length_of(swc) > 1e5)
        spec.policy = BOSC_PER_SECTION;
    how /= BOSC_N_POLICIES;
    edit(how, &spec.edit);
    spec.d_lambda = 5;
    spec.max_length = 2000;
    spec.per_section = 3;
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        spec.odd_per[r] = 2000;
    st = bosc_cable_cut(swc, &spec, "input", &cable, &err);
    fuzz_must_explain(st, &err);
    if (st == BOSC_OK)
        fuzz_check_cable(cable);
    bosc_cable_destroy(cable);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    bosc_swc *swc = NULL, *strict = NULL;
    bosc_error err = {""}, why = {""};

    if (n < 1 || n > FUZZ_LONGEST)
        return -1;
    /* a copy of its own, so that reading behind its end is noticed */
    char *text = malloc(n);
    must(text != NULL);
    memcpy(text, bytes + 1, n - 1);

    const bosc_status st =
        bosc_swc_parse(text, n - 1, "input", false, &swc, &err);
    const bosc_status as_it_is =
        bosc_swc_parse(text, n - 1, "input", true, &strict, &why);

    fuzz_must_explain(st, &err);
    fuzz_must_explain(as_it_is, &why);
    /* Strict refuses just what would be repaired. */
    must((as_it_is == BOSC_OK) == (st == BOSC_OK && swc->repairs.n == 0));
    if (st == BOSC_OK) {
        check_forest(swc);
        cut(swc, bytes[0]);
    }
    bosc_swc_destroy(swc);
    bosc_swc_destroy(strict);
    free(text);
    return 0;
}
