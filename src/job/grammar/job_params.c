/* job_params.c - 'parameters' of a projection: numbers of its synapses that
 * each connection has for itself. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/text/did_you_mean.h"

void bosc_synapse_params_clear(bosc_synapse_params *params)
{
    free(params->draw);
    free(params->kinds);
    *params = (bosc_synapse_params){0};
}

bool bosc_job_draws_param(const bosc_job *job, int k, int param)
{
    for (int p = 0; p < job->network.n_projections; ++p) {
        const bosc_projection_spec *spec = &job->network.projections[p];

        for (int d = 0; spec->synapse_index == k && d < spec->params.n; ++d)
            if (spec->params.draw[d].param == param)
                return true;
    }
    return false;
}

/* Synapses that share an instance have one number. */
static bosc_status check_own(const bosc_yaml *node,
                             const bosc_synapse_spec *kind,
                             const bosc_mech *mech, bosc_error *err)
{
    if (bosc_mech_is_own(mech))
        return BOSC_OK;
    return bosc_yaml_fail(err, node,
                          "parameters has no effect: synapses of type %s at "
                          "one compartment are one instance, as their effects "
                          "add up; make several kinds of 'synapses' like '%s', "
                          "one for each set of numbers",
                          mech->name, kind->name);
}

static bosc_status read_one(const bosc_schema *schema, const bosc_yaml *node,
                            const bosc_projection_spec *spec,
                            const bosc_mech *mech, bosc_param_draw *out,
                            bosc_error *err)
{
    const int j = bosc_mech_param_find(mech, node->key);
    const char *names[BOSC_MECH_MOST];
    char name[300];
    size_t n = 0;

    for (int k = 0; j < 0 && k < mech->n_params; ++k)
        names[n++] = mech->params[k].name;
    if (j < 0)
        return bosc_value_unknown(node, "parameters", "parameter", node->key, n,
                                  names, err);
    if (mech->global != NULL && mech->global[j])
        return bosc_yaml_fail(err, node,
                              "%s: %s has one value of it for all, a GLOBAL of "
                              "its mod file; make it RANGE there, or set it in "
                              "'synapses'",
                              node->key, mech->name);

    const bosc_key key = bosc_key_of_mech(mech, j);

    snprintf(name, sizeof name, "%.140s.parameters.%.140s", spec->name,
             node->key);
    out->param = j;
    out->stream = bosc_hash(name);
    return bosc_draw_read(schema, node, &key, &out->draw, err);
}

static bosc_status read_all(const bosc_yaml *node, const bosc_job *job,
                            bosc_projection_spec *spec, bosc_error *err)
{
    const bosc_synapse_spec *kind = &job->network.synapses[spec->synapse_index];
    const bosc_mech *mech = job->mechs->mech[kind->type.mech];
    bosc_schema schema = bosc_job_schema;
    bosc_status st = bosc_group_expect(node, "tau: 5", err);

    schema.mechs = job->mechs;

    if (st == BOSC_OK && node->n > 0)
        st = check_own(node, kind, mech, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the parameters of synapses",
                        BOSC_ARRAY(spec->params.draw, node->n));
    for (size_t i = 0; i < node->n && st == BOSC_OK; ++i) {
        st = read_one(&schema, node->child[i], spec, mech,
                      &spec->params.draw[i], err);
        spec->params.n += st == BOSC_OK;
    }
    return st;
}

bosc_status bosc_synapse_params_complete(const bosc_job *job,
                                         const bosc_yaml *root, int i,
                                         bosc_error *err)
{
    bosc_projection_spec *spec = &job->network.projections[i];
    const bosc_yaml *node = bosc_yaml_get(
        bosc_entry_node(root, "projections", i, NULL), "parameters");
    const int n = job->network.n_synapses;
    bosc_status st = BOSC_OK;

    if (node != NULL)
        st = read_all(node, job, spec, err);
    if (st != BOSC_OK || spec->rule != BOSC_RULE_LIST)
        return st;
    st = BOSC_ALLOC(err, "the kinds of synapses",
                    BOSC_ARRAY(spec->params.kinds, n));
    for (int k = 0; k < n && st == BOSC_OK; ++k)
        if (!job->mechs->mech[job->network.synapses[k].type.mech]->artificial)
            spec->params.kinds[spec->params.n_kinds++] = k;
    return st;
}
