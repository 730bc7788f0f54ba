#include "tests/lib/mechs.h"
#include "tests/lib/netlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/netcdf_files.h"
#include "src/morphology/section.h"

/* Longer than any delay, in steps: then spikes of sources do not mix. */
enum { WINDOW = 700 };

static const char head[] =
    "tstop: 10\n"
    "populations:\n"
    "  - {name: a, synthetic: {compartments: 3, sections: 1}, count: 12,\n"
    "     positions: {box: [100, 100, 0]}, regions: {all: {pas: {}}}}\n"
    "  - {name: b, synthetic: {compartments: 3, sections: 1}, count: 9,\n"
    "     positions: {box: [100, 100, 50]}, regions: {all: {pas: {}}}}\n"
    "  - {name: c, synthetic: {compartments: 3, sections: 1}, count: 200,\n"
    "     positions: {box: [300, 200, 100]}, regions: {all: {pas: {}}, "
    "middle: {where: {region: dendrite, distance: [20, 110]}}}}\n"
    "synapses:\n"
    "  - {name: ampa, type: ExpSyn}\n"
    "  - {name: gaba, type: Exp2Syn, tau1: 1, tau2: 5}\n"
    "sources:\n"
    "  - {name: beat, type: regular, count: 6, interval: 1}\n"
    "projections:\n";

static const char cell[] = "1 1 0 0 0 5 -1\n2 1 20 0 0 5 1\n"
                           "3 3 50 0 0 1 2\n4 3 80 0 0 1 3\n"
                           "5 3 80 30 0 2 4\n6 3 80 -50 0 0.5 4\n"
                           "7 2 20 40 0 0.5 2\n";

static void need(bosc_status st, const bosc_error *err)
{
    if (st != BOSC_OK) {
        printf("Bail out! %s\n", err->text);
        exit(1);
    }
}

/* --- the job -------------------------------------------------------------- */

static bosc_cable *make_cable(void)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;
    bosc_swc *swc = NULL;
    bosc_error err;

    spec.policy = BOSC_MAX_LENGTH; /* not as many in every section */
    spec.max_length = 12;
    spec.points = true; /* regions of the user's own need them */
    need(bosc_swc_parse(cell, strlen(cell), "cell", false, &swc, &err), &err);
    need(bosc_cable_cut(swc, &spec, "cell", &cable, &err), &err);
    bosc_swc_destroy(swc);
    return cable;
}

static netlist start(const char *projections)
{
    char *text = bosc_format("%s%s", head, projections);
    netlist list = {.cable = make_cable()};
    bosc_error err;

    need(bosc_job_parse(test_mechs(), "net.yaml", text, 0, NULL, &list.job,
                        &err),
         &err);
    list.job->files = &bosc_netcdf_files;
    need(bosc_gid_table_create(list.job, &list.gid_table, &err), &err);
    free(text);
    return list;
}

void netlist_clear(netlist *list)
{
    bosc_cable_destroy(list->cable);
    bosc_gid_table_destroy(list->gid_table);
    bosc_job_destroy(list->job);
    free(list->arc);
    *list = (netlist){0};
}

/* --- a part of it --------------------------------------------------------- */

/* Neurons 'part', part + parts, ... */
typedef struct share {
    bosc_local_cells forest;
    bosc_built_batch *packed;
} share;

static void share_clear(share *s)
{
    bosc_built_batch_destroy(s->packed);
    free(s->forest.gid);
    free(s->forest.population);
    free(s->forest.template_index);
}

static bosc_status share_make(const netlist *list, const int part_parts[2],
                              const bosc_network_files *files, share *s,
                              bosc_error *err)
{
    const int64_t n = list->gid_table->n_neurons;
    bosc_local_cells *f = &s->forest;

    *s = (share){.forest = {.n_templates = 1}};
    f->gid = bosc_alloc((size_t)n, sizeof *f->gid);
    f->population = bosc_alloc((size_t)n, sizeof *f->population);
    f->template_index = bosc_alloc((size_t)n, sizeof *f->template_index);
    f->cable = (bosc_cable **)&list->cable;
    for (int64_t gid = part_parts[0]; gid < n; gid += part_parts[1]) {
        f->gid[f->n] = gid;
        f->population[f->n++] =
            bosc_gid_table_find(list->gid_table, gid)->population;
    }
    return bosc_batch_build(&(bosc_model){list->job, list->gid_table, f, files},
                            (bosc_grouping){.width = 4, .threads = 1},
                            &s->packed, err);
}

/* --- its connections ------------------------------------------------------ */

static netlist_arc arc_of(const share *s, int64_t source, int32_t group,
                          const bosc_event *event)
{
    const bosc_batch *batch = &s->packed->batch;
    const bosc_mech_block *block = &batch->blocks[event->block];
    const ptrdiff_t i = block->first[group] + event->instance;
    const bosc_element at = bosc_layout_at(&batch->layout, group, block->at[i]);

    return (netlist_arc){.source = source,
                         .target = s->forest.gid[at.neuron],
                         .mech =
                             bosc_mechs_find(test_mechs(), block->mech->name),
                         .node = at.i,
                         .delay = (int32_t)(event->step - source * WINDOW),
                         .weight = event->value};
}

/* What a source's spike does. */
static void harvest_source(const share *s, int64_t source, netlist *list)
{
    const int32_t n_groups = s->packed->batch.layout.n_groups;
    bosc_connection_table *connection_table = s->packed->net.connection_table;
    const int64_t step = source * WINDOW;
    const bosc_spike spike = bosc_spike_detected(step, source);
    bosc_events events;
    bosc_error err;

    need(bosc_connection_table_enqueue(connection_table, 1, &spike, &err),
         &err);
    need(bosc_connection_table_deliver(connection_table, step, step + WINDOW,
                                       &events, &err),
         &err);
    if (!bosc_grow(&list->arc, &list->capacity,
                   list->n + (size_t)events.first[n_groups], sizeof *list->arc))
        need(bosc_no_memory(&err, "arcs"), &err);
    for (int32_t g = 0; g < n_groups; ++g)
        for (ptrdiff_t i = events.first[g]; i < events.first[g + 1]; ++i)
            list->arc[list->n++] = arc_of(s, source, g, &events.event[i]);
}

static int by_all(const void *a, const void *b)
{
    const netlist_arc *x = a, *y = b;
    const int64_t differences[] = {x->source - y->source, x->target - y->target,
                                   x->mech - y->mech, x->node - y->node,
                                   x->delay - y->delay};

    for (size_t i = 0; i < BOSC_LEN(differences); ++i)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

netlist netlist_create(const char *projections, int parts,
                       const bosc_network_files *files)
{
    netlist list = start(projections);
    bosc_error err;

    for (int part = 0; part < parts; ++part) {
        share s;

        need(share_make(&list, (const int[]){part, parts}, files, &s, &err),
             &err);
        for (int64_t id = 0; id < s.packed->net.n_ids; ++id)
            harvest_source(&s, id, &list);
        list.bytes += (size_t)bosc_connection_table_bytes(
                          (double)bosc_connection_table_connections(
                              s.packed->net.connection_table),
                          (double)s.packed->net.n_ids) +
                      s.packed->net.synapse_bytes;
        for (int p = 0; p < list.job->network.n_projections; ++p)
            list.made += s.packed->net.made[p];
        share_clear(&s);
    }
    if (list.n > 0)
        qsort(list.arc, list.n, sizeof *list.arc, by_all);
    return list;
}

bosc_error netlist_refused(const char *projections)
{
    netlist list = start(projections);
    bosc_error err = {"not refused"};
    share s;

    share_make(&list, (const int[]){0, 1}, NULL, &s, &err);
    share_clear(&s);
    netlist_clear(&list);
    return err;
}

/* --- questions ------------------------------------------------------------ */

int netlist_count(const netlist *list, int64_t source, int64_t target)
{
    size_t low = 0, high = list->n;
    int n = 0;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const netlist_arc *arc = &list->arc[middle];

        if (arc->source < source ||
            (arc->source == source && arc->target < target))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < list->n; ++low, ++n)
        if (list->arc[low].source != source || list->arc[low].target != target)
            break;
    return n;
}

bool netlist_same(const netlist *a, const netlist *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; ++i)
        if (by_all(&a->arc[i], &b->arc[i]) != 0)
            return false;
    return true;
}
