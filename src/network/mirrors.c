/* mirrors.c - instances for the connections that probes record alone, of kinds
 * whose connections to a compartment share one.
 */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/network_build.h"

static int by_kind(const void *a, const void *b)
{
    const bosc_mirror *x = a, *y = b;

    return x->kind != y->kind ? x->kind - y->kind : x->probe - y->probe;
}

static bool is_shared(const bosc_job *job, const bosc_projection_spec *spec)
{
    const int mech = job->network.synapses[spec->synapse_index].type.mech;

    return !bosc_mech_is_own(job->mechs->mech[mech]);
}

/* One for each probe and kind of synapse of its projection, which in a sweep
 * may be one of each member. */
static bosc_status list(const bosc_job *job, bosc_network *network,
                        bosc_error *err)
{
    size_t room = 0;

    for (int p = 0; p < job->n_probes; ++p)
        for (int q = 0; q < job->network.n_projections; ++q) {
            const bosc_single_spec *single = &job->probes[p].connection;
            const bosc_projection_spec *spec = &job->network.projections[q];

            if (single->projection == NULL ||
                strcmp(single->projection, spec->name) != 0 ||
                !is_shared(job, spec))
                continue;
            if (!bosc_grow(&network->mirrors, &room,
                           (size_t)network->n_mirrors + 1,
                           sizeof *network->mirrors))
                return bosc_no_memory(err, "the probes");
            network->mirrors[network->n_mirrors++] =
                (bosc_mirror){.kind = spec->synapse_index,
                              .probe = p,
                              .source = single->source,
                              .block = -1};
        }
    return BOSC_OK;
}

bosc_status bosc_mirrors_create(const bosc_job *job, bosc_network *network,
                                bosc_error *err)
{
    const int n_kinds = job->network.n_synapses;
    int32_t n = 0;
    bosc_status st = BOSC_ALLOC(err, "the probes",
                                BOSC_ARRAY(network->first_mirror, n_kinds + 1));

    if (st == BOSC_OK)
        st = list(job, network, err);
    if (st != BOSC_OK || network->n_mirrors == 0)
        return st;

    bosc_mirror *all = network->mirrors;

    qsort(all, (size_t)network->n_mirrors, sizeof *all, by_kind);
    for (int32_t m = 0; m < network->n_mirrors; ++m)
        if (n == 0 || by_kind(&all[m], &all[n - 1]) != 0) {
            all[n++] = all[m];
            ++network->first_mirror[all[m].kind + 1];
        }
    network->n_mirrors = n;
    for (int k = 0; k < n_kinds; ++k)
        network->first_mirror[k + 1] += network->first_mirror[k];
    return BOSC_OK;
}

int32_t bosc_mirrors_next(const bosc_job *job, const bosc_network *network,
                          const bosc_projection_spec *spec, int64_t source,
                          int32_t from)
{
    const int32_t end = network->first_mirror[spec->synapse_index + 1];

    for (int32_t m = from; m < end; ++m)
        if (network->mirrors[m].source == source &&
            strcmp(job->probes[network->mirrors[m].probe].connection.projection,
                   spec->name) == 0)
            return m;
    return -1;
}
