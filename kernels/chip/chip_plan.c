#include "kernels/chip/chip_plan.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/chip/chip_build.h"
#include "src/base/mem.h"

/* Neurons that are to make a cell block; with 'shared' the first stands for all
 * of its group. */
typedef struct seats {
    int32_t first, n; /* into the list of neurons */
    int32_t class;
    int32_t order; /* of all */
} seats;

typedef struct planner {
    const bosc_batch *batch;
    const bosc_rows *rows;
    const bosc_step_io *io;
    const bosc_chip_class *classes;
    bosc_chip_plan *plan;
    int32_t *neurons; /* [n_neurons] of all cell blocks */
    double *bytes;    /* [n_neurons] about, of each */
    int32_t *path;    /* [n_neurons] rows of the longest runs of all levels */
    double scale;     /* what neurons that differ take, over that */
    bool *shared;     /* [n_groups] makes a cell block of equal neurons, */
    bool *apart;      /* [n_groups] but not if that has found no room */
    int32_t *left;    /* [n_neurons] those that found no room, */
    int32_t n_left;
    bool *off;     /* [n_groups] stays off the chip, */
    bool more_off; /* as some more do than the seats have known */
    seats *seats;
    int32_t n_seats, round; /* seats of rounds before */
    size_t seats_room, cells_room;
    bool short_of_memory;
} planner;

/* The class of cell blocks of this size, BOSC_CHIP_CLASSES: none has the room.
 */
static int32_t class_of(const planner *p, bool shared, double bytes)
{
    int32_t found = BOSC_CHIP_CLASSES;

    for (int32_t k = 0; k < BOSC_CHIP_CLASSES; ++k)
        if (p->classes[k].shared == shared &&
            bytes <= (double)p->classes[k].room &&
            (found == BOSC_CHIP_CLASSES ||
             p->classes[k].room < p->classes[found].room))
            found = k;
    return found;
}

/* May the group make one cell block of equal neurons? */
static bool may_share(const planner *p, int32_t g)
{
    const bosc_layout *layout = &p->batch->layout;

    return !p->apart[g] && p->rows->constants[g].shared && layout->uniform[g] &&
           bosc_layout_width(layout, g) == BOSC_CHIP_LANES;
}

/* --- sizes ---------------------------------------------------------------- */

static void add_instances(const planner *p)
{
    const bosc_layout *layout = &p->batch->layout;

    for (int32_t m = 0; m < p->batch->n_blocks; ++m) {
        const bosc_mech_block *block = &p->batch->blocks[m];
        const double each = (double)sizeof(bosc_chip_instance) +
                            (double)sizeof(double) * block->mech->n_states;

        for (int32_t g = 0; g < layout->n_groups; ++g) {
            const int32_t width = bosc_layout_width(layout, g);

            for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
                p->bytes[bosc_layout_neuron(layout, g, block->at[i] % width)] +=
                    each;
        }
    }
}

/* The rows that a sweep takes one after another, at least. */
static int32_t path_of(const bosc_chip_builder *b)
{
    enum { LEVELS = 64 };
    int32_t longest[LEVELS] = {0}, path = 0;

    for (int32_t r = 0; r < b->n_runs; ++r) {
        const int32_t level =
            b->runs[r].level < LEVELS ? b->runs[r].level : LEVELS - 1;

        if (b->runs[r].rows > longest[level])
            longest[level] = b->runs[r].rows;
    }
    for (int32_t l = 0; l < LEVELS; ++l)
        path += longest[l];
    return path;
}

/* About the bytes of a neuron, or of a group that shares at its first. */
static bool find_bytes_of(planner *p, bosc_chip_builder *b, int32_t g,
                          int32_t k, bool shared)
{
    const bosc_layout *layout = &p->batch->layout;
    const int32_t neuron = bosc_layout_neuron(layout, g, k);

    if (neuron < 0)
        return true;
    bosc_chip_begin(b, shared);
    if (!bosc_chip_add(b, neuron))
        return false;
    p->bytes[neuron] += bosc_chip_bytes(b, 0);
    p->path[neuron] = path_of(b);
    return true;
}

/* A group shares if there is room for it. */
static bool find_bytes_in(planner *p, bosc_chip_builder *b, int32_t g)
{
    const bosc_layout *layout = &p->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t first = bosc_layout_neuron(layout, g, 0);
    bool enough = true;

    if (may_share(p, g)) {
        const double instances = p->bytes[first];
        double bytes = 0;

        enough = find_bytes_of(p, b, g, 0, true);
        for (int32_t k = 0; k < width; ++k)
            bytes += p->bytes[bosc_layout_neuron(layout, g, k)];
        p->shared[g] = class_of(p, true, bytes) < BOSC_CHIP_CLASSES;
        p->bytes[first] = p->shared[g] ? bytes : instances;
    }
    for (int32_t k = 0; k < width && !p->shared[g]; ++k)
        enough = enough && find_bytes_of(p, b, g, k, false);
    for (int32_t k = 0; k < width && !p->shared[g]; ++k) {
        const int32_t i = bosc_layout_neuron(layout, g, k);

        if (i >= 0 && class_of(p, false, p->bytes[i]) == BOSC_CHIP_CLASSES)
            p->off[g] = true;
    }
    return enough;
}

static void find_bytes(planner *p)
{
    bool enough = true;

    memset(p->bytes, 0, (size_t)p->batch->layout.n_neurons * sizeof *p->bytes);
    memset(p->shared, 0, (size_t)p->batch->layout.n_groups * sizeof *p->shared);
    add_instances(p);
#pragma omp parallel reduction(&& : enough)
    {
        bosc_chip_builder b = {.batch = p->batch, .rows = p->rows, .io = p->io};

#pragma omp for schedule(dynamic, 16)
        for (int32_t g = 0; g < p->batch->layout.n_groups; ++g)
            enough = find_bytes_in(p, &b, g) && enough;
        bosc_chip_builder_clear(&b);
    }
    p->short_of_memory = p->short_of_memory || !enough;
}

/* --- who goes with whom --------------------------------------------------- */

static bool add_seats(planner *p, int32_t first, int32_t n, int32_t class)
{
    if (n == 0)
        return true;
    if (!bosc_grow(&p->seats, &p->seats_room, (size_t)p->n_seats + 1,
                   sizeof *p->seats))
        return false;
    p->seats[p->n_seats] = (seats){first, n, class, p->round + p->n_seats};
    ++p->n_seats;
    return true;
}

/* A cell block for each group that shares. */
static bool seat_equals(planner *p, int32_t *n)
{
    for (int32_t g = 0; g < p->batch->layout.n_groups; ++g) {
        const int32_t neuron = bosc_layout_neuron(&p->batch->layout, g, 0);

        if (!p->shared[g] || p->off[g])
            continue;
        p->neurons[(*n)++] = neuron;
        if (!add_seats(p, *n - 1, 1, class_of(p, true, p->bytes[neuron])))
            return false;
    }
    return true;
}

/* Some neurons that differ: several do not get more room than one could do
 * with. */
static bool seat_some(planner *p, int32_t first, int32_t n)
{
    return add_seats(
        p, first, n,
        class_of(p, false, n == 1 ? p->bytes[p->neurons[first]] : 0));
}

/* Bring a neuron of the list that takes at most so many bytes from a little
 * behind k to k; false: there is none. */
static bool bring_smaller(const planner *p, int32_t k, int32_t n, double most)
{
    enum { NEAR = 256 };
    const int32_t end = n - k < NEAR ? n : k + NEAR;
    int32_t i = k;

    while (i < end && p->scale * p->bytes[p->neurons[i]] > most)
        ++i;
    if (i == end)
        return false;
    const int32_t found = p->neurons[i];

    memmove(p->neurons + k + 1, p->neurons + k,
            (size_t)(i - k) * sizeof *p->neurons);
    p->neurons[k] = found;
    return true;
}

/* Neurons first..n - 1 of the list, about in their order, with so many bytes in
 * a cell block; how many cell blocks, or -1 without memory. */
static int32_t seat_within(planner *p, int32_t first, int32_t n, double limit)
{
    const int32_t before = p->n_seats;
    double sum = 0;

    for (int32_t k = first; k < n; ++k) {
        if (k > first && !bring_smaller(p, k, n, limit - sum)) {
            if (!seat_some(p, first, k - first))
                return -1;
            first = k;
            sum = 0;
        }
        sum += p->scale * p->bytes[p->neurons[k]];
    }
    return seat_some(p, first, n - first) ? p->n_seats - before : -1;
}

/* Neurons first..n - 1, which differ: all the room is used, or less of it where
 * the device would not be full for some rounds. */
static bool seat_others(planner *p, int32_t first, int32_t n)
{
    enum { ROUNDS = 4 };
    const int32_t small = class_of(p, false, 0), before = p->n_seats;
    double total = 0;

    if (small == BOSC_CHIP_CLASSES || n == first)
        return true;
    for (int32_t k = first; k < n; ++k)
        total += p->scale * p->bytes[p->neurons[k]];

    const double room = (double)p->classes[small].room;
    const int32_t at_once = p->classes[small].at_once;
    int32_t made = seat_within(p, first, n, room);
    const int32_t rounds = (made + at_once - 1) / at_once;

    if (made < 0 || rounds > ROUNDS)
        return made >= 0;
    for (double limit = total / (rounds * at_once); limit < room;
         limit *= 1.02) {
        p->n_seats = before;
        made = seat_within(p, first, n, limit);
        if (made <= rounds * at_once)
            return made >= 0;
    }
    p->n_seats = before;
    return seat_within(p, first, n, room) >= 0;
}

/* The planner whose neurons a comparison of qsort() looks at. */
static _Thread_local const planner *sorted;

/* Those with long ways first: neurons that wait as long sit together. */
static int compare_paths(const void *pa, const void *pb)
{
    const int32_t a = *(const int32_t *)pa, b = *(const int32_t *)pb;
    const int32_t path_a = sorted->path[a], path_b = sorted->path[b];

    return path_a != path_b ? (path_a < path_b) - (path_a > path_b)
                            : (a > b) - (a < b);
}

static void sort_neurons(const planner *p, int32_t first, int32_t n)
{
    sorted = p;
    qsort(p->neurons + first, (size_t)(n - first), sizeof *p->neurons,
          compare_paths);
}

/* All of them: those that share first. */
static bool seat_all(planner *p)
{
    const bosc_layout *layout = &p->batch->layout;
    int32_t n = 0, first;

    p->n_seats = 0;
    if (!seat_equals(p, &n))
        return false;
    first = n;
    for (int32_t i = 0; i < layout->n_neurons; ++i)
        if (!p->shared[layout->group[i]] && !p->off[layout->group[i]])
            p->neurons[n++] = i;
    sort_neurons(p, first, n);
    return seat_others(p, first, n);
}

/* --- images --------------------------------------------------------------- */

/* Try the seats in their class; false without memory.  *fits: there is room. */
static bool try_cells(const planner *p, bosc_chip_builder *b, seats s,
                      int64_t *bytes, bool *fits)
{
    b->warps = p->classes[s.class].warps;
    bosc_chip_begin(b, p->classes[s.class].shared);
    for (int32_t k = 0; k < s.n; ++k)
        if (!bosc_chip_add(b, p->neurons[s.first + k]))
            return false;
    if (!bosc_chip_deal(b))
        return false;
    *fits = bosc_chip_measure(b, bytes) && *bytes <= p->classes[s.class].room;
    return !b->short_of_memory;
}

/* Make the cell block of these neurons; if it has no room, the last ones are
 * left for another.  A neuron that has none alone gets a larger class, or else
 * its group is to stay off. */
static bool make_cells(planner *p, bosc_chip_builder *b, seats s)
{
    bosc_chip_plan *plan = p->plan;
    int64_t bytes = 0;
    bool fits;

    if (!try_cells(p, b, s, &bytes, &fits))
        return false;
    if (!fits && s.n > 1) {
        /* without bytes it has too many e's */
        const int32_t fewer = bytes > 0 ? s.n - 1 - s.n / 16 : s.n / 2;

#pragma omp critical
        for (int32_t k = fewer; k < s.n; ++k)
            p->left[p->n_left++] = p->neurons[s.first + k];
        return make_cells(p, b, (seats){s.first, fewer, s.class, s.order});
    }
    if (!fits) {
        const int32_t more = class_of(p, p->classes[s.class].shared,
                                      (double)p->classes[s.class].room + 1);

        if (more < BOSC_CHIP_CLASSES)
            return make_cells(p, b, (seats){s.first, 1, more, s.order});
        bool *on = p->classes[s.class].shared ? p->apart : p->off;

#pragma omp critical
        on[p->batch->layout.group[p->neurons[s.first]]] = p->more_off = true;
        return true;
    }
    const size_t places = (size_t)(b->kept + b->changing) * BOSC_CHIP_LANES;
    bosc_chip_cells cells = {.block = b->block,
                             .in_class = s.class,
                             .order = s.order,
                             .image = calloc((size_t)b->block.bytes, 1),
                             .map = malloc(places * sizeof *cells.map)};
    const bosc_chip_out out = {cells.image, cells.map, plan->address,
                               plan->state};
    bool enough = cells.image != NULL && cells.map != NULL;

    if (enough)
        bosc_chip_write(b, &out);
    for (int32_t q = 0; q < b->n_neurons; ++q)
        for (int32_t l = 0; l < bosc_chip_lanes(b); ++l)
            plan->where[bosc_chip_neuron_of(b, q, l).neuron] = s.order;

#pragma omp critical
    {
        enough = enough && bosc_grow(&plan->cells, &p->cells_room,
                                     (size_t)plan->n + 1, sizeof *plan->cells);
        if (enough)
            plan->cells[plan->n++] = cells;
        if (bytes > plan->bytes[s.class])
            plan->bytes[s.class] = bytes;
    }
    if (!enough) {
        free(cells.image);
        free(cells.map);
    }
    return enough;
}

static void make_all(planner *p)
{
    bool enough = true;

#pragma omp parallel reduction(&& : enough)
    {
        bosc_chip_builder b = {.batch = p->batch, .rows = p->rows, .io = p->io};

#pragma omp for schedule(dynamic, 1)
        for (int32_t i = 0; i < p->n_seats; ++i)
            enough = enough && make_cells(p, &b, p->seats[i]);
        bosc_chip_builder_clear(&b);
    }
    p->short_of_memory = p->short_of_memory || !enough;
}

static void clear_cells(bosc_chip_plan *plan)
{
    for (int32_t i = 0; i < plan->n; ++i) {
        free(plan->cells[i].image);
        free(plan->cells[i].map);
    }
    plan->n = 0;
    memset(plan->bytes, 0, sizeof plan->bytes);
}

/* Find out from some cell blocks what neurons take of them. */
static bool calibrate(planner *p)
{
    enum { SAMPLES = 16 };
    bosc_chip_builder b = {.batch = p->batch, .rows = p->rows, .io = p->io};
    const int32_t step = p->n_seats / SAMPLES + 1;
    double about = 0, all = 0;
    bool enough = true;

    for (int32_t i = 0; i < p->n_seats && enough; i += step) {
        const seats s = p->seats[i];
        int64_t bytes = 0;
        bool fits;

        if (p->classes[s.class].shared || s.n == 1)
            continue;
        enough = try_cells(p, &b, s, &bytes, &fits);
        for (int32_t k = 0; bytes > 0 && k < s.n; ++k)
            about += p->bytes[p->neurons[s.first + k]];
        all += (double)bytes;
    }
    bosc_chip_builder_clear(&b);
    if (about > 0) /* a few seats too many are taken back, too few are not */
        p->scale = 0.96 * all / about;
    return enough;
}

/* Those that were left sit together. */
static bool seat_left(planner *p)
{
    const int32_t n = p->n_left;

    memcpy(p->neurons, p->left, (size_t)n * sizeof *p->left);
    sort_neurons(p, 0, n);
    p->round += p->n_seats;
    p->n_seats = p->n_left = 0;
    return seat_others(p, 0, n);
}

/* Cell blocks of all that are to be on the chip; again, if more must stay
 * off. */
static bool make_plan(planner *p)
{
    p->scale = 1;
    find_bytes(p);
    if (p->short_of_memory || !seat_all(p) || !calibrate(p))
        return false;
    do {
        p->more_off = false;
        p->n_left = p->round = 0;
        for (int32_t i = 0; i < p->batch->layout.n_neurons; ++i)
            p->plan->where[i] = -1;
        clear_cells(p->plan);
        if (!seat_all(p))
            return false;
        make_all(p);
        while (p->n_left > 0 && !p->short_of_memory) {
            if (!seat_left(p))
                return false;
            make_all(p);
        }
        if (p->more_off && !p->short_of_memory)
            find_bytes(p);
    } while (p->more_off && !p->short_of_memory);
    return !p->short_of_memory;
}

/* By class, then as they were seated. */
static int compare_cells(const void *pa, const void *pb)
{
    const bosc_chip_cells *a = pa, *b = pb;

    if (a->in_class != b->in_class)
        return a->in_class < b->in_class ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Sort the cell blocks; then neurons know theirs by its place, no longer by its
 * order.  False without memory. */
static bool sort_cells(planner *p)
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

bosc_status bosc_chip_plan_create(const bosc_batch *batch,
                                  const bosc_rows *rows, const bosc_step_io *io,
                                  const bosc_chip_class *classes,
                                  bosc_chip_plan *plan, bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    const size_t n = (size_t)layout->n_neurons;
    planner p = {.batch = batch,
                 .rows = rows,
                 .io = io,
                 .classes = classes,
                 .plan = plan};
    bosc_status st;

    *plan = (bosc_chip_plan){.n_blocks = batch->n_blocks};
    st = BOSC_ALLOC(
        err, "neurons on the chip", BOSC_ARRAY(p.neurons, n),
        BOSC_ARRAY(p.left, n), BOSC_ARRAY(p.bytes, n), BOSC_ARRAY(p.path, n),
        BOSC_ARRAY(p.shared, layout->n_groups),
        BOSC_ARRAY(p.off, layout->n_groups),
        BOSC_ARRAY(p.apart, layout->n_groups), BOSC_ARRAY(plan->where, n),
        BOSC_ARRAY(plan->address, layout->n_slots),
        BOSC_ARRAY(plan->state, batch->n_blocks));
    for (int32_t m = 0; m < batch->n_blocks && st == BOSC_OK; ++m)
        st = BOSC_ALLOC(err, "neurons on the chip",
                        BOSC_ARRAY(plan->state[m], batch->blocks[m].n));
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        plan->where[i] = -1;
    if (st == BOSC_OK && layout->n_slots < UINT32_MAX) {
        if (!make_plan(&p))
            st = bosc_no_memory(err, "neurons on the chip");
    }
    if (st == BOSC_OK && !sort_cells(&p))
        st = bosc_no_memory(err, "neurons on the chip");
    if (st != BOSC_OK)
        bosc_chip_plan_clear(plan);
    free(p.neurons);
    free(p.left);
    free(p.bytes);
    free(p.path);
    free(p.shared);
    free(p.off);
    free(p.apart);
    free(p.seats);
    return st;
}

void bosc_chip_plan_clear(bosc_chip_plan *plan)
{
    clear_cells(plan);
    for (int32_t m = 0; plan->state != NULL && m < plan->n_blocks; ++m)
        free(plan->state[m]);
    free(plan->cells);
    free(plan->where);
    free(plan->address);
    free(plan->state);
    *plan = (bosc_chip_plan){0};
}
