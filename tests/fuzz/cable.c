#include "tests/fuzz/cable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static void check_cable(const bosc_cable *cable)
{
    double area = 0;

    must(cable->n >= 1 && cable->parent[0] == -1 && cable->g_axial[0] == 0);
    must(cable->soma >= 0 && cable->soma < cable->n);
    for (int32_t i = 0; i < cable->n; ++i) {
        must(i == 0 || (cable->parent[i] >= 0 && cable->parent[i] < i));
        must(cable->section[i] >= 0 && cable->section[i] < cable->n_sections);
        must(cable->area[i] >= 0 && isfinite(cable->area[i]));
        must(cable->g_axial[i] >= 0 && isfinite(cable->g_axial[i]));
        must(bosc_cable_x(cable, i) >= 0 && bosc_cable_x(cable, i) <= 1);
        area += cable->area[i];
    }
    must(fabs(area - cable->area_total) <= 1e-9 * area);
    for (int32_t s = 0; s < cable->n_sections; ++s)
        for (double x = 0; x <= 1; x += 0.25) {
            const int32_t node = bosc_cable_section_node(cable, s, x);

            must(node >= 0 && node < cable->n);
        }
}

static void check_copy(const bosc_cable *cable)
{
    const size_t size = bosc_cable_packed_size(cable);
    void *packed = calloc(1, size), *again = calloc(1, size);
    bosc_cable *copy = NULL;

    bosc_cable_pack(cable, packed);
    must(bosc_cable_unpack(packed, &copy, NULL) == BOSC_OK);
    must(bosc_cable_packed_size(copy) == size);
    bosc_cable_pack(copy, again);
    must(memcmp(packed, again, size) == 0);
    bosc_cable_destroy(copy);
    free(packed);
    free(again);
}

void fuzz_check_cable(const bosc_cable *cable)
{
    check_cable(cable);
    check_copy(cable);
}
