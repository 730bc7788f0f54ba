#include "src/morphology/spec.h"

#include <stdio.h>

const char *const bosc_region_names[BOSC_N_REGIONS] = {
    "soma", "axon", "dendrite", "apical", "custom"};

const char *const bosc_region_prefixes[BOSC_N_REGIONS] = {
    "soma", "axon", "dend", "apic", "custom"};

const char *const bosc_policy_names[BOSC_N_POLICIES] = {
    "d_lambda", "max_length", "per_section", "per_sample", "odd_per"};

const char *const bosc_attach_names[BOSC_N_ATTACH] = {"file", "soma(0)",
                                                      "soma(0.5)", "soma(1)"};

const char *const bosc_axon_names[BOSC_N_AXON_RULES] = {"none",
                                                        "remove",
                                                        "given",
                                                        "stub",
                                                        "allen_perisomatic",
                                                        "aibs_perisomatic",
                                                        "allen_truncated",
                                                        "aibs_allactive",
                                                        "bluepyopt",
                                                        "bbp_v5",
                                                        "bbp_v6",
                                                        "bbp_v6_nomyelin",
                                                        "thalamus"};

const char *bosc_section_name(bosc_region region, int32_t number,
                              char name[BOSC_SECTION_NAME])
{
    snprintf(name, BOSC_SECTION_NAME, "%s[%d]",
             number < 0 ? "myelin" : bosc_region_prefixes[region],
             (int)(number < 0 ? -1 - number : number));
    return name;
}

bosc_cable_spec bosc_cable_defaults(void)
{
    bosc_cable_spec spec = {.policy = BOSC_D_LAMBDA,
                            .file_counts = true,
                            .d_lambda = 0.1,
                            .frequency = 100,
                            .max_length = 20,
                            .per_section = 1};

    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        spec.Ra[r] = 35.4;
        spec.cm[r] = 1;
        spec.odd_per[r] = 40;
        spec.edit.length[r] = spec.edit.diameter[r] = 1;
    }
    return spec;
}

static bool same_numbers(const bosc_number_list *a, const bosc_number_list *b)
{
    bool same = a->n == b->n;

    for (int32_t i = 0; same && i < a->n; ++i)
        same = a->at[i] == b->at[i];
    return same;
}

bool bosc_edit_same(const bosc_edit_spec *a, const bosc_edit_spec *b)
{
    const bosc_axon_spec *x = &a->axon, *y = &b->axon;
    bool same = a->attach == b->attach && x->rule == y->rule &&
                x->attach == y->attach &&
                same_numbers(&x->lengths, &y->lengths) &&
                same_numbers(&x->diameters, &y->diameters) &&
                same_numbers(&x->compartments, &y->compartments);

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        same = same && a->length[r] == b->length[r] &&
               a->diameter[r] == b->diameter[r];
    return same;
}

bool bosc_edit_is_none(const bosc_edit_spec *edit)
{
    const bosc_cable_spec none = bosc_cable_defaults();

    return bosc_edit_same(edit, &none.edit);
}
