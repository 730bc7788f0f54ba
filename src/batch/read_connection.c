/* read_connection.c - the instances of a single connection, which a probe
 * records: its own, or mirrors (src/network/network.h).
 */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/batch/build_read.h"
#include "src/model/locate.h"

/* A compartment of this rank. */
typedef struct element {
    int32_t neuron, node;
} element;

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static int by_place(const void *a, const void *b)
{
    const element *x = a, *y = b;

    return x->neuron != y->neuron ? (x->neuron > y->neuron ? 1 : -1)
                                  : (x->node > y->node) - (x->node < y->node);
}

/* The block whose instances are those of the projection's connections, for this
 * probe; -1: none. */
static int32_t block_of(const bosc_network *net, int probe, int kind)
{
    for (int32_t m = net->first_mirror[kind]; m < net->first_mirror[kind + 1];
         ++m)
        if (net->mirrors[m].probe == probe)
            return net->mirrors[m].block;
    return net->block[kind];
}

/* Projection k of the job, of which the probe records a connection: its
 * instances, and their places from place[*n_places] on. */
static bosc_status pick_of(const bosc_model *model,
                           const bosc_built_batch *packed,
                           const bosc_probe_spec *spec, int k,
                           bosc_picked *picked, element **place)
{
    const bosc_network *net = &packed->net;
    const bosc_layout *layout = &packed->batch.layout;
    const int32_t b =
        block_of(net, (int)(spec - model->job->probes),
                 model->job->network.projections[k].synapse_index);
    int64_t n;
    const bosc_connection *all = bosc_connection_table_of(
        net->connection_table,
        net->projection_first[k] + spec->connection.source, &n);
    size_t room[2] = {picked->n, picked->n};

    if (b < 0)
        return BOSC_OK;

    const bosc_mech_block *block = &packed->batch.blocks[b];
    const int32_t first =
        bosc_connection_table_instance(net->connection_table, b, 0);

    picked->kind = block->id;
    for (int64_t c = 0; c < n; ++c) {
        const ptrdiff_t i = (ptrdiff_t)all[c].instance - first;
        if (i < 0 || i >= block->n) /* of another synapse */
            continue;

        const int32_t g = (int32_t)bosc_lower_bound(
            block->first + 1, layout->n_groups, sizeof *block->first, &i,
            bosc_ends_until);
        const bosc_element at = bosc_layout_at(layout, g, block->at[i]);

        if (!bosc_locate_selects(model, &spec->neurons, at.neuron))
            continue;
        if (!bosc_grow(&picked->instance, &room[0], picked->n + 1,
                       sizeof *picked->instance) ||
            !bosc_grow(place, &room[1], picked->n + 1, sizeof **place))
            return BOSC_ENOMEM;
        picked->instance[picked->n] = all[c].instance;
        (*place)[picked->n++] = (element){at.neuron, at.i};
    }
    return BOSC_OK;
}

/* Places, sorted, become nodes of neurons, each once. */
static bosc_status list_places(const bosc_model *model, size_t n,
                               const element *place, bosc_located *found,
                               bosc_error *err)
{
    const size_t neurons = (size_t)model->cells->n;
    bosc_status st =
        BOSC_ALLOC(err, "the probes", BOSC_ARRAY(found->nodes, neurons),
                   BOSC_ARRAY(found->lists, neurons));

    found->end = st == BOSC_OK ? model->cells->n : 0;
    for (size_t from = 0, end; from < n && st == BOSC_OK; from = end) {
        const int32_t i = place[from].neuron;
        bosc_nodes *of = &found->nodes[i];

        for (end = from; end < n && place[end].neuron == i; ++end)
            ;
        st = BOSC_ALLOC(err, "the probes",
                        BOSC_ARRAY(found->lists[i], end - from));
        for (size_t k = from; k < end && st == BOSC_OK; ++k)
            if (k == from || place[k].node != place[k - 1].node)
                found->lists[i][of->n++] = place[k].node;
        of->list = found->lists[i];
        found->total += of->n;
    }
    return st;
}

/* Has each connection of a projection an instance, which does not say of what
 * projection it is? */
static bool is_own(const bosc_job *job, const bosc_projection_spec *of)
{
    return bosc_mech_is_own(
        job->mechs->mech[job->network.synapses[of->synapse_index].type.mech]);
}

/* Fail where a list has named kinds of synapses, and joins neurons that
 * projection k joins: which connections are of k is not told apart then. */
static bosc_status check_lists(const bosc_model *model,
                               const bosc_probe_spec *spec, int k,
                               bosc_error *err)
{
    const bosc_network_spec *network = &model->job->network;
    const bosc_projection_spec *of = &network->projections[k];

    for (int q = 0; model->files != NULL && model->files->lists != NULL &&
                    q < network->n_projections;
         ++q) {
        const bosc_projection_spec *other = &network->projections[q];

        if (q == k || model->files->lists[q].kind < 0 ||
            other->from_index >= of->from_index + of->n_from ||
            of->from_index >= other->from_index + other->n_from ||
            other->to_index >= of->to_index + of->n_to ||
            of->to_index >= other->to_index + other->n_to)
            continue;
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: connection: '%s' joins the same neurons as '%s', "
                         "and its file names kinds of synapses: connections "
                         "are not told apart; leave out its column 'synapse', "
                         "or record the synapses of a compartment",
                         spec->connection.where, other->name, of->name);
    }
    return BOSC_OK;
}

bosc_status bosc_pick_connection(const bosc_model *model,
                                 const bosc_built_batch *packed,
                                 const bosc_probe_spec *spec,
                                 bosc_picked *picked, bosc_located *found,
                                 bosc_error *err)
{
    const bosc_network_spec *network = &model->job->network;
    element *place = NULL;
    bosc_status st = BOSC_OK;

    *found = (bosc_located){0};
    picked->table = packed->net.connection_table;
    for (int k = 0;
         picked->table != NULL && k < network->n_projections && st == BOSC_OK;
         ++k)
        if (strcmp(network->projections[k].name, spec->connection.projection) ==
            0) {
            if (is_own(model->job, &network->projections[k]))
                st = check_lists(model, spec, k, err);
            if (st == BOSC_OK &&
                pick_of(model, packed, spec, k, picked, &place) != BOSC_OK)
                st = bosc_no_memory(err, "the probes");
        }
    if (st != BOSC_OK) {
        free(place);
        return st;
    }
    if (picked->n > 0) {
        qsort(picked->instance, picked->n, sizeof *picked->instance, by_number);
        qsort(place, picked->n, sizeof *place, by_place);
    }
    st = list_places(model, picked->n, place, found, err);
    free(place);
    if (st != BOSC_OK)
        bosc_located_clear(found);
    return st;
}

bool bosc_is_picked(const bosc_picked *picked, int32_t block, ptrdiff_t i)
{
    const int32_t wanted =
        bosc_connection_table_instance(picked->table, block, i);

    return picked->n > 0 && bsearch(&wanted, picked->instance, picked->n,
                                    sizeof wanted, by_number) != NULL;
}
