#include "src/morphology/spec.h"

const char *const bosc_region_names[BOSC_N_REGIONS] = {
    "soma", "axon", "dendrite", "apical", "custom"};

const char *const bosc_region_prefixes[BOSC_N_REGIONS] = {
    "soma", "axon", "dend", "apic", "custom"};

const char *const bosc_policy_names[BOSC_N_POLICIES] = {
    "d_lambda", "max_length", "per_section", "per_sample"};

bosc_cable_spec bosc_cable_defaults(void)
{
    bosc_cable_spec spec = {.policy = BOSC_D_LAMBDA,
                            .d_lambda = 0.1,
                            .frequency = 100,
                            .max_length = 20,
                            .per_section = 1};

    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        spec.Ra[r] = 35.4;
        spec.cm[r] = 1;
    }
    return spec;
}
