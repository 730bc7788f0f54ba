#include "src/morphology/sections/edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

static void attach(bosc_sections *all, double x)
{
    for (int32_t s = 0; s < all->n; ++s) {
        bosc_section *sec = &all->section[s];

        if (sec->parent >= 0 && sec->region != BOSC_SOMA &&
            all->section[sec->parent].region == BOSC_SOMA)
            sec->parent_x = x;
    }
}

/* --- scale --------------------------------------------------------------- */

static void scale_section(bosc_sections *all, bosc_section *sec, double length,
                          double diameter)
{
    double *arc = all->arc + sec->first_point;
    double *diam = all->diam + sec->first_point;

    for (int32_t i = 0; i < sec->n_points; ++i) {
        arc[i] *= length;
        diam[i] = (float)(diam[i] * diameter);
    }
    sec->length *= length;
}

/* Move the section to where its parent has gone, and stretch it from there; a
 * root section from its middle.  'old' has the points as they were; section s
 * in 'all' too, so far. */
static void move_section(bosc_sections *all, const bosc_sections *old,
                         int32_t s, double length)
{
    const bosc_section *sec = &all->section[s];
    const float *from = old->xyz + 3 * (size_t)sec->first_point;
    float *to = all->xyz + 3 * (size_t)sec->first_point;
    double fixed[3], shift[3] = {0};

    if (sec->parent < 0) {
        bosc_sections_point(old, s, 0.5, fixed);
    } else {
        double before[3], after[3];

        bosc_sections_point(old, sec->parent, sec->parent_x, before);
        bosc_sections_point(all, sec->parent, sec->parent_x, after);
        for (int k = 0; k < 3; ++k) {
            fixed[k] = from[k];
            shift[k] = after[k] - before[k];
        }
    }
    for (int32_t i = 0; i < 3 * sec->n_points; ++i)
        to[i] = (float)(fixed[i % 3] + (from[i] - fixed[i % 3]) * length +
                        shift[i % 3]);
}

static bosc_status scale(bosc_sections *all, const bosc_edit_spec *edit,
                         const char *name, bosc_error *err)
{
    const size_t n = 3 * (size_t)all->n_points;
    bosc_sections old = *all; /* lengths relative to each other are the same */

    old.xyz = bosc_alloc(n, sizeof *old.xyz);
    if (old.xyz == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", name);
    memcpy(old.xyz, all->xyz, n * sizeof *old.xyz);
    for (int32_t s = 0; s < all->n; ++s) {
        const int32_t region = all->section[s].region;

        scale_section(all, &all->section[s], edit->length[region],
                      edit->diameter[region]);
        move_section(all, &old, s, edit->length[region]);
    }
    free(old.xyz);
    return BOSC_OK;
}

static bosc_status check_factors(const bosc_edit_spec *edit, const char *name,
                                 bool *any, bosc_error *err)
{
    *any = false;
    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        const double l = edit->length[r], d = edit->diameter[r];

        if (!(l > 0 && d > 0 && isfinite(l) && isfinite(d)))
            return bosc_fail(err, BOSC_EVALUE,
                             "%s: scale of %s is %g for lengths, %g for "
                             "diameters; factors must be more than 0",
                             name, bosc_region_names[r], l, d);
        *any = *any || l != 1 || d != 1;
    }
    return BOSC_OK;
}

bosc_status bosc_sections_edit(bosc_sections **all, const bosc_edit_spec *edit,
                               const char *name, bosc_warnings *notes,
                               bosc_error *err)
{
    bool scaled;
    bosc_status st = check_factors(edit, name, &scaled, err);

    if (st == BOSC_OK && scaled)
        st = scale(*all, edit, name, err);
    if (st == BOSC_OK && edit->attach != BOSC_ATTACH_FILE)
        attach(*all, bosc_attach_x(edit->attach));
    if (st == BOSC_OK && edit->axon.rule != BOSC_AXON_NONE)
        st = bosc_axon_replace(all, &edit->axon, name, notes, err);
    return st;
}
