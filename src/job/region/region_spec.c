/* region_spec.c - one region over others. */
#include "src/job/region/regions.h"
#include "src/job/region/varying_parts.h"

#include <stdlib.h>

#include "src/base/mem.h"

bosc_status bosc_region_insert(const bosc_mech *m, bosc_region_mech *own,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (own->p == NULL)
        st = BOSC_ALLOC(err, "the mechanisms of a region",
                        BOSC_ARRAY(own->p, m->n_params),
                        BOSC_ARRAY(own->varying, m->n_params),
                        BOSC_ARRAY(own->given_p, m->n_params),
                        BOSC_ARRAY(own->line, m->n_params));
    own->n_params = m->n_params;
    for (int i = 0; st == BOSC_OK && !own->has && i < m->n_params; ++i) {
        own->p[i] = m->params[i].standard;
        own->varying[i] = NULL;
        own->line[i] = 0;
    }
    if (st == BOSC_OK && !own->has)
        own->given = own->fixed = 0;
    own->has = own->has || st == BOSC_OK;
    return st;
}

static bosc_status apply_mech(const bosc_mech *m, const bosc_region_mech *from,
                              bosc_region_mech *to, bosc_error *err)
{
    bosc_status st;

    if (!from->has) {
        to->has = false;
        return BOSC_OK;
    }
    st = bosc_region_insert(m, to, err);
    for (int i = 0; i < m->n_params && st == BOSC_OK; ++i)
        if (from->given_p[i]) {
            to->p[i] = from->p[i];
            to->varying[i] = from->varying[i];
            to->line[i] = from->line[i];
        }
    if (st != BOSC_OK)
        return st;
    to->fixed = (to->fixed & ~from->given) | from->fixed;
    to->given |= from->given;
    return bosc_pointers_add(&from->pointers, &to->pointers, err);
}

bosc_status bosc_region_apply(const bosc_mechs *mechs,
                              const bosc_region_spec *region,
                              bosc_region_spec *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < BOSC_N_CABLE_KEYS; ++k)
        if (region->said[k]) {
            to->cable[k] = region->cable[k];
            to->varying[k] = region->varying[k];
        }
    for (int k = 0; k < BOSC_N_SPINES_KEYS; ++k)
        if (region->spines[k] > 0)
            to->spines[k] = region->spines[k];
    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m)
        if (region->mech[m].said)
            st =
                apply_mech(mechs->mech[m], &region->mech[m], &to->mech[m], err);
    return st;
}

static bosc_status multiply(double factor, double *number,
                            bosc_varying **varying, bosc_error *err)
{
    *number *= factor;
    return *varying == NULL
               ? BOSC_OK
               : bosc_varying_scale(*varying, factor, varying, err);
}

bosc_status bosc_region_add_spines(const bosc_mechs *mechs,
                                   bosc_region_spec *spec, bosc_error *err)
{
    const double *spines = spec->spines;
    const int pas = bosc_mechs_find(mechs, "pas");
    bosc_region_mech *leak = pas < 0 ? NULL : &spec->mech[pas];
    const int g = pas < 0 ? -1 : bosc_mech_param_find(mechs->mech[pas], "g");
    bosc_status st = BOSC_OK;

    if (spines[BOSC_SPINES_CM] > 0)
        st = multiply(spines[BOSC_SPINES_CM], &spec->cable[BOSC_CM],
                      &spec->varying[BOSC_CM], err);
    if (st == BOSC_OK && spines[BOSC_SPINES_G] > 0 && g >= 0 && leak->has)
        st = multiply(spines[BOSC_SPINES_G], &leak->p[g], &leak->varying[g],
                      err);
    return st;
}

/* Of what is not its own, a membrane owns what multiplies it. */
static void drop_varying(bosc_varying *varying, bool owner)
{
    if (owner || (varying != NULL && bosc_varying_is_scaled(varying)))
        bosc_varying_destroy(varying);
}

void bosc_region_spec_clear(bosc_region_spec *spec, int n_mechs, bool owner)
{
    for (int k = 0; k < BOSC_N_CABLE_KEYS; ++k)
        drop_varying(spec->varying[k], owner);
    for (int m = 0; spec->mech != NULL && m < n_mechs; ++m) {
        bosc_region_mech *own = &spec->mech[m];

        for (int i = 0; own->varying != NULL && i < own->n_params; ++i)
            drop_varying(own->varying[i], owner);
        free(own->p);
        free(own->varying);
        free(own->given_p);
        free(own->line);
        bosc_pointers_clear(&own->pointers);
    }
    free(spec->mech);
    *spec = (bosc_region_spec){0};
}
