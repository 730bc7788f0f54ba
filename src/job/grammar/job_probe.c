/* job_probe.c - electrodes of probes. */
#include "src/job/job_keys.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/job/variable.h"

static bool is_point(const bosc_yaml *node)
{
    return node->kind == BOSC_YAML_LIST && node->n == 3 &&
           node->child[0]->kind == BOSC_YAML_SCALAR;
}

static bosc_status read_point(const bosc_yaml *node, const bosc_key *key,
                              double *xyz, bosc_error *err)
{
    bosc_key number = *key;
    bosc_status st = BOSC_OK;

    number.type = BOSC_KEY_REAL;
    if (!is_point(node))
        return bosc_yaml_fail(err, node,
                              "%s: %s is no point; write three numbers (um), "
                              "[x, y, z], for each: '%s: [[30, 0, 0], [60, 0, "
                              "0]]'",
                              bosc_key_leaf(key), BOSC_SHOW(node),
                              bosc_key_leaf(key));
    for (size_t k = 0; k < 3 && st == BOSC_OK; ++k)
        st = bosc_real_read(node->child[k], &number, &xyz[k], err);
    return st;
}

bosc_status bosc_positions_read(const bosc_yaml *node, const bosc_key *key,
                                void *field, bosc_error *err)
{
    const bool one = is_point(node);
    const size_t n = one ? 1 : node->n;
    bosc_positions all = {.n = (int32_t)n};
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST || n == 0)
        return read_point(node, key, NULL, err);
    all.xyz = bosc_alloc(3 * n, sizeof *all.xyz);
    if (all.xyz == NULL)
        return bosc_no_memory(err, node->source);
    for (size_t i = 0; i < n && st == BOSC_OK; ++i)
        st = read_point(one ? node : node->child[i], key, all.xyz + 3 * i, err);
    if (st == BOSC_OK)
        *(bosc_positions *)field = all;
    else
        free(all.xyz);
    return st;
}

bosc_status bosc_probe_complete(const bosc_schema *schema,
                                const bosc_yaml *node, void *entry,
                                bosc_error *err)
{
    static const char *const keys[] = {"at", "variables", "threshold", "sigma",
                                       "source"};
    bosc_probe_spec *probe = entry;
    const bool electrodes = probe->electrodes.n > 0;

    (void)schema;
    for (size_t k = 0; k < BOSC_LEN(keys); ++k) {
        const bosc_yaml *own = bosc_yaml_get(node, keys[k]);

        if (own != NULL && electrodes != (k > 2))
            return bosc_yaml_fail(
                err, own,
                electrodes ? "%s: a probe with 'electrodes' records their "
                             "potential alone; leave %s out, or write a probe "
                             "for it"
                           : "%s: it is of 'electrodes', and this probe has "
                             "none; leave %s out, or write 'electrodes: [[30, "
                             "0, 0]]'",
                keys[k], keys[k]);
    }
    if (bosc_yaml_get(node, "threshold") == NULL)
        probe->threshold = NAN;
    if (electrodes) {
        probe->at.kind = BOSC_AT_EVERYWHERE;
        probe->variables.n = 1;
        probe->variables.variable[0] = (bosc_variable){
            .mech = BOSC_COMPARTMENT, .state = BOSC_COMPARTMENT_potential};
    }
    return BOSC_OK;
}
