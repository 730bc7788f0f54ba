#include "kernels/gpu/chip/chip_plan.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/chip/chip_assign.h"
#include "src/base/mem.h"

/* --- images --------------------------------------------------------------- */

static void free_cells(bosc_chip_cells *cells)
{
    free(cells->image);
    free(cells->map);
}

static void clear_cells(bosc_chip_plan *plan)
{
    for (int32_t i = 0; plan->own && i < plan->n; ++i)
        free_cells(&plan->cells[i]);
    plan->n = 0;
    memset(plan->bytes, 0, sizeof plan->bytes);
}

/* The store of a plan that keeps images and maps itself. */
static bool room_here(void *what, bosc_chip_cells *cells)
{
    (void)what;
    cells->image = calloc((size_t)cells->block.whole, 1);
    cells->map = malloc(bosc_chip_places(&cells->block) * sizeof *cells->map);
    if (cells->image != NULL && cells->map != NULL)
        return true;
    free_cells(cells);
    return false;
}

static void begin_here(void *what, double bytes)
{
    (void)what, (void)bytes; /* the plan frees those before */
}

static const bosc_chip_store here = {NULL, room_here, begin_here};

/* Try what the builder has in a class; false without memory.  *fits: there is
 * room. */
static bool try_cells(const bosc_chip_planner *p, bosc_chip_builder *b,
                      int32_t class, int64_t *bytes, bool *fits)
{
    b->warps = p->classes[class].warps;
    b->far = p->classes[class].far;
    *bytes = 0;
    if (!bosc_chip_deal(b))
        return false;
    *fits = bosc_chip_measure(b, bytes) && *bytes <= p->classes[class].room;
    return !b->image.short_of_memory;
}

/* With room to spare runs are not cut, for a slice is a task, and waits for the
 * one before. */
static bool add_neurons(const bosc_chip_planner *p, bosc_chip_builder *b,
                        bosc_chip_assignment s)
{
    const double spare = 0.3;
    double bytes = 0;

    bosc_chip_begin(b, p->classes[s.class].shared);
    for (int32_t k = 0; k < s.n; ++k) {
        if (!bosc_chip_add(b, p->neurons[s.first + k]))
            return false;
        bytes += p->scale * p->bytes[p->neurons[s.first + k]];
    }
    if (!b->shared && bytes < (1 - spare) * (double)p->classes[s.class].room)
        b->slice_rows = BOSC_CHIP_LONG_SLICE_ROWS;
    return true;
}

/* Defer the neurons of an assignment from number n on. */
static void defer_some(bosc_chip_planner *p, bosc_chip_assignment s, int32_t n)
{
#pragma omp critical(deferred)
    for (int32_t k = n; k < s.n; ++k)
        p->deferred[p->n_deferred++] = p->neurons[s.first + k];
}

/* The image and the map of what the builder has. */
static bool keep_cells(bosc_chip_planner *p, bosc_chip_builder *b,
                       bosc_chip_assignment s, int64_t bytes)
{
    bosc_chip_plan *plan = p->plan;
    bosc_chip_cells cells = {
        .block = b->block, .in_class = s.class, .order = s.order};
    bool enough;

    if (!p->store->room(p->store->what, &cells))
        return false;
    bosc_chip_write(b, &(bosc_chip_image_out){cells.image, cells.map,
                                              plan->state, plan->term});
    for (int32_t q = 0; q < b->n_neurons; ++q)
        for (int32_t l = 0; l < bosc_chip_lanes(b); ++l)
            plan->where[bosc_chip_neuron_of(b, q, l).neuron] = s.order;

#pragma omp critical(cells)
    {
        enough = bosc_grow(&plan->cells, &p->cells_room, (size_t)plan->n + 1,
                           sizeof *plan->cells);
        if (enough)
            plan->cells[plan->n++] = cells;
        if (bytes > plan->bytes[s.class])
            plan->bytes[s.class] = bytes;
    }
    if (!enough && plan->own)
        free_cells(&cells);
    return enough;
}

/* Make the cell block of these neurons; if it has no room, the last ones are
 * deferred.  A neuron that has none alone gets a larger class, or else its
 * group is excluded. */
static bool make_cells(bosc_chip_planner *p, bosc_chip_builder *b,
                       bosc_chip_assignment s)
{
    int64_t bytes;
    bool fits;

    if (!add_neurons(p, b, s))
        return false;
    for (;;) {
        if (!try_cells(p, b, s.class, &bytes, &fits))
            return false;
        if (fits)
            return keep_cells(p, b, s, bytes);
        if (!b->shared && b->slice_rows > BOSC_CHIP_SLICE_ROWS) {
            const int32_t shorter = b->slice_rows / 4 * 3;

            b->slice_rows =
                shorter > BOSC_CHIP_SLICE_ROWS ? shorter : BOSC_CHIP_SLICE_ROWS;
            continue;
        }
        if (s.n > 1) {
            /* without bytes it has too many e's */
            const int32_t fewer = bytes > 0 ? s.n - 1 - s.n / 16 : s.n / 2;

            defer_some(p, s, fewer);
            bosc_chip_keep(b, fewer);
            s.n = fewer;
            continue;
        }
        const bool shared = p->classes[s.class].shared;

        s.class =
            bosc_chip_class_of(p, shared, (double)p->classes[s.class].room + 1);
        if (s.class < BOSC_CHIP_CLASSES)
            continue;

        const int32_t g = p->batch->layout.group[p->neurons[s.first]];

        if (!shared)
            bosc_chip_exclude_group(p, g,
                                    b->image.limit != NULL
                                        ? b->image.limit
                                        : &bosc_chip_limits[BOSC_LIMIT_SIZE]);
#pragma omp critical(deferred)
        {
            p->not_shared[g] = p->not_shared[g] || shared;
            p->more_excluded = true;
        }
        return true;
    }
}

static void make_all(bosc_chip_planner *p)
{
    bool enough = true;

#pragma omp parallel reduction(&& : enough)
    {
        bosc_chip_builder b = bosc_chip_builder_of(p);

#pragma omp for schedule(dynamic, 1)
        for (int32_t i = 0; i < p->n_assignments; ++i)
            enough = enough && make_cells(p, &b, p->assignments[i]);
        bosc_chip_builder_clear(&b);
    }
    p->short_of_memory = p->short_of_memory || !enough;
}

/* Find out from some cell blocks what neurons take of them. */
static bool calibrate(bosc_chip_planner *p)
{
    enum { SAMPLES = 16 };
    bosc_chip_builder b = bosc_chip_builder_of(p);
    const int32_t step = p->n_assignments / SAMPLES + 1;
    double about = 0, all = 0;
    bool enough = true;

    for (int32_t i = 0; i < p->n_assignments && enough; i += step) {
        const bosc_chip_assignment s = p->assignments[i];
        int64_t bytes = 0;
        bool fits;

        if (p->classes[s.class].shared || s.n == 1)
            continue;
        enough =
            add_neurons(p, &b, s) && try_cells(p, &b, s.class, &bytes, &fits);
        for (int32_t k = 0; bytes > 0 && k < s.n; ++k)
            about += p->bytes[p->neurons[s.first + k]];
        all += (double)bytes;
    }
    bosc_chip_builder_clear(&b);
    if (about > 0) /* a block too full defers neurons, one too empty
                      gets none */
        p->scale = 0.96 * all / about;
    return enough;
}

/* About the bytes of all images, what is behind them, and maps. */
static double bytes_of_all(const bosc_chip_planner *p)
{
    const double idle = 1.07; /* places without a row, and tables */
    double bytes = p->behind;

    for (int32_t i = 0; i < p->n_assignments; ++i) {
        const bosc_chip_assignment *s = &p->assignments[i];
        const bool shared = p->classes[s->class].shared;

        for (int32_t k = s->first; k < s->first + s->n; ++k) {
            const int32_t shape = p->batch->shape[p->neurons[k]];

            bytes += (shared ? 1 : p->scale) * p->bytes[p->neurons[k]] +
                     (double)sizeof(uint32_t) * p->batch->trees[shape].n *
                         (shared ? BOSC_CHIP_LANES : 1);
        }
    }
    return idle * bytes;
}

/* Cell blocks of all that are to be on the chip; again, if more are
 * excluded. */
static bool make_plan(bosc_chip_planner *p)
{
    p->scale = 1;
    bosc_chip_find_bytes(p);
    if (p->short_of_memory || !bosc_chip_assign_all(p) || !calibrate(p))
        return false;
    do {
        p->more_excluded = false;
        p->n_deferred = p->n_earlier = 0;
        for (int32_t i = 0; i < p->batch->layout.n_neurons; ++i)
            p->plan->where[i] = -1;
        clear_cells(p->plan);
        if (!bosc_chip_assign_all(p))
            return false;
        p->store->begin(p->store->what, bytes_of_all(p));
        make_all(p);
        while (p->n_deferred > 0 && !p->short_of_memory) {
            if (!bosc_chip_assign_deferred(p))
                return false;
            make_all(p);
        }
        if (p->more_excluded && !p->short_of_memory)
            bosc_chip_find_bytes(p);
    } while (p->more_excluded && !p->short_of_memory);
    return !p->short_of_memory;
}

/* By class, then in the order of assignment. */
static int compare_cells(const void *pa, const void *pb)
{
    const bosc_chip_cells *a = pa, *b = pb;

    if (a->in_class != b->in_class)
        return a->in_class < b->in_class ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Sort the cell blocks; then neurons know theirs by its place, no longer by its
 * order.  False without memory. */
static bool sort_cells(bosc_chip_planner *p)
{
    bosc_chip_plan *plan = p->plan;
    const int32_t n = p->batch->layout.n_neurons;
    int32_t last = 0, *place;

    if (plan->n > 0)
        qsort(plan->cells, (size_t)plan->n, sizeof *plan->cells, compare_cells);
    for (int32_t i = 0; i < plan->n; ++i) {
        plan->first[plan->cells[i].in_class + 1] = i + 1;
        last = plan->cells[i].order > last ? plan->cells[i].order : last;
    }
    for (int32_t k = 0; k < BOSC_CHIP_CLASSES; ++k)
        if (plan->first[k + 1] < plan->first[k])
            plan->first[k + 1] = plan->first[k];
    if ((place = bosc_alloc((size_t)last + 1, sizeof *place)) == NULL)
        return false;
    for (int32_t i = 0; i < plan->n; ++i)
        place[plan->cells[i].order] = i;
    for (int32_t i = 0; i < n; ++i)
        if (plan->where[i] >= 0)
            plan->where[i] = place[plan->where[i]];
    free(place);
    return true;
}

static bosc_status alloc_all(bosc_chip_planner *p, bosc_error *err)
{
    const bosc_batch *batch = p->batch;
    const size_t n = (size_t)batch->layout.n_neurons;
    const int32_t n_groups = batch->layout.n_groups;
    bosc_chip_plan *plan = p->plan;
    bosc_status st = BOSC_ALLOC(
        err, "neurons on the chip", BOSC_ARRAY(p->neurons, n),
        BOSC_ARRAY(p->deferred, n), BOSC_ARRAY(p->bytes, n),
        BOSC_ARRAY(p->profile, n), BOSC_ARRAY(p->shared, n_groups),
        BOSC_ARRAY(p->excluded, n_groups), BOSC_ARRAY(p->not_shared, n_groups),
        BOSC_ARRAY(plan->where, n), BOSC_ARRAY(plan->state, batch->n_blocks),
        BOSC_ARRAY(plan->term, batch->n_sets),
        BOSC_ARRAY(p->marks.first, n + 1));
    ptrdiff_t rows = 0;

    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        p->marks.first[i] = rows;
        rows += batch->trees[batch->shape[i]].n;
    }
    p->marks.mark = malloc((size_t)rows + 1);
    if (st == BOSC_OK && p->marks.mark == NULL)
        st = bosc_no_memory(err, "neurons on the chip");
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        plan->where[i] = -1;
    for (int32_t m = 0; m < batch->n_blocks && st == BOSC_OK; ++m)
        st = BOSC_ALLOC(err, "neurons on the chip",
                        BOSC_ARRAY(plan->state[m], batch->blocks[m].n));
    for (int32_t k = 0; k < batch->n_sets && st == BOSC_OK; ++k)
        st = BOSC_ALLOC(
            err, "neurons on the chip",
            BOSC_ARRAY(plan->term[k], bosc_reading_terms(&batch->sets[k])));
    return st;
}

bosc_status bosc_chip_plan_create(const bosc_chip_plan_input *job,
                                  bosc_chip_plan *plan, bosc_error *err)
{
    bosc_chip_planner p = {.batch = job->batch,
                           .rows = job->rows,
                           .classes = job->classes,
                           .store = job->store != NULL ? job->store : &here,
                           .plan = plan};
    bosc_status st;

    *plan = (bosc_chip_plan){.n_blocks = job->batch->n_blocks,
                             .n_sets = job->batch->n_sets,
                             .own = job->store == NULL};
    st = alloc_all(&p, err);
    if (st == BOSC_OK &&
        (!bosc_chip_items_create(job->batch, job->io, &p.items) ||
         !make_plan(&p)))
        st = bosc_no_memory(err, "neurons on the chip");
    if (st == BOSC_OK && !sort_cells(&p))
        st = bosc_no_memory(err, "neurons on the chip");
    plan->limit = p.limit;
    if (st != BOSC_OK)
        bosc_chip_plan_clear(plan);
    bosc_chip_items_clear(&p.items);
    free(p.marks.first);
    free(p.marks.mark);
    free(p.neurons);
    free(p.deferred);
    free(p.bytes);
    free(p.profile);
    free(p.shared);
    free(p.excluded);
    free(p.not_shared);
    free(p.assignments);
    return st;
}

void bosc_chip_plan_clear(bosc_chip_plan *plan)
{
    clear_cells(plan);
    for (int32_t m = 0; plan->state != NULL && m < plan->n_blocks; ++m)
        free(plan->state[m]);
    for (int32_t k = 0; plan->term != NULL && k < plan->n_sets; ++k)
        free(plan->term[k]);
    free(plan->cells);
    free(plan->where);
    free(plan->state);
    free(plan->term);
    *plan = (bosc_chip_plan){0};
}
