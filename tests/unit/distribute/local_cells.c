/* Templates that are made when needed: what is packed from them. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/batch/batch_build.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

static const char text[] =
    "tstop: 10\n"
    "populations:\n"
    "  - {name: a, synthetic: {compartments: [5, 691], sections: [2, 341]},\n"
    "     count: 90, regions: {all: {cm: 1.5, pas: {}}, soma: {hh: {}},\n"
    "     axon: {hh: {gnabar: 0.05}}}}\n"
    "  - {name: b, synthetic: {compartments: 3, sections: 1}, count: 3,\n"
    "     regions: {all: {hh: {}}}}\n"
    "  - {name: c, synthetic: {compartments: 319, sections: 157}, count: 27,\n"
    "     regions: {all: {pas: {}}, dendrite: {hh: {}}}}\n"
    "clamps:\n"
    "  - {population: a, neurons: 7, at: \"dend[0](0.5)\",\n"
    "     duration: 5, amplitude: 0.1}\n"
    "  - {at: soma, duration: 5, amplitude: 0.1}\n"
    "probes:\n"
    "  - {name: soma, at: soma, variables: v}\n"
    "  - {name: tree, population: c, neurons: 3, at: everywhere, variables: "
    "v}\n"
    "  - {name: axon, population: c, at: \"axon[0](1)\", variables: v}\n";

typedef struct setting {
    bosc_job *job;
    bosc_gid_table *gid_table;
    bosc_local_cells forest;
} setting;

static void need(bosc_status st, const bosc_error *err)
{
    if (st != BOSC_OK) {
        printf("Bail out! %s\n", err->text);
        exit(1);
    }
}

/* The job, with one more probe on population a. */
static setting start(bool kept, const char *place)
{
    char *job = bosc_format(
        "%s%s%s%s", text,
        place == NULL ? "" : "  - {name: more, population: a, at: \"",
        place == NULL ? "" : place, place == NULL ? "" : "\"}\n");
    setting s = {NULL, NULL, {0}};
    bosc_local_cells *f = &s.forest;
    bosc_error err;

    need(bosc_job_parse(test_mechs(), "job.yaml", job, 0, NULL, &s.job, &err),
         &err);
    need(bosc_gid_table_create(s.job, &s.gid_table, &err), &err);
    free(job);
    *f = (bosc_local_cells){.job = s.job, .gid_table = s.gid_table};
    f->n = f->n_templates = (int32_t)s.gid_table->n_neurons;
    f->gid = bosc_alloc((size_t)f->n, sizeof *f->gid);
    f->population = bosc_alloc((size_t)f->n, sizeof *f->population);
    f->template_index = bosc_alloc((size_t)f->n, sizeof *f->template_index);
    f->cable = bosc_alloc((size_t)f->n, sizeof *f->cable);
    for (int32_t i = 0; i < f->n; ++i) {
        bosc_acquired_cable loan;

        f->gid[i] = i;
        f->population[i] = bosc_gid_table_find(s.gid_table, i)->population;
        f->template_index[i] = i;
        if (!kept)
            continue;
        need(bosc_local_cells_acquire(f, i, &loan, &err), &err);
        f->cable[i] = loan.own;
    }
    return s;
}

static void end(setting *s)
{
    for (int32_t i = 0; i < s->forest.n; ++i)
        bosc_cable_destroy(s->forest.cable[i]);
    free(s->forest.gid);
    free(s->forest.population);
    free(s->forest.template_index);
    free(s->forest.cable);
    bosc_gid_table_destroy(s->gid_table);
    bosc_job_destroy(s->job);
}

static bosc_built_batch *pack(const setting *s)
{
    bosc_built_batch *packed = NULL;
    bosc_error err;

    need(bosc_batch_build(&(bosc_model){s->job, s->gid_table, &s->forest, NULL},
                          (bosc_grouping){.width = 4, .threads = 1}, &packed,
                          &err),
         &err);
    return packed;
}

static bool same(const void *a, const void *b, size_t n, size_t size)
{
    return memcmp(a, b, n * size) == 0;
}

/* Two loans of each neuron, and what is said of them without one. */
static void test_loans(const setting *s)
{
    int different = 0, wrong = 0;

    for (int32_t i = 0; i < s->forest.n; ++i) {
        const bosc_extent extent = bosc_local_cells_extent(&s->forest, i);
        bosc_acquired_cable x, y;
        bosc_error err;

        need(bosc_local_cells_acquire(&s->forest, i, &x, &err), &err);
        need(bosc_local_cells_acquire(&s->forest, i, &y, &err), &err);

        const size_t size = bosc_cable_packed_size(x.cable);
        char *a = bosc_alloc(size, 1), *b = bosc_alloc(size, 1);

        bosc_cable_pack(x.cable, a);
        if (size == bosc_cable_packed_size(y.cable))
            bosc_cable_pack(y.cable, b);
        different += memcmp(a, b, size) != 0;
        wrong += extent.compartments != x.cable->n ||
                 extent.sections != x.cable->n_sections ||
                 extent.soma != x.cable->soma ||
                 x.cable->sections[0].region != BOSC_SOMA ||
                 x.cable->section[extent.soma] != 0 ||
                 bosc_cable_x(x.cable, extent.soma) != 0.5;
        free(a);
        free(b);
        bosc_local_cells_release(&x);
        bosc_local_cells_release(&y);
    }
    ok(different == 0, "a template is the same every time that it is lent");
    ok(wrong == 0, "its size and its soma are known without it");
}

static bool same_blocks(const bosc_batch *a, const bosc_batch *b)
{
    bool equal = a->n_blocks == b->n_blocks;

    for (int32_t k = 0; k < a->n_blocks && equal; ++k) {
        const bosc_mech_block *x = &a->blocks[k], *y = &b->blocks[k];
        const size_t n = (size_t)x->n;

        equal = x->mech == y->mech && x->n == y->n &&
                same(x->first, y->first, (size_t)a->layout.n_groups + 1,
                     sizeof *x->first) &&
                same(x->at, y->at, n, sizeof *x->at) &&
                same(x->scale, y->scale, n, sizeof *x->scale) &&
                same(x->state[0], y->state[0], n, sizeof(double));
    }
    return equal;
}

static bool same_columns(const bosc_columns *x, const bosc_columns *y)
{
    bool equal = x->n == y->n;

    for (int64_t c = 0; c < x->n && equal; ++c) {
        const bosc_column *a = &x->column[c], *b = &y->column[c];

        equal = a->gid == b->gid && a->node == b->node &&
                a->region == b->region && a->number == b->number &&
                a->x == b->x;
    }
    return equal;
}

static void test_packed(const bosc_built_batch *x, const bosc_built_batch *y)
{
    const bosc_batch *a = &x->batch, *b = &y->batch;
    const size_t n = (size_t)a->layout.n_slots;
    int trees = 0, columns = 0;

    ok(same(a->system.u, b->system.u, n, sizeof *a->system.u) &&
           same(a->system.d, b->system.d, n, sizeof *a->system.d) &&
           same(a->system.c, b->system.c, n, sizeof *a->system.c) &&
           same(a->system.e, b->system.e, n, sizeof *a->system.e) &&
           same(a->v, b->v, n, sizeof *a->v),
       "matrix and voltages are the same whether templates are kept or made");
    ok(same_blocks(a, b), "and so are the mechanisms");
    for (int32_t s = 0; s < a->n_trees; ++s)
        trees += a->trees[s].n != b->trees[s].n ||
                 !same(a->trees[s].parent, b->trees[s].parent,
                       (size_t)a->trees[s].n, sizeof(int32_t));
    ok(trees == 0 &&
           same(x->area, y->area, (size_t)a->layout.n_neurons, sizeof *x->area),
       "the trees and the areas");
    for (int32_t p = 0; p < x->n_probes; ++p)
        columns += !same_columns(&x->columns[p], &y->columns[p]);
    ok(columns == 0 && x->columns[1].n == 319 && x->columns[2].n == 27,
       "what is recorded");
    columns = a->n_blocks != b->n_blocks || a->n_detectors != b->n_detectors;
    for (int32_t k = 0; k < a->n_blocks && columns == 0; ++k)
        columns = !same(a->blocks[k].at, b->blocks[k].at,
                        (size_t)a->blocks[k].n, sizeof *a->blocks[k].at);
    for (ptrdiff_t k = 0; k < a->n_detectors && columns == 0; ++k)
        columns = a->detectors[k].slot != b->detectors[k].slot;
    ok(columns == 0, "and what is clamped and watched");
}

/* Each compartment with membrane has its mechanism once, where it is. */
static void test_instances(const setting *s, const bosc_built_batch *packed)
{
    const bosc_batch *batch = &packed->batch;
    ptrdiff_t want = 0, have = 0;
    int wrong = 0;

    for (int32_t i = 0; i < s->forest.n; ++i) {
        const bosc_population_spec *spec =
            &s->job->populations[s->forest.population[i]];
        const bosc_cable *cable = bosc_local_cells_cable(&s->forest, i);

        for (int32_t k = 0; k < cable->n; ++k) {
            const int32_t r = cable->sections[cable->section[k]].region;
            const ptrdiff_t slot = bosc_slot(&batch->layout, i, k);
            int found = 0;

            for (int32_t b = 0; b < batch->n_blocks; ++b) {
                const ptrdiff_t at =
                    batch->blocks[b].mech->kind == BOSC_MECH_POINT
                        ? -1
                        : bosc_block_find(batch, b, slot);

                found += at >= 0;
                wrong += at >= 0 &&
                         batch->blocks[b].scale[at] != cable->area[k] * 1e-2;
            }
            want += found;
            wrong += found != (cable->area[k] > 0 &&
                               spec->membranes[r].spec.mech[BOSC_MECH_hh].has);
        }
    }
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        have += batch->blocks[b].mech->kind == BOSC_MECH_POINT
                    ? 0
                    : batch->blocks[b].n;
    ok(wrong == 0 && want == have && have > 1000,
       "mechanisms are where their regions have membrane, and nowhere else");
}

/* Of all neurons that do not have it the first is told, whoever was quickest.
 */
static void test_missing(const setting *kept)
{
    setting s = start(false, "axon[9](1)");
    bosc_built_batch *packed = NULL;
    bosc_error err = {""};
    int32_t first = 0;

    while (bosc_cable_node(bosc_local_cells_cable(&kept->forest, first),
                           BOSC_AXON, 9, 1) >= 0)
        ++first;

    char *want = bosc_format("neuron %d (population a) has no section axon[9]",
                             (int)first);
    char *none =
        bosc_format("neuron %d (population a) has no axon section", (int)first);

    ok(bosc_batch_build(&(bosc_model){s.job, s.gid_table, &s.forest, NULL},
                        (bosc_grouping){.width = 4, .threads = 1}, &packed,
                        &err) == BOSC_EVALUE &&
           (strstr(err.text, want) != NULL || strstr(err.text, none) != NULL) &&
           packed == NULL,
       "a section that some do not have is refused, with the first of them");
    diag("%s", err.text);
    free(want);
    free(none);
    end(&s);
}

/* Long work between two agreements ends when a signal was caught. */
static void test_signal(const setting *kept)
{
    bosc_built_batch *packed = NULL;
    bosc_error err = {""};
    bosc_acquired_cable loan;

    bosc_signals_catch();
    raise(SIGUSR1);
    ok(bosc_local_cells_acquire(&kept->forest, 0, &loan, &err) == BOSC_EINTR,
       "once a signal was caught no template is lent");
    ok(bosc_batch_build(
           &(bosc_model){kept->job, kept->gid_table, &kept->forest, NULL},
           (bosc_grouping){.width = 4, .threads = 1}, &packed,
           &err) == BOSC_EINTR &&
           strstr(err.text, "stopped by signal") != NULL && packed == NULL,
       "and packing ends with its message");
}

int main(void)
{
    setting lent = start(false, NULL), kept = start(true, NULL);
    bosc_built_batch *x = pack(&lent), *y = pack(&kept);

    test_loans(&lent);
    test_packed(x, y);
    test_instances(&kept, y);
    test_missing(&kept);
    test_signal(&kept);
    bosc_built_batch_destroy(x);
    bosc_built_batch_destroy(y);
    end(&lent);
    end(&kept);
    return done_testing();
}
