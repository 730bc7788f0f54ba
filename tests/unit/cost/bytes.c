/* What modules say that they allocate, against what malloc() then holds. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/gpu/chip/chip_bytes.h"
#include "kernels/gpu/chip/chip_plan.h"
#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/batch/batch_build.h"
#include "src/io/result.h"
#include "src/model/template_table.h"
#include "src/network/connection_table.h"
#include "src/network/network_load.h"
#include "src/plan/memory.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

enum { NEURONS = 2000, LANES = 4 };

static const char job_text[] =
    "tstop: 0.025\n"
    "populations:\n"
    "  - name: a\n"
    "    synthetic: {compartments: [76, 691], sections: [7, 341]}\n"
    "    count: 2000\n"
    "    regions: {all: {pas: {}}, soma: {hh: {}}}\n"
    "synapses: [{name: s, type: ExpSyn}]\n"
    "sources: [{name: p, type: poisson, rate: 1, count: 1000}]\n"
    "projections:\n"
    "  - {from: p, to: a, synapse: s, rule: fixed_indegree, indegree: 50,\n"
    "     weight: 1e-4, delay: 1}\n"
    "probes: [{name: all, at: everywhere}]\n";

/* Bytes that malloc() has given out. */
static double held(void)
{
    const struct mallinfo2 info = mallinfo2();

    return (double)info.uordblks + (double)info.hblkhd;
}

/* Sanitizers have an allocator of their own, which mallinfo2() does not see. */
static bool sees_malloc(void)
{
    const double before = held();
    void *volatile block = malloc(1 << 16);
    const bool seen = held() > before;

    free(block);
    return seen;
}

static void agree(double expected, double before, const char *what)
{
    const double found = held() - before;

    if (!sees_malloc()) {
        skip("%s: another allocator than that of the C library", what);
        return;
    }
    ok(fabs(expected - found) < 0.04 * found + 4096,
       "%s: %.0f bytes expected, %.0f held", what, expected, found);
}

typedef struct scene {
    bosc_job *job;
    bosc_gid_table *gid_table;
    bosc_template_table template_table;
    bosc_workload workload;
    bosc_local_cells cells;
    int64_t compartments;
} scene;

/* All neurons of the job on one rank. */
static bool scene_create(scene *s, bosc_error *err)
{
    *s = (scene){0};
    if (bosc_job_parse(test_mechs(), "job", job_text, 0, NULL, &s->job, err) !=
            BOSC_OK ||
        bosc_gid_table_create(s->job, &s->gid_table, err) != BOSC_OK ||
        bosc_template_table_create(s->job, s->gid_table, &s->template_table,
                                   err) != BOSC_OK ||
        bosc_workload_create(&s->template_table, LANES, 10, bosc_memory_add_up,
                             &s->workload, err) != BOSC_OK)
        return false;
    s->cells = (bosc_local_cells){.job = s->job, .gid_table = s->gid_table};

    const double before = held();

    if (bosc_local_cells_alloc(&s->cells, NEURONS, err) != BOSC_OK)
        return false;
    agree(bosc_local_cells_bytes(NEURONS), before, "local cells");
    s->cells.n = s->cells.n_templates = NEURONS;
    for (int32_t i = 0; i < NEURONS; ++i)
        s->cells.gid[i] = s->cells.template_index[i] = i;
    for (int32_t i = 0; i < NEURONS; ++i)
        s->compartments +=
            bosc_template_table_size(&s->template_table, 0, i).compartments;
    return true;
}

static void scene_clear(scene *s)
{
    free(s->cells.gid);
    free(s->cells.population);
    free(s->cells.template_index);
    free(s->cells.cable);
    bosc_workload_clear(&s->workload);
    bosc_template_table_clear(&s->template_table);
    bosc_gid_table_destroy(s->gid_table);
    bosc_job_destroy(s->job);
}

/* Many: malloc() keeps some of what one needs for a moment. */
static void test_cables(const scene *s)
{
    enum { MANY = 300 };
    const double before = held();
    bosc_acquired_cable made[MANY];
    double expected = 0;
    bool all = true;

    for (int32_t i = 0; i < MANY; ++i) {
        all = all &&
              bosc_local_cells_acquire(&s->cells, i, &made[i], NULL) == BOSC_OK;
        expected += bosc_cable_bytes(made[i].cable->n,
                                     made[i].cable->n_sections, false);
    }
    ok(all, "templates are made");
    agree(expected, before, "their bytes");
    for (int32_t i = 0; i < MANY; ++i)
        bosc_local_cells_release(&made[i]);
}

static void test_connections(const bosc_batch *batch)
{
    const double before = held();
    const int64_t sources = 300000;
    bosc_connection_table *table = NULL;

    if (bosc_connection_table_create(batch, sources, &table, NULL) == BOSC_OK)
        agree(bosc_connection_table_bytes(0, (double)sources), before,
              "a connection table");
    bosc_connection_table_destroy(table);
}

/* A batch of one rank, and the engine for it. */
static void test_batch(scene *s)
{
    const bosc_model model = {s->job, s->gid_table, &s->cells,
                              &(bosc_network_files){0}};
    const bosc_memory *m = &s->workload.memory;
    const double before = held(), n = (double)s->compartments;
    bosc_built_batch *built = NULL;
    bosc_error err = {""};

    if (!ok(bosc_batch_build(&model,
                             (bosc_grouping){.width = LANES, .threads = 1},
                             &built, &err) == BOSC_OK,
            "a batch is built %s", err.text))
        return;

    const bosc_layout *layout = &built->batch.layout;
    double expected = bosc_layout_bytes(NEURONS).kept +
                      bosc_batch_bytes((double)layout->n_slots) +
                      bosc_built_batch_bytes(NEURONS, n, n, n) +
                      bosc_connection_table_bytes(50 * NEURONS, NEURONS + 1000);

    for (int32_t b = 0; b < built->batch.n_blocks; ++b)
        expected +=
            (double)built->batch.blocks[b].n *
                (double)bosc_block_bytes(built->batch.blocks[b].mech, 0) +
            layout->n_groups * sizeof *built->batch.blocks[b].first;
    expected +=
        bosc_event_maker_bytes(layout->n_groups, s->job->network.n_synapses, 0);
    agree(expected, before, "a batch");
    ok(m->slot >= bosc_batch_bytes(1) && m->value > 0 && m->dividing > 0 &&
           m->root > bosc_result_bytes(),
       "the model has them all");
    test_connections(&built->batch);
    bosc_built_batch_destroy(built);
}

/* Bytes of the images and maps of a batch's cell blocks, on a GPU with the
 * shared memory of an H200. */
static double bytes_of_images(bosc_batch *batch, bosc_error *err)
{
    static const bosc_chip_class classes[BOSC_CHIP_CLASSES] = {
        {false, 8, 113000, 264, false},
        {false, 16, 230000, 132, false},
        {true, 8, 113000, 264, false},
        {true, 16, 230000, 132, false},
        {false, 8, 1 << 30, 264, true}};
    bosc_step_io io = {0};
    bosc_rows rows = {0};
    bosc_chip_plan plan = {0};
    double bytes = 0;

    if (bosc_step_io_init(&io, batch, 1, err) == BOSC_OK &&
        bosc_rows_create(batch, NULL, 0, 2, &rows, err) == BOSC_OK &&
        bosc_chip_plan_create(
            &(bosc_chip_plan_input){batch, &rows, &io, classes, NULL}, &plan,
            err) == BOSC_OK)
        for (int32_t i = 0; i < plan.n; ++i)
            bytes += plan.cells[i].block.whole +
                     (double)bosc_chip_places(&plan.cells[i].block) *
                         (double)sizeof *plan.cells[i].map;
    bosc_chip_plan_clear(&plan);
    bosc_rows_clear(&rows);
    bosc_step_io_clear(&io);
    return bytes;
}

/* What a backend on GPUs holds, or without one what it would hold most of. */
static double held_by_gpu(bosc_batch *batch, const bosc_method *method,
                          bosc_error *err)
{
    bosc_engine *engine = NULL;
    double bytes;

    if (bosc_backend_available(method->backend, NULL) != BOSC_OK) {
        bytes = bytes_of_images(batch, err) +
                (double)batch->layout.n_slots * (double)sizeof *batch->v +
                (110 + 2 * (double)sizeof(bosc_spike) * bosc_spikes_room(0)) *
                    NEURONS; /* detectors, spikes of two launches */
        for (int32_t b = 0; b < batch->n_blocks; ++b)
            bytes += (double)batch->blocks[b].n *
                     (1 + batch->blocks[b].mech->n_states) *
                     (double)sizeof(double);
        return bytes;
    }
    if (method->engine.ops->create(batch, method->engine.variant, 2, &engine,
                                   err) != BOSC_OK)
        return 0;
    bytes = (double)method->engine.ops->device_bytes(engine);
    method->engine.ops->destroy(engine);
    return bytes;
}

static void test_device(const char *mechs, const char *shapes, const char *what)
{
    char text[700];
    bosc_error err = {""};
    scene s = {0};
    bosc_built_batch *built = NULL;
    double expected = 0, found = 0;

    snprintf(text, sizeof text,
             "tstop: 0.025\nbackend: cuda\nmethod: cell-blocks\n"
             "populations:\n  - name: a\n    synthetic: {%s}\n"
             "    count: %d\n    regions: {%s}\n",
             shapes, NEURONS, mechs);
    if (bosc_job_parse(test_mechs(), "job", text, 0, NULL, &s.job, &err) !=
        BOSC_OK) {
        skip("%s: %s", what, err.text);
        return;
    }
    if (bosc_gid_table_create(s.job, &s.gid_table, &err) == BOSC_OK &&
        bosc_template_table_create(s.job, s.gid_table, &s.template_table,
                                   &err) == BOSC_OK &&
        bosc_workload_create(&s.template_table, 32, 10, bosc_memory_add_up,
                             &s.workload, &err) == BOSC_OK) {
        s.cells = (bosc_local_cells){.job = s.job, .gid_table = s.gid_table};
        bosc_local_cells_alloc(&s.cells, NEURONS, &err);
        s.cells.n = s.cells.n_templates = NEURONS;
        for (int32_t i = 0; i < NEURONS; ++i) {
            const bosc_template_size size =
                bosc_template_table_size(&s.template_table, 0, i);

            s.cells.gid[i] = s.cells.template_index[i] = i;
            expected += bosc_workload_device_bytes(&s.workload, 0, &size, 1);
        }
        if (bosc_batch_build(&(bosc_model){s.job, s.gid_table, &s.cells,
                                           &(bosc_network_files){0}},
                             (bosc_grouping){.width = 32, .threads = 1}, &built,
                             &err) == BOSC_OK &&
            bosc_batch_prepare(&built->batch, &err) == BOSC_OK)
            found = held_by_gpu(&built->batch, s.job->compute.solver, &err);
    }
    /* Few neurons are spread over all multiprocessors, and fill cell blocks
     * less well. */
    const bool spread =
        bosc_backend_available(s.job->compute.solver->backend, NULL) == BOSC_OK;

    ok(fabs(expected - found) < (spread ? 0.2 : 0.1) * found,
       "%s: %.0f bytes of a GPU expected, %.0f held %s", what, expected, found,
       err.text);
    bosc_built_batch_destroy(built);
    scene_clear(&s);
}

int main(void)
{
    static const char wide[] = "compartments: [76, 691], sections: [7, 341]";
    bosc_error err = {""};
    scene s;

    test_device("all: {pas: {}}, soma: {hh: {}}", wide, "hh in somata");
    test_device("all: {pas: {}}", "compartments: 200, sections: 20", "passive");
    test_device("all: {hh: {}}", wide, "hh everywhere");

    if (ok(scene_create(&s, &err), "a job has a model of its memory %s",
           err.text)) {
        test_cables(&s);
        test_batch(&s);
    }
    scene_clear(&s);
    return done_testing();
}
