/* The last phase of the SWC reader: a positive radius for every sample.
 *
 * A negative radius lost its sign.  A radius of zero or nearly so, or none, is
 * taken from the nearest sample up the parents that has one, else from the
 * first below.  A neurite never takes that of its soma, which is much thicker;
 * a soma takes that of a stem only when no sample of the soma has one.
 */
#include "src/morphology/swc/swc_reader.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"

/* No neurite is thinner than an atom, and d_lambda would cut such a thread
 * into thousands of compartments. */
static const double thinnest = 1e-4;   /* um */
static const double last_resort = 0.5; /* um, where no sample has one */

enum { NO_DONOR = -1 };

static bool is_known(double radius)
{
    return fabs(radius) >= thinnest; /* false for NaN */
}

static bool is_soma(const bosc_swc *swc, int32_t i)
{
    return swc->type[i] == BOSC_SWC_SOMA;
}

static bool same_kind(const bosc_swc *swc, int32_t a, int32_t b)
{
    return is_soma(swc, a) == is_soma(swc, b);
}

static void copy_down(const bosc_swc *swc, int32_t *donor)
{
    for (int32_t i = 0; i < swc->n; ++i) {
        const int32_t p = swc->parent[i];

        if (p >= 0 && donor[i] == NO_DONOR && same_kind(swc, p, i))
            donor[i] = donor[p];
    }
}

/* With 'stems', a soma takes the radius of a stem.  Of several children the
 * first donates: the loop meets it last. */
static void copy_up(const bosc_swc *swc, int32_t *donor, bool stems)
{
    for (int32_t i = swc->n - 1; i >= 0; --i) {
        const int32_t p = swc->parent[i];

        if (p < 0 || donor[i] == NO_DONOR ||
            !(same_kind(swc, p, i) || (stems && is_soma(swc, p))))
            continue;
        if (donor[p] == NO_DONOR ||
            (donor[p] > p && same_kind(swc, donor[p], i)))
            donor[p] = donor[i];
    }
}

/* donor[i]: the sample whose radius i takes, or NO_DONOR. */
static void find_donors(const bosc_swc *swc, int32_t *donor)
{
    for (int32_t i = 0; i < swc->n; ++i)
        donor[i] = is_known(swc->radius[i]) ? i : NO_DONOR;
    copy_down(swc, donor);
    copy_up(swc, donor, false);
    copy_up(swc, donor, true);
    copy_down(swc, donor); /* to the side branches of those just set */
}

static bosc_status mend_unknown(bosc_swc_reader *r, bosc_swc *swc, int32_t i,
                                int32_t donor)
{
    static const char remedy[] = "give a positive one";
    const double was = swc->radius[i];
    char done[80];

    if (donor == NO_DONOR) {
        swc->radius[i] = last_resort;
        snprintf(done, sizeof done, "taken as %g um", last_resort);
    } else {
        swc->radius[i] = fabs(swc->radius[donor]);
        snprintf(done, sizeof done, "taken as %g um like line %lld",
                 swc->radius[i], (long long)swc->line[donor]);
    }
    return bosc_mend(&r->mending, swc->line[i], done, remedy, "radius is %g",
                     was);
}

static bosc_status mend_negative(bosc_swc_reader *r, bosc_swc *swc, int32_t i)
{
    const double was = swc->radius[i];

    swc->radius[i] = -was;
    return bosc_mend(&r->mending, swc->line[i], "sign ignored",
                     "give a positive one", "radius is %g", was);
}

bosc_status bosc_swc_mend_radii(bosc_swc_reader *r, bosc_swc *swc)
{
    bosc_status st = BOSC_OK;
    int32_t *donor = bosc_alloc((size_t)swc->n, sizeof *donor);

    if (donor == NULL)
        return bosc_mend_no_memory(&r->mending);
    find_donors(swc, donor);
    for (int32_t i = 0; i < swc->n && st == BOSC_OK; ++i) {
        if (donor[i] != i) {
            bosc_occurrence_add(&swc->file.no_radius, swc->line[i]);
            st = mend_unknown(r, swc, i, donor[i]);
        } else if (swc->radius[i] < 0) {
            st = mend_negative(r, swc, i);
        }
    }
    free(donor);
    return st;
}
