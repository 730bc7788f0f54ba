/* chip_assign.c - which neurons share a cell block.
 */
#include "kernels/gpu/chip/chip_assign.h"

#include <stdlib.h>

#include "tests/lib/tap.h"

/* Every other neuron makes the first level of a sweep wait, the others that and
 * the next; by the rows that each waits for alone they come in turn. */
static void test_assign(void)
{
    enum { N = 64, EACH = 8, BYTES = 1000 };
    static const bosc_chip_class classes[BOSC_CHIP_CLASSES] = {
        {false, 8, EACH * BYTES + BYTES / 2, 1, false},
        {true, 8, 1, 1, false},
        {true, 8, 1, 1, false},
        {true, 8, 1, 1, false},
        {true, 8, 1, 1, false}};
    int32_t group[N] = {0}, neurons[N], all[N] = {0}, mixed = 0;
    double bytes[N];
    bosc_chip_profile profile[N] = {0};
    bool shared = false, excluded = false;
    const bosc_batch batch = {.layout = {.n_neurons = N, .group = group}};
    bosc_chip_planner p = {.batch = &batch,
                           .classes = classes,
                           .neurons = neurons,
                           .bytes = bytes,
                           .profile = profile,
                           .scale = 1,
                           .shared = &shared,
                           .excluded = &excluded};

    for (int32_t i = 0; i < N; ++i) {
        const uint8_t rows = (uint8_t)(100 + i);

        bytes[i] = BYTES;
        profile[i].rows[0] = i % 2 == 0 ? rows : rows / 2;
        profile[i].rows[1] = i % 2 == 0 ? 0 : (uint8_t)(rows - rows / 2);
    }
    const bool enough = bosc_chip_assign_all(&p);

    ok(enough && p.n_assignments == N / EACH, "%d neurons get %d cell blocks",
       N, p.n_assignments);
    for (int32_t k = 0; k < p.n_assignments; ++k)
        for (int32_t i = 0; i < p.assignments[k].n; ++i) {
            const int32_t *here = neurons + p.assignments[k].first;

            mixed += here[i] % 2 != here[0] % 2;
            ++all[here[i]];
        }
    for (int32_t i = 0; i < N; ++i)
        mixed += all[i] != 1;
    ok(mixed == 0, "each once, beside those that wait alike");
    free(p.assignments);
}

/* Groups of equal neurons: as many in a cell block as make the waves of the
 * device the shortest. */
static void test_equals(int32_t n, int32_t at_once, int32_t want)
{
    enum { MOST = 72, BYTES = 1000, ROOM = 3200 };
    const bosc_chip_class classes[BOSC_CHIP_CLASSES] = {
        {false, 8, 1, 1, false},
        {false, 16, 1, 1, false},
        {true, 8, ROOM, at_once, false},
        {true, 16, 2 * ROOM, 1, false},
        {false, 8, 1 << 30, 1, true}};
    int32_t group[MOST], place[MOST], lane[MOST + 1], neurons[MOST];
    int32_t all[MOST] = {0}, wrong = 0, most = 0;
    double bytes[MOST];
    bool shared[MOST], excluded[MOST] = {false};
    bosc_batch batch = {.layout = {.n_neurons = n,
                                   .n_groups = n,
                                   .group = group,
                                   .place = place,
                                   .lane_neuron = place,
                                   .lane = lane}};
    bosc_chip_planner p = {.batch = &batch,
                           .classes = classes,
                           .neurons = neurons,
                           .bytes = bytes,
                           .scale = 1,
                           .shared = shared,
                           .excluded = excluded};

    for (int32_t i = 0; i < n; ++i) {
        group[i] = place[i] = lane[i] = i;
        bytes[i] = BYTES;
        shared[i] = true;
    }
    lane[n] = n;
    const bool enough = bosc_chip_assign_all(&p);

    for (int32_t k = 0; k < p.n_assignments; ++k) {
        most = p.assignments[k].n > most ? p.assignments[k].n : most;
        for (int32_t i = 0; i < p.assignments[k].n; ++i)
            ++all[neurons[p.assignments[k].first + i]];
    }
    for (int32_t i = 0; i < n; ++i)
        wrong += all[i] != 1;
    ok(enough && wrong == 0 && most == want,
       "%d groups of equal neurons, %d cell blocks at once: %d in each", n,
       at_once, most);
    free(p.assignments);
}

int main(void)
{
    test_assign();
    test_equals(8, 8, 1);
    test_equals(12, 8, 2);
    test_equals(72, 8, 3);
    return done_testing();
}
