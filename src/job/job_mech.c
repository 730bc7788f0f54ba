/* job_mech.c - mechanisms in a job: parameters as keys, and which ones are
 * synapses or other point processes. */
#include "src/job/job_keys.h"

#include <string.h>

#include "kernels/mech/registry.h"
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
        return mech->receive != NULL;
    return strncmp(path, BOSC_POINT_PATH, strlen(BOSC_POINT_PATH)) == 0 &&
           (mech->receive == NULL || mech->sends);
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
