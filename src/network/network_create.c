/* network_create.c - from projections to connections.
 *
 *   number    ids for all sources, the same on all ranks
 *   mark      visit every connection: which compartments get a synapse of each
 *             kind, how many connections each source has
 *   blocks    one instance for each marked compartment and kind: where
 *             synapses are linear, those of one kind in one compartment are
 *             one; others have an instance for each connection
 *   connect   visit every connection again: keep it
 */
#include "src/network/network.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/base/random.h"
#include "src/network/network_build.h"

/* The slots that have an instance of one kind of synapse: a bit each, and how
 * many bits come before each word. */
typedef struct marks {
    uint64_t *bit;
    int32_t *before;
    int32_t *next; /* [n_slots + 1] of a kind with an instance for each
                      connection, else NULL: how many a slot has, then the next
                      one of those before the slot after it */
} marks;

/* While connections are visited. */
typedef struct work {
    const bosc_model *model;
    bosc_batch *batch;
    bosc_network *network;
    bosc_in_edges in_edges;
    int32_t projection;
    bosc_synapse_sites sites;
    marks *marks;      /* [n_synapses + n_mirrors] */
    bool placing;      /* instances have their places */
    double too_long;   /* a delay (ms) that no connection can have, */
    int32_t late;      /* to this neuron, and */
    const char *where; /* so; NULL: none */
} work;

/* --- ids ------------------------------------------------------------------ */

static bool same_place(const bosc_location *a, const bosc_location *b)
{
    return a->kind == b->kind &&
           (a->kind != BOSC_AT_SECTION ||
            (a->region == b->region && a->number == b->number && a->x == b->x));
}

/* The spike source that a projection from neurons needs, made if new; NULL: the
 * somata with the common threshold.  Those of several populations are new, and
 * follow each other. */
static const bosc_spike_source *
spike_source_of(const bosc_model *model, const bosc_projection_spec *spec,
                bosc_network *network)
{
    const bosc_job *job = model->job;
    const double threshold = isnan(spec->source_threshold)
                                 ? job->spike_threshold
                                 : spec->source_threshold;
    const bosc_spike_source *made =
        &network->spike_sources[network->n_spike_sources];

    if (spec->source_at.kind == BOSC_AT_SOMA &&
        threshold == job->spike_threshold)
        return NULL;
    for (int32_t w = 0; w < network->n_spike_sources && spec->n_from == 1; ++w)
        if (network->spike_sources[w].population == spec->from_index &&
            network->spike_sources[w].threshold == threshold &&
            same_place(network->spike_sources[w].at, &spec->source_at))
            return &network->spike_sources[w];
    for (int k = 0; k < spec->n_from; ++k) {
        const int p = spec->from_index + k;
        const int64_t *first = model->gid_table->first_gid + p;

        network->spike_sources[network->n_spike_sources++] =
            (bosc_spike_source){p, &spec->source_at, threshold, network->n_ids};
        network->n_ids += first[1] - first[0];
    }
    return made;
}

static bosc_status number(const bosc_model *model, bosc_network *network,
                          bosc_error *err)
{
    const bosc_job *job = model->job;
    const bosc_gid_table *gid_table = model->gid_table;
    const int n = job->network.n_projections;
    int from = 0;

    for (int p = 0; p < n; ++p)
        from += job->network.projections[p].n_from;
    *network = (bosc_network){.n_ids = gid_table->n_neurons};

    bosc_status st = BOSC_ALLOC(
        err, "the network", BOSC_ARRAY(network->spike_sources, from),
        BOSC_ARRAY(network->projection_first, n), BOSC_ARRAY(network->made, n),
        BOSC_ARRAY(network->least_delay, n),
        BOSC_ARRAY(network->source_first, job->network.n_sources + 1),
        BOSC_ARRAY(network->block, job->network.n_synapses));

    if (st != BOSC_OK ||
        (st = bosc_mirrors_create(job, network, err)) != BOSC_OK)
        return st;
    for (int p = 0; p < job->network.n_projections; ++p) {
        const bosc_projection_spec *spec = &job->network.projections[p];

        network->least_delay[p] = INT32_MAX;
        if (spec->from_index < 0)
            continue;

        const bosc_spike_source *spike_source =
            spike_source_of(model, spec, network);

        network->projection_first[p] =
            spike_source != NULL ? spike_source->first
                                 : gid_table->first_gid[spec->from_index];
    }
    for (int s = 0; s < job->network.n_sources; ++s) {
        network->source_first[s] = network->n_ids;
        network->n_ids += job->network.sources[s].count;
    }
    network->source_first[job->network.n_sources] = network->n_ids;
    for (int p = 0; p < job->network.n_projections; ++p)
        if (job->network.projections[p].from_index < 0)
            network->projection_first[p] =
                network
                    ->source_first[-1 - job->network.projections[p].from_index];
    return BOSC_OK;
}

void bosc_network_clear(bosc_network *network)
{
    free(network->spike_sources);
    free(network->projection_first);
    free(network->source_first);
    free(network->block);
    free(network->mirrors);
    free(network->first_mirror);
    free(network->made);
    free(network->least_delay);
    bosc_connection_table_destroy(network->connection_table);
    *network = (bosc_network){0};
}

/* --- visiting ------------------------------------------------------------- */

static bosc_status refuse_delay(const work *w, bosc_error *err)
{
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: projection '%s': a delay of %g ms to neuron %lld is "
                     "%d steps of %g ms or more; give shorter delays, or a "
                     "larger dt",
                     w->where,
                     w->model->job->network.projections[w->projection].name,
                     w->too_long, (long long)w->model->cells->gid[w->late],
                     INT32_MAX, w->model->job->dt);
}

static bosc_status visit_all(work *w, bosc_visit *visit, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (w->projection = 0;
         st == BOSC_OK && w->projection < w->model->job->network.n_projections;
         ++w->projection) {
        st = bosc_synapse_sites_visit(&w->in_edges, &w->sites, w->projection,
                                      visit, w, err);
        if (st == BOSC_OK && w->where != NULL)
            st = refuse_delay(w, err);
    }
    return st;
}

static ptrdiff_t slot_of(const work *w, const bosc_link *link)
{
    return bosc_slot(&w->batch->layout, w->in_edges.neuron,
                     bosc_synapse_sites_draw(&w->sites, &w->in_edges, link));
}

/* The mirrors of a link, one after the other. */
static int32_t next_mirror(const work *w, const bosc_link *link, int32_t from)
{
    /* an edge of a list may be of another kind than its projection */
    return bosc_in_edges_kind(&w->in_edges, link) ==
                   w->in_edges.spec->synapse_index
               ? bosc_mirrors_next(w->model->job, w->network, w->in_edges.spec,
                                   link->source, from)
               : -1;
}

static int32_t first_mirror(const work *w, const bosc_link *link)
{
    return next_mirror(
        w, link, w->network->first_mirror[w->in_edges.spec->synapse_index]);
}

static void mark(void *what, const bosc_link *link)
{
    work *w = what;
    const bosc_network *network = w->network;
    const int64_t source =
        network->projection_first[w->projection] + link->source;
    const int n_kinds = w->model->job->network.n_synapses;
    const ptrdiff_t slot = slot_of(w, link);
    const marks *m = &w->marks[bosc_in_edges_kind(&w->in_edges, link)];

    if (m->next != NULL)
        ++m->next[slot + 1];
    else
        m->bit[slot / 64] |= 1ull << slot % 64;
    ++network->made[w->projection];
    bosc_connection_table_count(network->connection_table, source);
    for (int32_t k = first_mirror(w, link); k >= 0;
         k = next_mirror(w, link, k + 1)) {
        w->marks[n_kinds + k].bit[slot / 64] |= 1ull << slot % 64;
        bosc_connection_table_count(network->connection_table, source);
    }
}

/* --- blocks --------------------------------------------------------------- */

static int n_marks(const work *w)
{
    return w->model->job->network.n_synapses + w->network->n_mirrors;
}

/* The kind of synapse that marks number k are of. */
static int kind_of(const work *w, int k)
{
    const int n_kinds = w->model->job->network.n_synapses;

    return k < n_kinds ? k : w->network->mirrors[k - n_kinds].kind;
}

static bool marks_create(work *w)
{
    const size_t slots = (size_t)w->batch->layout.n_slots;
    const size_t words = slots / 64 + 1;
    const bosc_synapse_spec *kinds = w->model->job->network.synapses;

    w->marks = bosc_alloc((size_t)n_marks(w), sizeof *w->marks);
    for (int k = 0; w->marks != NULL && k < n_marks(w); ++k)
        if (bosc_mech_is_own(
                w->batch->mechs->mech[kinds[kind_of(w, k)].type.mech])) {
            w->marks[k].next = bosc_alloc(slots + 1, sizeof(int32_t));
            if (w->marks[k].next == NULL)
                return false;
        } else if (BOSC_ALLOC(NULL, NULL, BOSC_ARRAY(w->marks[k].bit, words),
                              BOSC_ARRAY(w->marks[k].before, words)) != BOSC_OK)
            return false;
    return w->marks != NULL;
}

static void work_clear(work *w)
{
    for (int k = 0; w->marks != NULL && k < n_marks(w); ++k) {
        free(w->marks[k].bit);
        free(w->marks[k].before);
        free(w->marks[k].next);
    }
    free(w->marks);
    bosc_synapse_sites_clear(&w->sites);
}

static int32_t count_marks(const bosc_batch *batch, marks *m)
{
    int32_t n = 0;

    for (ptrdiff_t word = 0; word <= batch->layout.n_slots / 64; ++word) {
        m->before[word] = n;
        n += __builtin_popcountll(m->bit[word]);
    }
    return n;
}

/* The instances of one kind, from its marks. */
static bosc_status fill_block(const bosc_batch *batch, marks *m,
                              bosc_mech_block *block, bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    const bosc_status st = bosc_block_alloc(block, count_marks(batch, m), err);
    ptrdiff_t i = 0;

    for (int32_t g = 0; g < layout->n_groups && st == BOSC_OK; ++g) {
        for (ptrdiff_t s = layout->first[g]; s < layout->first[g + 1]; ++s)
            if (m->bit[s / 64] >> s % 64 & 1) {
                block->at[i] = (int32_t)(s - layout->first[g]);
                block->scale[i++] = block->mirror ? 0 : 1;
            }
        block->first[g + 1] = i;
    }
    return st;
}

/* The instances of a kind with one for each connection. */
static bosc_status fill_own_block(const bosc_batch *batch, marks *m,
                                  bosc_mech_block *block, bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    bosc_status st;

    for (ptrdiff_t s = 0; s < layout->n_slots; ++s)
        m->next[s + 1] += m->next[s];
    st = bosc_block_alloc(block, m->next[layout->n_slots], err);
    for (int32_t g = 0; g < layout->n_groups && st == BOSC_OK; ++g) {
        for (ptrdiff_t s = layout->first[g]; s < layout->first[g + 1]; ++s)
            for (ptrdiff_t i = m->next[s]; i < m->next[s + 1]; ++i) {
                block->at[i] = (int32_t)(s - layout->first[g]);
                block->scale[i] = 1;
            }
        block->first[g + 1] = m->next[layout->first[g + 1]];
    }
    return st;
}

/* Block number *number, from marks number k. */
static bosc_status add_block(work *w, int k, int32_t *number, bosc_error *err)
{
    const bosc_job *job = w->model->job;
    const bosc_synapse_spec *kind = &job->network.synapses[kind_of(w, k)];
    const bosc_mech *mech = job->mechs->mech[kind->type.mech];
    bosc_batch *batch = w->batch;
    bosc_mech_block *block = &batch->blocks[batch->n_blocks];
    bosc_status st;

    *number = batch->n_blocks++;
    st = bosc_block_create(mech, kind->type.p, batch->layout.n_groups, block,
                           err);
    block->id = bosc_hash(kind->name);
    block->mirror = k >= job->network.n_synapses;
    if (st == BOSC_OK)
        st = (bosc_mech_is_own(mech) ? fill_own_block : fill_block)(
            batch, &w->marks[k], block, err);
    if (st == BOSC_OK)
        st = bosc_edge_params_vary(w->model, kind_of(w, k), block, err);
    if (st == BOSC_OK)
        bosc_batch_init_block(batch, block, job->celsius);
    w->network->synapse_bytes += (size_t)block->n * bosc_block_bytes(mech, 0);
    return st;
}

/* A block for each kind and its mirrors, in the order of the mechanisms:
 * instances of one block are at different slots, and several kinds may be at
 * one. */
static bosc_status add_blocks(work *w, bosc_error *err)
{
    const bosc_job *job = w->model->job;
    bosc_network *network = w->network;
    const int n_kinds = job->network.n_synapses;
    bosc_status st = BOSC_OK;

    for (int m = 0; m < job->mechs->n; ++m)
        for (int k = 0; k < n_kinds && st == BOSC_OK; ++k) {
            if (job->network.synapses[k].type.mech != m)
                continue;
            st = add_block(w, k, &network->block[k], err);
            for (int32_t i = network->first_mirror[k];
                 i < network->first_mirror[k + 1] && st == BOSC_OK; ++i)
                st = add_block(w, n_kinds + i, &network->mirrors[i].block, err);
        }
    return st;
}

/* --- connections ---------------------------------------------------------- */

static ptrdiff_t instance_at(const marks *m, ptrdiff_t slot)
{
    if (m->next != NULL)
        return m->next[slot]++; /* the order of the visits */

    const uint64_t below = (1ull << slot % 64) - 1;

    return m->before[slot / 64] +
           __builtin_popcountll(m->bit[slot / 64] & below);
}

static bool is_artificial(const work *w, int population)
{
    return w->model->job->populations[population].is_artificial;
}

/* Spikes of neurons are a little late, as NEURON's: t + 1e-10.  INT32_MAX is
 * 'least_delay' where there is no connection. */
static int32_t delay_steps(work *w, const bosc_link *link, double delay)
{
    const bosc_projection_spec *spec = w->in_edges.spec;
    const double late =
        spec->from_index < 0 || is_artificial(w, spec->from_index) ? 0 : 1e-10;
    const double steps = ceil((delay + late) / w->model->job->dt - 0.5);

    if (!(steps < INT32_MAX)) {
        if (w->where == NULL || w->late == w->in_edges.neuron) {
            w->late = w->in_edges.neuron;
            w->too_long = delay;
            w->where =
                isnan(link->delay) ? spec->delay.where : spec->file_where;
        }
        return INT32_MAX;
    }
    return steps > 0 ? (int32_t)steps : 0;
}

/* An instance of its own keeps the weight of its connection; events then carry
 * how much later than their step they come (ms). */
static double keep_weight(const work *w, int k, ptrdiff_t i,
                          const bosc_connection *c, double delay)
{
    const bosc_mech_block *block = &w->batch->blocks[w->network->block[k]];

    if (block->mech->plain)
        return c->weight;
    if (block->mech->n_own < block->mech->n_states)
        block->state[block->mech->n_own][i] = c->weight;
    return delay - c->delay * w->model->job->dt;
}

static void keep(void *what, const bosc_link *link)
{
    work *w = what;
    const int k = bosc_in_edges_kind(&w->in_edges, link);
    bosc_network *network = w->network;
    const int64_t source =
        network->projection_first[w->projection] + link->source;
    const double delay = bosc_in_edges_delay(&w->in_edges, link);
    const ptrdiff_t slot = slot_of(w, link);
    const ptrdiff_t instance = instance_at(&w->marks[k], slot);
    bosc_connection c = {
        .instance = bosc_connection_table_instance(network->connection_table,
                                                   network->block[k], instance),
        .delay = delay_steps(w, link, delay),
        .weight = bosc_in_edges_weight(&w->in_edges, link),
    };

    c.weight = keep_weight(w, k, instance, &c, delay);
    bosc_edge_params_keep(&w->in_edges, link,
                          &w->batch->blocks[network->block[k]], instance);
    if (c.delay < network->least_delay[w->projection])
        network->least_delay[w->projection] = c.delay;
    const double rest = delay - c.delay * w->model->job->dt;

    bosc_connection_table_add_exact(network->connection_table, source, &c,
                                    rest);
    for (int32_t m = first_mirror(w, link); m >= 0;
         m = next_mirror(w, link, m + 1)) {
        c.instance = bosc_connection_table_instance(
            network->connection_table, network->mirrors[m].block,
            instance_at(&w->marks[w->model->job->network.n_synapses + m],
                        slot));
        bosc_connection_table_add_exact(network->connection_table, source, &c,
                                        rest);
    }
}

/* An artificial cell is an instance, the first at its slot: count it, or pass
 * it, before its connections. */
static void visit_cells(work *w)
{
    const bosc_model *model = w->model;

    for (int32_t i = 0; i < model->cells->n; ++i) {
        const bosc_population_spec *population =
            &model->job->populations[model->cells->population[i]];
        const ptrdiff_t slot =
            bosc_slot(&w->batch->layout, i,
                      bosc_local_cells_extent(model->cells, i).soma);

        if (population->is_artificial)
            ++w->marks[population->kind].next[slot + !w->placing];
    }
}

static bosc_status note_mirrors(work *w, bosc_error *err)
{
    const bosc_job *job = w->model->job;
    const bosc_network *network = w->network;

    for (int p = 0; p < job->network.n_projections; ++p) {
        const bosc_projection_spec *spec = &job->network.projections[p];
        const int32_t *first = &network->first_mirror[spec->synapse_index];

        for (int32_t m = first[0]; m < first[1]; ++m) {
            const int64_t number = network->mirrors[m].source;
            const int64_t source = network->projection_first[p] + number;

            if (source < network->n_ids &&
                bosc_mirrors_next(job, network, spec, number, m) == m &&
                !bosc_connection_table_mirror(network->connection_table,
                                              source))
                return bosc_no_memory(err, "the connections");
        }
    }
    return BOSC_OK;
}

static bosc_status connect(work *w, bosc_error *err)
{
    size_t room = (size_t)w->batch->n_blocks;
    bosc_status st = BOSC_OK;

    for (int p = 0; p < w->model->job->network.n_projections && st == BOSC_OK;
         ++p)
        st = bosc_in_edges_check(w->model, p, err);
    if (st == BOSC_OK)
        st = bosc_connection_table_create(w->batch, w->network->n_ids,
                                          &w->network->connection_table, err);
    if (st == BOSC_OK && !marks_create(w))
        st = bosc_no_memory(err, "the synapses");
    if (st == BOSC_OK && bosc_job_has_artificial(w->model->job))
        bosc_connection_table_expect_late(w->network->connection_table);
    if (st == BOSC_OK)
        visit_cells(w);
    if (st == BOSC_OK)
        st = visit_all(w, mark, err);
    if (st == BOSC_OK &&
        !bosc_grow(&w->batch->blocks, &room, room + (size_t)n_marks(w),
                   sizeof *w->batch->blocks))
        st = bosc_no_memory(err, "the synapses");
    if (st == BOSC_OK)
        st = add_blocks(w, err);
    if (st == BOSC_OK)
        st = bosc_connection_table_reserve(w->network->connection_table, err);
    if (st == BOSC_OK) {
        w->placing = true;
        visit_cells(w);
        st = visit_all(w, keep, err);
    }
    if (st == BOSC_OK)
        st = note_mirrors(w, err);
    if (st == BOSC_OK)
        st = bosc_connection_table_seal(w->network->connection_table, err);
    return st;
}

bosc_status bosc_network_create(const bosc_model *model, bosc_batch *batch,
                                bosc_network *network, bosc_error *err)
{
    const double began = bosc_now();
    work w = {.model = model,
              .batch = batch,
              .network = network,
              .in_edges = {.model = model}};
    bosc_status st = number(model, network, err);

    if (st == BOSC_OK)
        st = connect(&w, err);
    work_clear(&w);
    network->seconds = bosc_now() - began;
    return st;
}
