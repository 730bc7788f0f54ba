/* solver_cuda_cell_blocks.c - levels-sliced: neurons in cell blocks, each
 * solved level by level by a thread block that holds all of it in shared
 * memory.
 */
#include <stdlib.h>

#include "kernels/levels/cuda_cell_blocks_launch.h"
#include "src/base/mem.h"

/* Class 0 is not on chip; class i is for cell blocks of which 2^(i-1) share a
 * multiprocessor, together with THREADS threads, but each with MIN_THREADS at
 * least. */
enum { THREADS = 512, MIN_THREADS = 64 };

/* What the driver keeps of each block's shared memory. */
enum { RESERVED = 1024 };

/* The class of cell blocks where neurons are many: larger cell blocks have more
 * sections to a level, and so fewer idle threads (one H200, mix, 10^9
 * compartments/s: class 2 55, 3 51, 4 40, 5 39). */
enum { USUAL_CLASS = 2 };

static size_t limit_of(int class)
{
    return ((bosc_cuda_shared_limit() + RESERVED) >> (class - 1)) - RESERVED;
}

static int class_of(size_t bytes)
{
    int class = BOSC_CELL_BLOCK_CLASSES - 1;

    while (class > 0 && bytes > limit_of(class))
        --class;
    return class;
}

static int threads_of(int class)
{
    const int threads = class == 0 ? THREADS : THREADS >> (class - 1);

    return threads > MIN_THREADS ? threads : MIN_THREADS;
}

static size_t real_size(const bosc_cuda_solver *solver)
{
    return solver->single ? sizeof(float) : sizeof(double);
}

static size_t shared_of(const bosc_cuda_solver *solver,
                        const bosc_cell_blocks *cell_blocks, int32_t pattern)
{
    return bosc_cell_block_shared(&cell_blocks->patterns[pattern].size,
                                  real_size(solver));
}

/* The bytes that each tree would take alone, [n_trees]. */
static bosc_status cost_of_trees(const bosc_cuda_solver *solver, int64_t *cost,
                                 bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    bosc_status st = BOSC_OK;

#pragma omp parallel for schedule(dynamic, 16) num_threads(solver->threads)
    for (int32_t t = 0; t < systems->n_trees; ++t) {
        bosc_section_levels sections;
        const bosc_section_levels *one = &sections;
        bosc_pattern pattern = {0};
        bosc_error why;
        bosc_status made =
            bosc_section_levels_create(&systems->trees[t], &sections, &why);

        if (made == BOSC_OK) {
            made = bosc_pattern_create(1, &one, &pattern, &why);
            bosc_section_levels_clear(&sections);
        }
        if (made != BOSC_OK)
#pragma omp critical
            st = bosc_fail(err, made, "%s", why.text);
        cost[t] =
            (int64_t)bosc_cell_block_shared(&pattern.size, real_size(solver));
        bosc_pattern_clear(&pattern);
    }
    return st;
}

/* Few neurons make small cell blocks, so that all multiprocessors have some. */
static bosc_status divide(const bosc_cuda_solver *solver,
                          bosc_cell_blocks *cell_blocks, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    int64_t *cost = bosc_alloc((size_t)systems->n_trees, sizeof *cost);
    int64_t room = (int64_t)limit_of(USUAL_CLASS), all = 0;
    const int64_t blocks = bosc_cuda_processors() * (int64_t)2;
    bosc_status st;

    if (cost == NULL)
        return bosc_no_memory(err, "the cell blocks of neurons");
    st = cost_of_trees(solver, cost, err);
    for (int32_t k = 0; k < systems->n_neurons; ++k)
        all += cost[systems->shape[k]];
    if (all / blocks < room)
        room = all / blocks;
    if (st == BOSC_OK)
        st = bosc_cell_blocks_create(systems, cost, room, cell_blocks, err);
    free(cost);
    return st;
}

/* Lists of the cell blocks of each class. */
static bosc_status classify(bosc_cuda_solver *solver,
                            const bosc_cell_blocks *cell_blocks,
                            bosc_cell_blocks_own *own, bosc_error *err)
{
    int32_t *list = bosc_alloc((size_t)cell_blocks->n, sizeof *list);
    bosc_status st = BOSC_OK;

    if (list == NULL)
        return bosc_no_memory(err, "the classes of cell blocks");
    for (int i = 0; i < BOSC_CELL_BLOCK_CLASSES && st == BOSC_OK; ++i) {
        bosc_cell_block_class *class = &own->classes[i];

        for (int32_t g = 0; g < cell_blocks->n; ++g) {
            const size_t bytes =
                shared_of(solver, cell_blocks, cell_blocks->pattern[g]);

            if (class_of(bytes) != i)
                continue;
            list[class->n++] = g;
            if (i > 0 && bytes > class->shared)
                class->shared = bytes;
        }
        class->threads = threads_of(i);
        st = bosc_cuda_hold(solver, &class->list, list,
                            (size_t) class->n * sizeof *list,
                            "the plan of a solver", err);
    }
    free(list);
    return st;
}

/* The indices of all patterns: those on chip in short integers. */
typedef struct indices {
    bosc_pattern_size *size;
    ptrdiff_t *first, n_near, n_far;
    uint16_t *near;
    int32_t *far;
} indices;

static void free_indices(indices *all)
{
    free(all->size);
    free(all->first);
    free(all->near);
    free(all->far);
}

static bool is_near(const bosc_cuda_solver *solver,
                    const bosc_cell_blocks *cell_blocks, int32_t pattern)
{
    return class_of(shared_of(solver, cell_blocks, pattern)) > 0;
}

static bosc_status place_indices(const bosc_cuda_solver *solver,
                                 const bosc_cell_blocks *cell_blocks,
                                 indices *all, bosc_error *err)
{
    const size_t n = (size_t)cell_blocks->n_patterns;

    all->size = bosc_alloc(n, sizeof *all->size);
    all->first = bosc_alloc(n, sizeof *all->first);
    for (int32_t p = 0;
         all->size != NULL && all->first != NULL && p < cell_blocks->n_patterns;
         ++p) {
        const bool near = is_near(solver, cell_blocks, p);

        all->size[p] = cell_blocks->patterns[p].size;
        all->first[p] = near ? all->n_near : all->n_far;
        if (near)
            all->n_near +=
                (ptrdiff_t)(bosc_cell_block_index_bytes(&all->size[p]) /
                            sizeof *all->near);
        else
            all->n_far += (ptrdiff_t)bosc_pattern_words(&all->size[p]);
    }
    all->near = bosc_alloc((size_t)all->n_near, sizeof *all->near);
    all->far = bosc_alloc((size_t)all->n_far, sizeof *all->far);
    return all->size == NULL || all->first == NULL || all->near == NULL ||
                   all->far == NULL
               ? bosc_no_memory(err, "the indices of cell blocks")
               : BOSC_OK;
}

static void fill_indices(const bosc_cuda_solver *solver,
                         const bosc_cell_blocks *cell_blocks, indices *all)
{
    for (int32_t p = 0; p < cell_blocks->n_patterns; ++p) {
        const bosc_pattern *pattern = &cell_blocks->patterns[p];
        const size_t n = bosc_pattern_words(&pattern->size);
        const bool near = is_near(solver, cell_blocks, p);

        for (size_t i = 0; i < n; ++i)
            if (near)
                all->near[all->first[p] + (ptrdiff_t)i] =
                    (uint16_t)pattern->index[i];
            else
                all->far[all->first[p] + (ptrdiff_t)i] = pattern->index[i];
    }
}

static bosc_status upload_indices(bosc_cuda_solver *solver,
                                  const bosc_cell_blocks *cell_blocks,
                                  bosc_cell_blocks_own *own, double *bytes,
                                  bosc_error *err)
{
    const size_t n = (size_t)cell_blocks->n_patterns;
    indices all = {0};
    bosc_status st = place_indices(solver, cell_blocks, &all, err);

    if (st == BOSC_OK) {
        const bosc_cuda_plan_array arrays[] = {
            {&own->size, all.size, n * sizeof *all.size},
            {&own->index_first, all.first, n * sizeof *all.first},
            {&own->near_index, all.near, (size_t)all.n_near * sizeof *all.near},
            {&own->far_index, all.far, (size_t)all.n_far * sizeof *all.far},
        };

        fill_indices(solver, cell_blocks, &all);
        st = bosc_cuda_put_plan(solver, BOSC_LEN(arrays), arrays, err);
    }
    *bytes = (double)all.n_near * sizeof *all.near +
             (double)all.n_far * sizeof *all.far;
    free_indices(&all);
    return st;
}

/* Memory for the pairs of cell blocks that are not on chip. */
static bosc_status make_pairs(bosc_cuda_solver *solver,
                              const bosc_cell_blocks *cell_blocks,
                              bosc_cell_blocks_own *own, bosc_error *err)
{
    ptrdiff_t *first = bosc_alloc((size_t)cell_blocks->n, sizeof *first), n = 0;
    bosc_status st;

    if (first == NULL)
        return bosc_no_memory(err, "the pairs of cell blocks");
    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        first[g] = n;
        if (!is_near(solver, cell_blocks, cell_blocks->pattern[g]))
            n += 3 * (ptrdiff_t)cell_blocks->patterns[cell_blocks->pattern[g]]
                         .size.n_sections;
    }
    st = bosc_cuda_hold(solver, &own->pairs_first, first,
                        (size_t)cell_blocks->n * sizeof *first,
                        "the plan of a solver", err);
    if (st == BOSC_OK)
        st = bosc_cuda_hold(solver, &own->pairs, NULL,
                            (size_t)n * real_size(solver),
                            "the pairs of cell blocks", err);
    free(first);
    return st;
}

static bosc_status upload_u(bosc_cuda_solver *solver,
                            const bosc_cell_blocks *cell_blocks,
                            bosc_error *err)
{
    const size_t n = (size_t)cell_blocks->first_u[cell_blocks->n];
    void *u = bosc_alloc(n, real_size(solver));
    bosc_status st;

    if (u == NULL)
        return bosc_no_memory(err, "u on its way to the device");
    st = bosc_cell_blocks_fill_u(cell_blocks, solver->systems, solver->single,
                                 u, err);
    if (st == BOSC_OK)
        st = bosc_cuda_upload(&solver->u, u, n * real_size(solver), "u", err);
    solver->n_u = (ptrdiff_t)n;
    free(u);
    return st;
}

/* Least: d u b in, v out, where a block has them on chip in between; else also
 * f w out and in.  And the indices of the patterns. */
static void count_bytes(bosc_cuda_solver *solver,
                        const bosc_cell_blocks *cell_blocks, double index_bytes)
{
    const double real = (double)real_size(solver);
    double numbers = (double)solver->n_u;

    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        const int32_t p = cell_blocks->pattern[g];

        numbers += (is_near(solver, cell_blocks, p) ? 3 : 7) *
                   (double)cell_blocks->patterns[p].size.n_slots;
    }
    solver->base.facts.least_bytes = real * numbers + index_bytes;
    solver->base.facts.memory =
        index_bytes + (double)cell_blocks->n *
                          (double)(2 * sizeof(int32_t) + 3 * sizeof(ptrdiff_t));
}

static bosc_status plan(bosc_cuda_solver *solver,
                        const bosc_cell_blocks *cell_blocks,
                        bosc_cell_blocks_own *own, bosc_error *err)
{
    const size_t n = (size_t)cell_blocks->n;
    const bosc_cuda_plan_array arrays[] = {
        {&own->pattern, cell_blocks->pattern, n * sizeof *cell_blocks->pattern},
        {&own->first, cell_blocks->first, n * sizeof *cell_blocks->first},
        {&own->first_u, cell_blocks->first_u, n * sizeof *cell_blocks->first_u},
    };
    double index_bytes = 0;
    bosc_status st =
        bosc_cell_blocks_slots(cell_blocks, solver->systems, solver->slot, err);

    solver->n_slots = cell_blocks->first[cell_blocks->n];
    if (st == BOSC_OK)
        st = bosc_cuda_put_plan(solver, BOSC_LEN(arrays), arrays, err);
    if (st == BOSC_OK)
        st = upload_indices(solver, cell_blocks, own, &index_bytes, err);
    if (st == BOSC_OK)
        st = classify(solver, cell_blocks, own, err);
    if (st == BOSC_OK)
        st = make_pairs(solver, cell_blocks, own, err);
    if (st == BOSC_OK)
        st = upload_u(solver, cell_blocks, err);
    if (st == BOSC_OK)
        count_bytes(solver, cell_blocks, index_bytes);
    return st;
}

static bosc_status cell_blocks_create(bosc_cuda_solver *solver,
                                      const bosc_solver_options *options,
                                      bosc_error *err)
{
    bosc_cell_blocks cell_blocks = {0};
    bosc_status st;

    (void)options;
    solver->own = bosc_alloc(1, sizeof(bosc_cell_blocks_own));
    if (solver->own == NULL)
        return bosc_no_memory(err, "the plan of a solver");
    st = divide(solver, &cell_blocks, err);
    if (st == BOSC_OK)
        st = plan(solver, &cell_blocks, solver->own, err);
    bosc_cell_blocks_clear(&cell_blocks);
    return st;
}

const bosc_cuda_family bosc_cuda_cell_blocks = {
    .create = cell_blocks_create,
    .launch = bosc_cell_blocks_launch,
};
