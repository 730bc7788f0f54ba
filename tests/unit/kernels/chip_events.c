/* chip_events.c - events by group become events by cell block: none is lost,
 * and each neuron gets its own in their order. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/chip/chip_events.h"
#include "kernels/mech/builtin.h"
#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum { N_NEURONS = 75, N_SYNAPSES = N_NEURONS * FOREST_RECEIVER_NODES };

typedef struct stage {
    forest_receivers cells;
    bosc_chip_plan plan;
    ptrdiff_t *first; /* of events, by group */
    bosc_event *event;
    int32_t *neuron; /* [events] */
} stage;

/* Cell blocks of some neurons here and there; those of the last group are off
 * the chip. */
static void seat(stage *s)
{
    const bosc_layout *layout = &s->cells.batch.layout;
    bosc_chip_plan *plan = &s->plan;

    plan->n = 9;
    plan->n_blocks = s->cells.batch.n_blocks;
    plan->where = bosc_alloc(N_NEURONS, sizeof *plan->where);
    plan->state = bosc_alloc((size_t)plan->n_blocks, sizeof *plan->state);
    for (int32_t i = 0; i < N_NEURONS; ++i)
        plan->where[i] = layout->group[i] == layout->n_groups - 1 ? -1
                         : i % 11 == 0                            ? 3
                                                                  : i * 7 % 8;
    for (int32_t b = 0; b < plan->n_blocks; ++b) {
        const size_t n = (size_t)s->cells.batch.blocks[b].n;

        plan->state[b] = bosc_alloc(n, sizeof **plan->state);
        for (size_t i = 0; i < n; ++i)
            plan->state[b][i] = (uint32_t)(70000 + 5 * i + (size_t)b);
    }
}

/* Events of steps 100 to 100 + n_steps - 1, by group and step; weights tell
 * them apart. */
static void draw(stage *s, int n, int n_steps)
{
    const int32_t n_groups = s->cells.batch.layout.n_groups;
    const uint64_t begin = 77;
    ptrdiff_t k = 0;

    s->first = bosc_alloc((size_t)n_groups + 1, sizeof *s->first);
    s->event = bosc_alloc((size_t)n, sizeof *s->event);
    s->neuron = bosc_alloc((size_t)n, sizeof *s->neuron);
    for (int32_t g = 0; g < n_groups; ++g) {
        for (int step = 0; step < n_steps; ++step) {
            uint64_t seed = begin;

            for (int i = 0; i < n; ++i) {
                const int32_t synapse =
                    (int32_t)(N_SYNAPSES * forest_uniform(&seed));
                const int at = (int)(n_steps * forest_uniform(&seed));
                const int32_t neuron = s->cells.synapses[synapse].neuron;

                if (s->cells.batch.layout.group[neuron] != g || at != step)
                    continue;
                s->event[k] = forest_event(&s->cells.f, &s->cells.batch,
                                           synapse, 100 + step, (double)k);
                s->neuron[k++] = neuron;
            }
        }
        s->first[g + 1] = k;
    }
}

static void set_up(stage *s, int n, int n_steps)
{
    *s = (stage){0};
    forest_receivers_create(&s->cells, N_NEURONS, 32);
    seat(s);
    draw(s, n, n_steps);
}

static void take_down(stage *s)
{
    free(s->first);
    free(s->event);
    free(s->neuron);
    for (int32_t b = 0; b < s->plan.n_blocks; ++b)
        free(s->plan.state[b]);
    free(s->plan.state);
    free(s->plan.where);
    forest_receivers_clear(&s->cells);
}

/* Is 'got' event number k as a cell block takes it? */
static bool is_event(const stage *s, const bosc_chip_event *got, ptrdiff_t k)
{
    const bosc_event *event = &s->event[k];
    const bosc_mech_block *block = &s->cells.batch.blocks[event->block];
    const ptrdiff_t at =
        block->first[s->cells.batch.layout.group[s->neuron[k]]] +
        event->instance;

    return got->step == event->step && got->index == (uint32_t)at &&
           BOSC_CHIP_BLOCK(got->place) == event->block &&
           (uint32_t)BOSC_CHIP_STATE(got->place) ==
               s->plan.state[event->block][at];
}

/* Each of a cell block's events is there, by step, and in its neuron's order.
 */
static bool is_right(const stage *s, const ptrdiff_t *first,
                     const bosc_chip_event *events)
{
    ptrdiff_t last[N_NEURONS], n = 0;
    bool right = true;

    for (int32_t i = 0; i < N_NEURONS; ++i)
        last[i] = -1;
    for (int32_t c = 0; c < s->plan.n; ++c)
        for (ptrdiff_t i = first[c]; right && i < first[c + 1]; ++i) {
            const ptrdiff_t k = (ptrdiff_t)events[i].weight;
            const int32_t neuron = s->neuron[k];

            right = is_event(s, &events[i], k) && s->plan.where[neuron] == c &&
                    k > last[neuron] &&
                    (i == first[c] || events[i - 1].step <= events[i].step);
            last[neuron] = k;
        }
    for (ptrdiff_t k = 0; k < s->first[s->cells.batch.layout.n_groups]; ++k)
        n += s->plan.where[s->neuron[k]] >= 0;
    return right && first[0] == 0 && first[s->plan.n] == n;
}

static void test_order(int n, int n_steps, int threads)
{
    stage s;

    omp_set_num_threads(threads);
    set_up(&s, n, n_steps);

    const bosc_events all = {s.first, s.event};
    const bosc_step_input steps = {
        .from = 100, .to = 100 + n_steps, .events = &all};
    ptrdiff_t first[10] = {0};
    bosc_chip_event *events = NULL;
    bosc_chip_sorter *sorter = NULL;
    bool lost = true, right = true;

    right = bosc_chip_sorter_create(&s.cells.batch, &s.plan, &sorter, NULL) ==
            BOSC_OK;
    for (int round = 0; right && round < 2; ++round) {
        right = bosc_chip_sorter_count(sorter, &steps, first, &lost, NULL) ==
                    BOSC_OK &&
                !lost;
        free(events);
        events = bosc_alloc((size_t)first[s.plan.n], sizeof *events);
        bosc_chip_sorter_fill(sorter, &steps, first, events);
        right = right && is_right(&s, first, events);
    }
    ok(right && first[s.plan.n] > n / 4 && first[s.plan.n] < n,
       "%d events of %d steps, %d threads: each cell block has its own in "
       "order",
       n, n_steps, threads);

    if (n > 50) {
        s.event[s.first[1] - 1].step = 100 + n_steps;
        right = bosc_chip_sorter_count(sorter, &steps, first, &lost, NULL) ==
                    BOSC_OK &&
                lost;
        s.event[s.first[1] - 1].step = 99;
        ok(right &&
               bosc_chip_sorter_count(sorter, &steps, first, &lost, NULL) ==
                   BOSC_OK &&
               lost,
           "one out of the range, or out of order, is found");
    }
    free(events);
    bosc_chip_sorter_destroy(sorter);
    take_down(&s);
}

int main(void)
{
    test_order(20, 3, 1);
    test_order(500, 40, 1);
    test_order(9000, 12, 1);
    test_order(9000, 12, 3);
    test_order(300, 5000, 2);
    bosc_chip_sorter_destroy(NULL);
    return done_testing();
}
