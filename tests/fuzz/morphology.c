/* morphology.c - fuzzing: any text as a morphology of a format that has
 * sections of its own.
 *
 * The first byte says which format and how the neuron is cut, the rest is the
 * file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/morphology.h"
#include "tests/fuzz/cable.h"
#include "tests/fuzz/fuzz.h"

static const char *const names[] = {"input.asc", "input.nml",
                                    "a.cylinders.tsv"};

/* The length of all sections (um). */
static double check_sections(const bosc_sections *all)
{
    int32_t points = 0;
    double length = 0;

    must(all->n >= 1 && all->section[0].parent == -1);
    for (int32_t s = 0; s < all->n; ++s) {
        const bosc_section *sec = &all->section[s];

        must(sec->parent >= -1 && sec->parent < s);
        must(sec->parent_x >= 0 && sec->parent_x <= 1);
        must(sec->region >= 0 && sec->region < BOSC_N_REGIONS);
        must(sec->type >= 0 && sec->number >= 0 && sec->number < all->n);
        must(sec->level ==
             (sec->parent < 0 ? 0 : all->section[sec->parent].level + 1));
        must(sec->n_points >= 2 && sec->first_point >= 0 &&
             sec->first_point <= all->n_points - sec->n_points);
        must(sec->length >= 0 && isfinite(sec->length));
        points += sec->n_points;
        length += sec->length;
    }
    must(points == all->n_points);
    for (int32_t i = 0; i < points; ++i) {
        must(all->diam[i] > 0 && isfinite(all->diam[i]));
        must(isfinite(all->arc[i]));
        for (int k = 0; k < 3; ++k)
            must(isfinite(all->xyz[3 * i + k]));
    }
    return length;
}

static void cut(const bosc_sections *all, int how)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;
    bosc_error err = {""};

    /* coarse, and no millions of compartments where it is 1e9 um long */
    spec.policy = (bosc_policy)(how % BOSC_N_POLICIES);
    if (check_sections(all) > 1e5 && spec.policy < BOSC_PER_SECTION)
        spec.policy = BOSC_PER_SECTION;
    spec.d_lambda = 5;
    spec.max_length = 2000;
    spec.per_section = 3;

    const bosc_status st = bosc_cable_create(all, &spec, "input", &cable, &err);

    fuzz_must_explain(st, &err);
    if (st == BOSC_OK)
        fuzz_check_cable(cable);
    bosc_cable_destroy(cable);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    bosc_morphology *read = NULL, *strict = NULL;
    bosc_error err = {""}, why = {""};

    if (n < 1 || n > FUZZ_LONGEST)
        return -1;
    /* a copy of its own, so that reading behind its end is noticed */
    char *text = malloc(n);
    must(text != NULL);
    memcpy(text, bytes + 1, n - 1);
    text[n - 1] = '\0';

    const char *name = names[bytes[0] / BOSC_N_POLICIES % BOSC_LEN(names)];
    const bosc_status st =
        bosc_morphology_parse(text, n - 1, name, false, &read, &err);
    const bosc_status as_it_is =
        bosc_morphology_parse(text, n - 1, name, true, &strict, &why);

    fuzz_must_explain(st, &err);
    fuzz_must_explain(as_it_is, &why);
    /* Strict refuses just what would be repaired. */
    must((as_it_is == BOSC_OK) == (st == BOSC_OK && read->repairs.n == 0));
    if (st == BOSC_OK)
        cut(read->sections, bytes[0]);
    bosc_morphology_destroy(read);
    bosc_morphology_destroy(strict);
    free(text);
    return 0;
}
