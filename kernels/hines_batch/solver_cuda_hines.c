/* solver_cuda_hines.c - the papers' ways to lay neurons out for one thread
 * each: hines-flat, -interleaved, -block, -block-shared, -vbatch-cp, -ncp.
 */
#include <stdlib.h>

#include "kernels/hines_batch/cuda_hines_launch.h"
#include "src/base/mem.h"

enum { DEFAULT_BLOCK = 128, DEFAULT_NEAR_BLOCK = 32 };
enum { MIN_BLOCK = 32, MAX_BLOCK = 512 };
enum { THREADS = 128 }; /* of a block that does not share b */

/* What a variant is made of. */
static const struct {
    bool whole;   /* all neurons are one group */
    bool block;   /* groups are blocks; else, each neuron is one */
    bool near_b;  /* b in shared memory */
    bool own;     /* parents and u for each slot: neighbours differ */
    bool padding; /* is computed */
} variants[] = {
    [BOSC_CUDA_FLAT] = {0},
    [BOSC_CUDA_INTERLEAVED] = {.whole = true},
    [BOSC_CUDA_BLOCK] = {.block = true},
    [BOSC_CUDA_BLOCK_SHARED] = {.block = true, .near_b = true},
    [BOSC_CUDA_VBATCH_CP] = {.block = true, .own = true, .padding = true},
    [BOSC_CUDA_VBATCH_NCP] = {.block = true, .own = true},
};

/* Neurons of a block.  As in cuHinesBatch a block of threads has 128 of them,
 * however many neurons a block of the layout has; those that share memory for
 * b are the neurons of one block. */
static bosc_status choose_block(int variant, int32_t asked, int32_t *width,
                                int32_t *threads, bosc_error *err)
{
    if (asked != 0 && (asked < MIN_BLOCK || asked > MAX_BLOCK))
        return bosc_fail(err, BOSC_EVALUE,
                         "blocks of %d neurons; from %d to %d", asked,
                         MIN_BLOCK, MAX_BLOCK);
    if (asked != 0 && variants[variant].block)
        *width = asked;
    else if (variants[variant].near_b)
        *width = DEFAULT_NEAR_BLOCK;
    else
        *width = DEFAULT_BLOCK;
    *threads = variants[variant].near_b ? *width : THREADS;
    return BOSC_OK;
}

/* Neurons of a group: rounded up to a warp, so that its rows are aligned. */
static int32_t group_width(int variant, int32_t n, int32_t block)
{
    const int32_t warp = 32;

    if (variants[variant].whole)
        return n == 0 ? warp : (n - 1) / warp * warp + warp;
    return variants[variant].block ? block : 1;
}

static bosc_status hines_layout(int variant, const bosc_systems *systems,
                                const bosc_solver_options *options,
                                bosc_layout *layout, bosc_error *err)
{
    int32_t block = 0, threads = 0;
    const bosc_status st =
        choose_block(variant, options->block, &block, &threads, err);

    return st != BOSC_OK
               ? st
               : bosc_layout_create_whole(
                     systems->n_neurons, systems->shape, systems->trees,
                     group_width(variant, systems->n_neurons, block), false,
                     layout, err);
}

static bosc_status choose_near(const bosc_cuda_solver *solver,
                               const bosc_layout *layout, bosc_hines_own *own,
                               bosc_error *err)
{
    const size_t limit = bosc_cuda_shared_limit();
    int32_t rows = 0;

    if (!variants[solver->variant].near_b)
        return BOSC_OK;
    for (int32_t g = 0; g < layout->n_groups; ++g)
        rows = layout->rows[g] > rows ? layout->rows[g] : rows;
    own->near_bytes = (size_t)rows * (size_t)own->threads *
                      (solver->single ? sizeof(float) : sizeof(double));
    if (own->near_bytes > limit)
        return bosc_fail(err, BOSC_EVALUE,
                         "blocks of %d neurons of %d compartments: b takes %zu "
                         "bytes of shared memory, of %zu; use smaller blocks, "
                         "or hines-block",
                         own->threads, rows, own->near_bytes, limit);
    return BOSC_OK;
}

/* The plan on the device; 'lanes' stays the host's. */
static bosc_status upload(bosc_cuda_solver *solver, const bosc_lanes *lanes,
                          bosc_lanes *device, bosc_error *err)
{
    const size_t n = (size_t)lanes->n_lanes;
    const bosc_cuda_plan_array arrays[] = {
        {&device->rows, lanes->rows, n * sizeof *lanes->rows},
        {&device->first, lanes->first, n * sizeof *lanes->first},
        {&device->tree, lanes->tree, n * sizeof *lanes->tree},
        {&device->parent, lanes->parent,
         (size_t)lanes->n_parent * sizeof *lanes->parent},
    };

    *device = *lanes; /* numbers */
    return bosc_cuda_put_plan(solver, BOSC_LEN(arrays), arrays, err);
}

static void count_bytes(bosc_cuda_solver *solver, const bosc_lanes *lanes)
{
    const double real = solver->single ? sizeof(float) : sizeof(double);
    const double n = (double)solver->base.facts.compartments;
    const double trees = (double)solver->first_tree[solver->systems->n_trees];
    const double n_u = lanes->own || !solver->systems->shared_u ? n : trees;
    const double n_parent = lanes->own ? n : trees;

    /* d b in, f w out, f w in, v out; u once; the parents twice */
    solver->base.facts.least_bytes =
        real * (7 * n + n_u) + 2 * sizeof(int32_t) * n_parent;
    solver->base.facts.memory =
        (double)lanes->n_parent * sizeof(int32_t) +
        (double)lanes->n_lanes * (sizeof(int32_t) + 2 * sizeof(ptrdiff_t));
}

static bosc_status plan(bosc_cuda_solver *solver, const bosc_layout *layout,
                        bosc_hines_own *own, bosc_error *err)
{
    bosc_lanes lanes;
    bosc_status st = choose_near(solver, layout, own, err);

    if (st == BOSC_OK)
        st = bosc_lanes_create(solver->systems, solver->first_tree, layout,
                               variants[solver->variant].own,
                               variants[solver->variant].padding, &lanes, err);
    if (st != BOSC_OK)
        return st;
    bosc_cuda_place(solver, layout, NULL);
    solver->spread_u = variants[solver->variant].own;
    count_bytes(solver, &lanes);
    st = upload(solver, &lanes, &own->lanes, err);
    bosc_lanes_clear(&lanes);
    return st;
}

static bosc_status hines_create(bosc_cuda_solver *solver,
                                const bosc_solver_options *options,
                                bosc_error *err)
{
    bosc_hines_own *own = bosc_alloc(1, sizeof *own);
    bosc_layout layout = {0};
    int32_t block = 0;
    bosc_status st;

    solver->own = own;
    if (own == NULL)
        return bosc_no_memory(err, "the plan of a solver");
    st = choose_block(solver->variant, options->block, &block, &own->threads,
                      err);
    if (st == BOSC_OK)
        st = hines_layout(solver->variant, solver->systems, options, &layout,
                          err);
    if (st == BOSC_OK)
        st = plan(solver, &layout, own, err);
    bosc_layout_clear(&layout);
    return st;
}

const bosc_cuda_family bosc_cuda_hines = {
    .create = hines_create,
    .launch = bosc_hines_launch,
    .loop = true,
    .layout = hines_layout,
};
