/* job_mech.c - mechanisms in a job: parameters as keys, and which ones are
 * synapses or other point processes. */
#include "src/job/job_keys.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/mech/registry.h"
#include "src/base/mem.h"
#include "src/text/did_you_mean.h"

bosc_key bosc_key_of_mech(const bosc_mech *mech, int param)
{
    const bosc_mech_param *p = &mech->params[param];

    return (bosc_key){.path = p->name,
                      .type = BOSC_KEY_REAL,
                      .unit = p->unit,
                      .low = p->low,
                      .high = p->high,
                      .meaning = p->meaning};
}

/* --- names -----------------------------------------------------------------
 */

const char *bosc_mech_name_problem(const char *name, bool point)
{
    static const char *const ions[] = {"na_ion", "k_ion", "ca_ion"};

    for (int m = 0; bosc_mechs_builtin[m] != NULL; ++m)
        if (strcmp(bosc_mechs_builtin[m]->name, name) == 0)
            return "a mechanism of that name is built in";
    if (!point && bosc_key_find(&bosc_job_schema, BOSC_REGION_PATH, name))
        return "regions have a key of that name";
    if (bosc_is_among(name, BOSC_LEN(ions), ions))
        return "it is the name of an ion";
    return NULL;
}

bool bosc_param_is_key(const char *name)
{
    return bosc_key_find(&bosc_job_schema, BOSC_SYNAPSE_PATH, name) != NULL ||
           bosc_key_find(&bosc_job_schema, BOSC_POINT_PATH, name) != NULL ||
           bosc_key_find(&bosc_job_schema, BOSC_STIMULUS_PATH, name) != NULL;
}

/* A copy of a mechanism with such parameters under other names; the set owns
 * all of it. */
static bosc_status rename_params(bosc_mechs *mechs, int m, bosc_error *err)
{
    const bosc_mech *old = mechs->mech[m];
    bosc_mech *mech = bosc_alloc(1, sizeof *mech);
    bosc_mech_param *params = bosc_alloc((size_t)old->n_params, sizeof *params);
    bosc_status st = mech == NULL || params == NULL
                         ? bosc_no_memory(err, old->name)
                         : BOSC_OK;

    if (st != BOSC_OK) {
        free(mech);
        free(params);
        return st;
    }
    *mech = *old;
    memcpy(params, old->params, (size_t)old->n_params * sizeof *params);
    mech->params = params;
    if ((st = bosc_mechs_own(mechs, params, free, err)) != BOSC_OK) {
        free(mech);
        return st;
    }
    st = bosc_mechs_own(mechs, mech, free, err);
    for (int p = 0; st == BOSC_OK && p < mech->n_params; ++p) {
        char *name;

        if (!bosc_param_is_key(old->params[p].name))
            continue;
        name = bosc_format("%s_%s", old->params[p].name, old->name);
        if (name == NULL)
            return bosc_no_memory(err, old->name);
        params[p].name = name;
        st = bosc_mechs_own(mechs, name, free, err);
    }
    if (st == BOSC_OK)
        mechs->mech[m] = mech;
    return st;
}

bosc_status bosc_mechs_name_params(bosc_mechs *mechs, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m) {
        const bosc_mech *mech = mechs->mech[m];
        bool any = false;

        for (int p = 0; p < mech->n_params; ++p)
            any = any || bosc_param_is_key(mech->params[p].name);
        if (any && mech->kind == BOSC_MECH_POINT)
            st = rename_params(mechs, m, err);
    }
    return st;
}

bosc_status bosc_params_check(const bosc_yaml *node, const bosc_mech *mech,
                              const double *p, bosc_error *err)
{
    bosc_error why;
    int param = 0;

    if (bosc_builtin_check(mech, p, &param, &why) == BOSC_OK)
        return BOSC_OK;

    const char *name = mech->params[param].name;
    const bosc_yaml *own = bosc_yaml_get(node, name);

    return bosc_yaml_fail(err, own != NULL ? own : node, "%s: %s", name,
                          why.text);
}

bool bosc_point_is_synapse(const char *path)
{
    return strncmp(path, BOSC_SYNAPSE_PATH, strlen(BOSC_SYNAPSE_PATH)) == 0;
}

bool bosc_point_fits(const char *path, const bosc_mech *mech)
{
    if (mech->kind != BOSC_MECH_POINT ||
        mech->artificial != (strncmp(path, BOSC_ARTIFICIAL_PATH,
                                     strlen(BOSC_ARTIFICIAL_PATH)) == 0))
        return false;
    if (mech->artificial)
        return true;
    if (bosc_point_is_synapse(path))
        return mech->formula.receive != NULL;
    if (strncmp(path, BOSC_STIMULUS_PATH, strlen(BOSC_STIMULUS_PATH)) == 0)
        return mech->formula.receive == NULL && mech->n_pointers == 0;
    /* of what is built in this list has the clamp alone: others are stimuli */
    return strncmp(path, BOSC_POINT_PATH, strlen(BOSC_POINT_PATH)) == 0 &&
           (mech->formula.receive == NULL || mech->sends) &&
           (mech->made != NULL || strcmp(mech->name, "IClamp") == 0);
}

void bosc_point_clear(bosc_point_process *type, const bosc_mechs *mechs)
{
    for (int j = 0;
         type->varying != NULL && j < mechs->mech[type->mech]->n_params; ++j)
        bosc_varying_destroy(type->varying[j]);
    free(type->varying);
    free(type->points);
    free(type->p);
}

size_t bosc_mech_params(const bosc_mech *mech, size_t n,
                        const char *names[BOSC_MAX_KEYS])
{
    for (int p = 0; p < mech->n_params && n < BOSC_MAX_KEYS; ++p)
        if (!bosc_is_among(mech->params[p].name, n, names))
            names[n++] = mech->params[p].name;
    return n;
}

size_t bosc_point_params(const bosc_mechs *mechs, const char *path, size_t n,
                         const char *names[BOSC_MAX_KEYS])
{
    for (int m = 0; m < mechs->n; ++m)
        if (bosc_point_fits(path, mechs->mech[m]))
            n = bosc_mech_params(mechs->mech[m], n, names);
    return n;
}
