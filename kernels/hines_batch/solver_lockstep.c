/* solver_lockstep.c - hines-interleaved, -block, -block-shared, -vbatch-cp and
 * -ncp: neurons side by side in groups, in the order given.
 *
 * A thread takes a strip of lanes down all rows.  Where all neurons of a group
 * have one tree, its parents are read once for all, and with shared_u its u.
 * What a GPU keeps in shared memory (-block-shared: b) is on the host a buffer
 * of the thread, which stays in its cache.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/isa.h"
#include "kernels/hines_batch/lockstep.h"
#include "kernels/solve/solver_cpu.h"
#include "src/base/mem.h"

enum {
    ALIGNED = 16, /* lanes of an aligned row: a vector of the widest */
    MIN_BLOCK = 32,
    MAX_BLOCK = 512,
    BATCH = 32 /* neurons of a group of vbatch: a warp of the papers' */
};

/* What a variant is made of. */
static const struct {
    bool whole;  /* all neurons are one group */
    bool blocks; /* options.block neurons are one */
    bool near_b; /* b in the thread's buffer */
    bool own;    /* neurons of one tree are not looked for */
    bool skip;   /* padding is left out */
} variants[] = {
    [BOSC_CPU_INTERLEAVED] = {.whole = true},
    [BOSC_CPU_BLOCK] = {.blocks = true},
    [BOSC_CPU_BLOCK_SHARED] = {.blocks = true, .near_b = true},
    [BOSC_CPU_VBATCH_CP] = {.own = true},
    [BOSC_CPU_VBATCH_NCP] = {.own = true, .skip = true},
};

typedef struct own {
    bosc_layout layout;
    bosc_strip_solve *solve;
    int32_t strips;   /* of each group */
    bool *one_tree;   /* [n_groups] */
    int32_t *parents; /* [slots] of groups of several trees */
    int32_t *length;  /* [lanes of all groups] 0: no neuron */
    void *u;          /* [slots], or with tree_u none */
    void *tree_u;     /* tree after tree, or NULL */
    char *near_b;     /* [threads][near_size] */
    size_t near_size; /* bytes of a strip of b */
} own;

static const bosc_lockstep_codes *const codes[] =
    BOSC_ISA_TABLES(bosc_lockstep);

static void lockstep_destroy(void *what)
{
    own *o = what;

    if (o == NULL)
        return;
    bosc_layout_clear(&o->layout);
    free(o->one_tree);
    free(o->parents);
    free(o->length);
    free(o->u);
    free(o->tree_u);
    free(o->near_b);
    free(o);
}

/* Neurons of a group. */
static bosc_status choose_width(int variant, int32_t n, int32_t asked,
                                int32_t *width, bosc_error *err)
{
    const int32_t all =
        n == 0 ? ALIGNED : (n + ALIGNED - 1) / ALIGNED * ALIGNED;

    *width = BATCH;
    if (variants[variant].blocks && asked != 0) {
        if (asked < MIN_BLOCK || asked > MAX_BLOCK)
            return bosc_fail(err, BOSC_EVALUE,
                             "blocks of %d neurons; from %d to %d", asked,
                             MIN_BLOCK, MAX_BLOCK);
        *width = asked;
    }
    if (variants[variant].whole || *width > all)
        *width = all;
    return BOSC_OK;
}

static bosc_status lockstep_layout(int variant, const bosc_systems *systems,
                                   const bosc_solver_options *options,
                                   bosc_layout *layout, bosc_error *err)
{
    int32_t width;
    const bosc_status st =
        choose_width(variant, systems->n_neurons, options->block, &width, err);

    return st != BOSC_OK
               ? st
               : bosc_layout_create_whole(systems->n_neurons, systems->shape,
                                          systems->trees, width, false, layout,
                                          err);
}

/* Have all neurons of a group one tree? */
static bool has_one_tree(const bosc_systems *systems, const bosc_layout *layout,
                         int32_t g)
{
    const int32_t first = bosc_layout_neuron(layout, g, 0);

    for (int32_t k = 1; k < layout->width; ++k) {
        const int32_t neuron = bosc_layout_neuron(layout, g, k);

        if (neuron >= 0 && systems->shape[neuron] != systems->shape[first])
            return false;
    }
    return true;
}

static void fill_group(const bosc_cpu_solver *solver, own *o, int32_t g)
{
    const bosc_systems *systems = solver->systems;
    const int32_t width = o->layout.width, rows = o->layout.rows[g];

    for (int32_t k = 0; k < width; ++k) {
        const int32_t neuron = bosc_layout_neuron(&o->layout, g, k);
        const bosc_tree *tree =
            neuron < 0 ? NULL : &systems->trees[systems->shape[neuron]];
        const int32_t n = tree == NULL ? 0 : tree->n;
        int32_t *up = o->parents + o->layout.first[g] + k;

        o->length[(ptrdiff_t)g * width + k] = n;
        /* Past its end a row hands its zeros to the one before. */
        for (ptrdiff_t i = 0; i < rows; ++i)
            up[i * width] = i < n ? tree->parent[i] : (int32_t)i - 1;
    }
}

/* Whose parents and whose u: of a tree where that will do. */
static bool make_topology(bosc_cpu_solver *solver, own *o)
{
    const bosc_systems *systems = solver->systems;
    const bosc_layout *layout = &o->layout;
    const bool look = !variants[solver->variant].own;
    int32_t n_one_tree = 0;

    o->one_tree = bosc_alloc((size_t)layout->n_groups, sizeof *o->one_tree);
    if (o->one_tree == NULL)
        return false;
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        o->one_tree[g] = look && has_one_tree(systems, layout, g);
        n_one_tree += o->one_tree[g];
    }
    if (n_one_tree == layout->n_groups)
        return true;
    if (!BOSC_ARRAYS(BOSC_ARRAY(o->parents, layout->n_slots),
                     BOSC_ARRAY(o->length, (size_t)layout->n_groups *
                                               (size_t)layout->width)))
        return false;
    for (int32_t g = 0; g < layout->n_groups; ++g)
        fill_group(solver, o, g);
    return true;
}

/* Shared u serves only where no group needs another. */
static bool make_u(bosc_cpu_solver *solver, own *o)
{
    const size_t real = bosc_solver_real(solver);
    const size_t in_trees =
        (size_t)solver->first_tree[solver->systems->n_trees];

    if (solver->systems->shared_u && o->parents == NULL) {
        o->tree_u = bosc_solver_flat_u(solver);
        solver->bytes_u = in_trees * real;
    } else {
        o->u = bosc_solver_slots_u(solver, 0);
        solver->bytes_u = (size_t)o->layout.n_slots * real;
    }
    solver->bytes_topology =
        sizeof(int32_t) *
        (o->parents == NULL ? in_trees : (size_t)o->layout.n_slots);
    return o->u != NULL || o->tree_u != NULL;
}

static bool make_near_b(const bosc_cpu_solver *solver, own *o)
{
    int32_t rows = 0;

    if (!variants[solver->variant].near_b)
        return true;
    for (int32_t g = 0; g < o->layout.n_groups; ++g)
        rows = o->layout.rows[g] > rows ? o->layout.rows[g] : rows;
    o->near_size = (size_t)rows * BOSC_STRIP * bosc_solver_real(solver);
    o->near_b = bosc_alloc((size_t)solver->options.threads, o->near_size);
    return o->near_b != NULL;
}

static bosc_status lockstep_create(bosc_cpu_solver *solver, bosc_error *err)
{
    own *o = solver->own = bosc_alloc(1, sizeof *o);
    bosc_status st;

    if (o == NULL)
        return bosc_no_memory(err, "a solver");
    st = lockstep_layout(solver->variant, solver->systems, &solver->options,
                         &o->layout, err);
    if (st != BOSC_OK)
        return st;
    o->solve = codes[bosc_isa()]->of[bosc_solver_numbers(&solver->options)];
    o->strips = (o->layout.width + BOSC_STRIP - 1) / BOSC_STRIP;
    if (!bosc_solver_place(solver, &o->layout) || !make_topology(solver, o) ||
        !make_u(solver, o) || !make_near_b(solver, o))
        return bosc_no_memory(err, "a solver");
    return BOSC_OK;
}

/* Strip number 'at' of group g. */
static bosc_strip strip_of(const bosc_cpu_solver *solver, int32_t g, int32_t at)
{
    const own *o = solver->own;
    const int32_t width = o->layout.width, lane = at * BOSC_STRIP;
    const ptrdiff_t slot = o->layout.first[g] + lane;
    const size_t real = bosc_solver_real(solver);
    const int32_t tree =
        solver->systems->shape[bosc_layout_neuron(&o->layout, g, 0)];
    bosc_strip s = {
        .rows = o->layout.rows[g],
        .lanes = width - lane < BOSC_STRIP ? width - lane : BOSC_STRIP,
        .width = width,
        .width_b = width,
        .d = (char *)solver->d + (size_t)slot * real,
        .b = (char *)solver->b + (size_t)slot * real,
    };

    if (o->one_tree[g])
        s.parent = solver->systems->trees[tree].parent;
    else
        s.parents = o->parents + slot;
    if (variants[solver->variant].skip)
        s.length = o->length + (ptrdiff_t)g * width + lane;
    s.shared_u = o->tree_u != NULL;
    s.u = s.shared_u
              ? (char *)o->tree_u + (size_t)solver->first_tree[tree] * real
              : (char *)o->u + (size_t)slot * real;
    return s;
}

/* Rows of 'size' bytes between b in its group and a buffer. */
static void copy_rows(int32_t rows, size_t size, const char *from,
                      size_t from_row, char *to, size_t to_row)
{
    for (int32_t i = 0; i < rows; ++i)
        memcpy(to + (size_t)i * to_row, from + (size_t)i * from_row, size);
}

/* b goes to the buffer before, and comes back after. */
static void solve_near(const bosc_cpu_solver *solver, bosc_strip *s,
                       char *buffer)
{
    const own *o = solver->own;
    const size_t real = bosc_solver_real(solver);
    const size_t size = (size_t)s->lanes * real;
    const size_t row = (size_t)s->width * real, near_row = BOSC_STRIP * real;
    char *b = s->b;

    copy_rows(s->rows, size, b, row, buffer, near_row);
    s->b = buffer;
    s->width_b = BOSC_STRIP;
    o->solve(s);
    copy_rows(s->rows, size, buffer, near_row, b, row);
}

static void lockstep_solve(bosc_cpu_solver *solver)
{
    const own *o = solver->own;
    const int32_t strips = o->layout.n_groups * o->strips;

#pragma omp parallel for num_threads(solver->options.threads) schedule(dynamic)
    for (int32_t i = 0; i < strips; ++i) {
        bosc_strip s = strip_of(solver, i / o->strips, i % o->strips);

        if (o->near_b != NULL)
            solve_near(solver, &s,
                       o->near_b + (size_t)omp_get_thread_num() * o->near_size);
        else
            o->solve(&s);
    }
}

const bosc_cpu_family bosc_lockstep_family = {
    .create = lockstep_create,
    .solve = lockstep_solve,
    .destroy = lockstep_destroy,
    .loop = true,
    .layout = lockstep_layout,
};
