#include "kernels/gpu/chip/chip_assign.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

int32_t bosc_chip_class_of(const bosc_chip_planner *p, bool shared,
                           double bytes)
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
static bool may_share(const bosc_chip_planner *p, int32_t g)
{
    const bosc_layout *layout = &p->batch->layout;

    return !p->not_shared[g] && p->rows->constants[g].shared &&
           layout->uniform[g] &&
           bosc_layout_width(layout, g) == BOSC_CHIP_LANES;
}

/* --- sizes ---------------------------------------------------------------- */

/* Bytes of a neuron's instances in the image. */
static double instance_bytes(const bosc_chip_planner *p, int32_t neuron)
{
    const int32_t lane = p->batch->layout.place[neuron];
    double bytes = 0;

    for (int32_t m = 0; m < p->batch->n_blocks; ++m) {
        const ptrdiff_t *first = p->items.instances[m].first + lane;
        const bosc_mech *mech = p->batch->blocks[m].mech;
        const int n_states = p->items.of_job[m] < 0 ? mech->n_states
                             : mech->flows          ? BOSC_OF_JOB_FIELDS
                                                    : 0;

        bytes += (double)(first[1] - first[0]) *
                 (double)(sizeof(double) * (size_t)n_states);
    }
    return bytes;
}

static bosc_chip_profile profile_of(const bosc_chip_builder *b)
{
    bosc_chip_profile profile = {{0}};

    for (int32_t r = 0; r < b->n_runs; ++r) {
        const bosc_chip_run *run = &b->runs[r];
        uint8_t *longest = &profile.rows[run->soonest < BOSC_CHIP_PROFILE
                                             ? run->soonest
                                             : BOSC_CHIP_PROFILE - 1];

        if (run->rows > *longest)
            *longest = (uint8_t)(run->rows < UINT8_MAX ? run->rows : UINT8_MAX);
    }
    return profile;
}

/* About the bytes of a neuron, or of a group that shares at its first; those
 * behind the image are added to *behind. */
static bool find_bytes_of(bosc_chip_planner *p, bosc_chip_builder *b, int32_t g,
                          int32_t k, bool shared, double *behind)
{
    const bosc_layout *layout = &p->batch->layout;
    const int32_t neuron = bosc_layout_neuron(layout, g, k);
    double own;

    if (neuron < 0)
        return true;
    bosc_chip_begin(b, shared);
    if (!shared)
        bosc_chip_mark(p->batch, p->rows, &p->items, neuron,
                       p->marks.mark + p->marks.first[neuron]);
    if (!bosc_chip_add(b, neuron))
        return false;
    p->bytes[neuron] = instance_bytes(p, neuron) + bosc_chip_bytes(b, &own);
    *behind += own;
    p->profile[neuron] = profile_of(b);
    return true;
}

void bosc_chip_exclude_group(bosc_chip_planner *p, int32_t g,
                             const bosc_limit *limit)
{
#pragma omp critical(excluded)
    {
        p->excluded[g] = true;
        if (p->limit == NULL || limit < p->limit)
            p->limit = limit;
    }
}

/* A group shares if there is room for it. */
static bool find_bytes_in(bosc_chip_planner *p, bosc_chip_builder *b, int32_t g)
{
    const bosc_layout *layout = &p->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t first = bosc_layout_neuron(layout, g, 0);
    bool enough = true;
    double behind = 0;

    p->shared[g] = false;
    if (may_share(p, g)) {
        enough = find_bytes_of(p, b, g, 0, true, &behind);
        for (int32_t k = 1; k < width; ++k)
            p->bytes[first] +=
                instance_bytes(p, bosc_layout_neuron(layout, g, k));
        p->shared[g] =
            bosc_chip_class_of(p, true, p->bytes[first]) < BOSC_CHIP_CLASSES;
        behind = p->shared[g] ? behind : 0;
    }
    for (int32_t k = 0; k < width && !p->shared[g]; ++k)
        enough = enough && find_bytes_of(p, b, g, k, false, &behind);
#pragma omp atomic
    p->behind += behind;
    for (int32_t k = 0; k < width && !p->shared[g]; ++k) {
        const int32_t i = bosc_layout_neuron(layout, g, k);

        if (i >= 0 &&
            bosc_chip_class_of(p, false, p->bytes[i]) == BOSC_CHIP_CLASSES)
            bosc_chip_exclude_group(p, g, &bosc_chip_limits[BOSC_LIMIT_SIZE]);
    }
    return enough;
}

static void find_all_bytes(bosc_chip_planner *p)
{
    bool enough = true;

    p->behind = 0;
    for (int32_t m = 0; m < p->batch->n_blocks; ++m)
        p->behind += (double)p->batch->blocks[m].n * sizeof(bosc_chip_instance);
#pragma omp parallel reduction(&& : enough)
    {
        bosc_chip_builder b = bosc_chip_builder_of(p);

#pragma omp for schedule(dynamic, 16)
        for (int32_t g = 0; g < p->batch->layout.n_groups; ++g)
            enough = find_bytes_in(p, &b, g) && enough;
        bosc_chip_builder_clear(&b);
    }
    p->short_of_memory = p->short_of_memory || !enough;
}

/* The groups that share. */
static int32_t count_shared(const bosc_chip_planner *p)
{
    int32_t n = 0;

    for (int32_t g = 0; g < p->batch->layout.n_groups; ++g)
        n += p->shared[g] && !p->excluded[g];
    return n;
}

/* Are there so few cell blocks of all that many multiprocessors would have
 * none?  Then neurons of groups that share are faster spread over more of them,
 * as if they differed. */
static bool leaves_idle(const bosc_chip_planner *p)
{
    const double share = 0.6; /* of the multiprocessors */
    const bosc_layout *layout = &p->batch->layout;
    const int32_t small = bosc_chip_class_of(p, false, 0);
    const int32_t groups = count_shared(p);
    int32_t at_once = INT32_MAX;
    double bytes = 0;

    if (groups == 0 || small == BOSC_CHIP_CLASSES)
        return false;
    for (int32_t k = 0; k < BOSC_CHIP_CLASSES; ++k)
        if (p->classes[k].shared && p->classes[k].at_once < at_once)
            at_once = p->classes[k].at_once; /* one a multiprocessor */
    for (int32_t i = 0; i < layout->n_neurons; ++i)
        bytes += p->shared[layout->group[i]] ? 0 : p->bytes[i];
    return groups + bytes / (double)p->classes[small].room < share * at_once;
}

void bosc_chip_find_bytes(bosc_chip_planner *p)
{
    find_all_bytes(p);
    if (!leaves_idle(p))
        return;
    for (int32_t g = 0; g < p->batch->layout.n_groups; ++g)
        p->not_shared[g] = p->not_shared[g] || p->shared[g];
    find_all_bytes(p);
}

/* --- assignment ------------------------------------------------------------
 */

static bool add_assignment(bosc_chip_planner *p, int32_t first, int32_t n,
                           int32_t class)
{
    if (n == 0)
        return true;
    if (!bosc_grow(&p->assignments, &p->assignments_room,
                   (size_t)p->n_assignments + 1, sizeof *p->assignments))
        return false;
    p->assignments[p->n_assignments] = (bosc_chip_assignment){
        first, n, class, p->n_earlier + p->n_assignments};
    ++p->n_assignments;
    return true;
}

/* The class of a cell block of equal neurons, of which there are up to n: with
 * more warps, if all of them are run at the same time even so. */
static int32_t class_of_equals(const bosc_chip_planner *p, double bytes,
                               int32_t n)
{
    int32_t found = bosc_chip_class_of(p, true, bytes);

    for (int32_t k = 0; k < BOSC_CHIP_CLASSES; ++k)
        if (p->classes[k].shared &&
            p->classes[k].room >= p->classes[found].room &&
            p->classes[k].warps > p->classes[found].warps &&
            n <= p->classes[k].at_once)
            found = k;
    return found;
}

/* How many groups that share make a cell block, the first n of the list: one
 * more makes its step longer, but not twice as long, for warps that would wait
 * have something to do. */
static int32_t choose_together(const bosc_chip_planner *p, int32_t n,
                               double room, int32_t at_once)
{
    enum { MOST = 4 };
    const double longer = 0.5; /* by each group more */
    double bytes = 0, least = 0;
    int32_t found = 1;

    for (int32_t k = 0; k < n; ++k)
        bytes += p->bytes[p->neurons[k]];
    for (int32_t k = 1; k <= MOST && k * bytes <= n * room; ++k) {
        const int32_t blocks = (n + k - 1) / k;
        const int32_t waves = (blocks + at_once - 1) / at_once;
        const double time = waves * (1 + longer * (k - 1));

        if (k == 1 || time < least) {
            least = time;
            found = k;
        }
    }
    return found;
}

/* Cell blocks of the groups that share, the first n of the list. */
static bool assign_shared_groups(bosc_chip_planner *p, int32_t n)
{
    const int32_t small = bosc_chip_class_of(p, true, 0);
    const double spare = 0.05; /* bytes are about right */
    bool enough = true;

    if (n == 0)
        return true;
    const double room = (1 - spare) * (double)p->classes[small].room;
    const int32_t together =
        choose_together(p, n, room, p->classes[small].at_once);

    for (int32_t k = 0, first = 0; k < n && enough; first = k) {
        double bytes = 0;

        while (k < n && k < first + together &&
               (k == first || bytes + p->bytes[p->neurons[k]] <= room))
            bytes += p->bytes[p->neurons[k++]];
        enough =
            add_assignment(p, first, k - first, class_of_equals(p, bytes, n));
    }
    return enough;
}

/* Some neurons that differ: several do not get more room than one could do
 * with. */
static bool assign_block(bosc_chip_planner *p, int32_t first, int32_t n)
{
    return add_assignment(
        p, first, n,
        bosc_chip_class_of(p, false, n == 1 ? p->bytes[p->neurons[first]] : 0));
}

/* What it costs others to wait for such a neuron, about, in tenths of a row:
 * rows that a level gets more, with a level itself as much as some; and a
 * little for rows that the neuron has fewer of, as it could share a block with
 * neurons like it. */
static int32_t waiting_cost(const bosc_chip_profile *block,
                            const bosc_chip_profile *it)
{
    enum { MORE = 10, FEWER = 1, LEVEL = 18 };
    int32_t more = 0, fewer = 0, levels = 0;

#pragma omp simd reduction(+ : more, fewer, levels)
    for (int l = 0; l < BOSC_CHIP_PROFILE; ++l) {
        const int32_t by = it->rows[l] - block->rows[l];

        more += by > 0 ? by : 0;
        fewer -= by < 0 ? by : 0;
        levels += by > 0 && block->rows[l] == 0;
    }
    return MORE * (more + LEVEL * levels) + FEWER * fewer;
}

/* Move the neuron that fits best to those of the block, and takes at most so
 * many bytes, from a little behind k in the list to k; false: there is none. */
static bool bring_best_match(const bosc_chip_planner *p,
                             const bosc_chip_profile *block, int32_t k,
                             int32_t n, double most)
{
    enum { NEAR = 256 };
    const int32_t end = n - k < NEAR ? n : k + NEAR;
    int32_t best = -1, least = INT32_MAX;

    for (int32_t i = k; i < end; ++i) {
        if (p->scale * p->bytes[p->neurons[i]] > most)
            continue;
        const int32_t cost = waiting_cost(block, &p->profile[p->neurons[i]]);

        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    if (best < 0)
        return false;
    const int32_t found = p->neurons[best];

    memmove(p->neurons + k + 1, p->neurons + k,
            (size_t)(best - k) * sizeof *p->neurons);
    p->neurons[k] = found;
    return true;
}

/* Another neuron joins the block. */
static void add_profile(bosc_chip_profile *block, const bosc_chip_profile *it)
{
    for (int l = 0; l < BOSC_CHIP_PROFILE; ++l)
        if (it->rows[l] > block->rows[l])
            block->rows[l] = it->rows[l];
}

/* Neurons first..n - 1 of the list, about in their order, those together that
 * make each other wait least, with so many bytes in a cell block: the ends of
 * cell blocks, and how many. */
static int32_t split_part(bosc_chip_planner *p, int32_t first, int32_t n,
                          double limit, int32_t *end)
{
    bosc_chip_profile block = {{0}};
    double sum = 0;
    int32_t made = 0;

    for (int32_t k = first; k < n; ++k) {
        if (k > first && !bring_best_match(p, &block, k, n, limit - sum)) {
            end[made++] = first = k;
            sum = 0;
            block = (bosc_chip_profile){{0}};
        }
        add_profile(&block, &p->profile[p->neurons[k]]);
        sum += p->scale * p->bytes[p->neurons[k]];
    }
    end[made++] = n;
    return made;
}

/* Neurons first..n - 1 of the list; how many cell blocks, or -1 without memory.
 * Parts of the list are assigned at the same time, by any number of threads. */
static int32_t assign_within(bosc_chip_planner *p, int32_t first, int32_t n,
                             double limit)
{
    enum { PART = 2048 };
    const int32_t before = p->n_assignments,
                  parts = (n - first + PART - 1) / PART;
    int32_t *end = bosc_alloc((size_t)(n - first), sizeof *end);
    int32_t *made = bosc_alloc((size_t)parts, sizeof *made);
    bool enough = end != NULL && made != NULL;

    if (enough) {
#pragma omp parallel for schedule(dynamic, 1)
        for (int32_t k = 0; k < parts; ++k) {
            const int32_t from = first + k * PART;

            made[k] = split_part(p, from, n - from < PART ? n : from + PART,
                                 limit, end + k * PART);
        }
    }
    for (int32_t k = 0; k < parts && enough; ++k)
        for (int32_t i = 0; i < made[k] && enough; ++i) {
            enough = assign_block(p, first, end[k * PART + i] - first);
            first = end[k * PART + i];
        }
    free(end);
    free(made);
    return enough ? p->n_assignments - before : -1;
}

/* Neurons first..n - 1, which differ: all the room is used, or less of it where
 * the last of a few waves of blocks would not fill the device. */
static bool assign_not_shared(bosc_chip_planner *p, int32_t first, int32_t n)
{
    enum { WAVES = 4 };
    const int32_t small = bosc_chip_class_of(p, false, 0),
                  before = p->n_assignments;
    double total = 0;

    if (small == BOSC_CHIP_CLASSES || n == first)
        return true;
    for (int32_t k = first; k < n; ++k)
        total += p->scale * p->bytes[p->neurons[k]];

    const double room = (double)p->classes[small].room;
    const int32_t at_once = p->classes[small].at_once;
    int32_t made = assign_within(p, first, n, room);
    const int32_t waves = (made + at_once - 1) / at_once;

    if (made < 0 || waves > WAVES)
        return made >= 0;
    for (double limit = total / (waves * at_once); limit < room;
         limit *= 1.02) {
        p->n_assignments = before;
        made = assign_within(p, first, n, limit);
        if (made <= waves * at_once)
            return made >= 0;
    }
    p->n_assignments = before;
    return assign_within(p, first, n, room) >= 0;
}

/* The rows that a sweep takes one after another for neuron k of the list, at
 * least. */
static int32_t path_length(const bosc_chip_planner *p, int32_t k)
{
    const bosc_chip_profile *profile = &p->profile[p->neurons[k]];
    int32_t path = 0;

    for (int l = 0; l < BOSC_CHIP_PROFILE; ++l)
        path += profile->rows[l];
    return path;
}

/* Sort neurons by path length, the longest first, then by number: neurons that
 * wait as long share a block.  Counting sort, as neurons are many. */
static bool sort_neurons(const bosc_chip_planner *p, int32_t first, int32_t n)
{
    enum { LONGEST = BOSC_CHIP_PROFILE * UINT8_MAX };
    int32_t *sorted = bosc_alloc((size_t)n, sizeof *sorted);
    int32_t *count = bosc_alloc(LONGEST + 2, sizeof *count);

    if (sorted != NULL && count != NULL) {
        for (int32_t k = first; k < n; ++k)
            ++count[LONGEST - path_length(p, k) + 1];
        for (int32_t l = 0; l < LONGEST; ++l)
            count[l + 1] += count[l];
        for (int32_t k = first; k < n; ++k)
            sorted[count[LONGEST - path_length(p, k)]++] = p->neurons[k];
        memcpy(p->neurons + first, sorted,
               (size_t)(n - first) * sizeof *sorted);
    }
    free(sorted);
    free(count);
    return sorted != NULL && count != NULL;
}

/* Groups that share come first. */
bool bosc_chip_assign_all(bosc_chip_planner *p)
{
    const bosc_layout *layout = &p->batch->layout;
    int32_t n = 0, first;

    p->n_assignments = 0;
    for (int32_t g = 0; g < layout->n_groups; ++g)
        if (p->shared[g] && !p->excluded[g])
            p->neurons[n++] = bosc_layout_neuron(layout, g, 0);
    if (!assign_shared_groups(p, n))
        return false;
    first = n;
    for (int32_t i = 0; i < layout->n_neurons; ++i)
        if (!p->shared[layout->group[i]] && !p->excluded[layout->group[i]])
            p->neurons[n++] = i;
    return sort_neurons(p, first, n) && assign_not_shared(p, first, n);
}

static int compare_numbers(const void *pa, const void *pb)
{
    const int32_t a = *(const int32_t *)pa, b = *(const int32_t *)pb;

    return (a > b) - (a < b);
}

bool bosc_chip_assign_deferred(bosc_chip_planner *p)
{
    const int32_t *group = p->batch->layout.group, n = p->n_deferred;
    int32_t first = 0, last;
    bool enough = true;

    if (n > 0) /* in the order of threads until now */
        qsort(p->deferred, (size_t)n, sizeof *p->deferred, compare_numbers);
    for (int32_t k = 0; k < n; ++k)
        if (p->shared[group[p->deferred[k]]])
            p->neurons[first++] = p->deferred[k];
    last = first;
    for (int32_t k = 0; k < n; ++k)
        if (!p->shared[group[p->deferred[k]]])
            p->neurons[last++] = p->deferred[k];
    if (!sort_neurons(p, first, n))
        return false;
    p->n_earlier += p->n_assignments;
    p->n_assignments = p->n_deferred = 0;
    for (int32_t k = 0; k < first && enough; ++k)
        enough = add_assignment(
            p, k, 1, bosc_chip_class_of(p, true, p->bytes[p->neurons[k]]));
    return enough && assign_not_shared(p, first, n);
}
