/* chip_limits.c - which jobs and which neurons have no place on the chip of a
 * GPU, and are streamed.
 */
#include "kernels/gpu/chip/chip.h"
#include "kernels/step/limits.h"

enum {
    FEW_STEPS = 4,
    CROWD = 8,      /* neurons of a multiprocessor */
    NEAR = 1 << 16, /* addresses */
    FAR = 1 << (31 - BOSC_CHIP_BLOCK_BITS),
    MANY = 1 << 16, /* of what is counted in 16 bits */
    VALUES = 256    /* a run names its e in 8 bits */
};

static bool has_own_points(const bosc_needs *needs)
{
    return needs->own_points;
}

static bool is_coupled(const bosc_needs *needs)
{
    return needs->couplings;
}

static bool is_second_order(const bosc_needs *needs)
{
    return needs->second_order;
}

static bool has_short_epochs(const bosc_needs *needs)
{
    return needs->epoch > 0 && needs->epoch < FEW_STEPS;
}

/* One H100, us a step of 64, 256, 1,024, 2,048 neurons of one published cell,
 * on the chip / streamed: Hay 109, 139, 545, 1,085 / 495, 507, 628, 800; Allen
 * all-active 71, 98, 365, 1,040 / 277, 285, 367, 520; Migliore's CA1 88, 168,
 * 665, 1,290 / 532, 562, 657, 927; Mainen 96, 198, 785, 1,592 / 730, 835, 942,
 * 1,220. */
static bool has_own_densities(const bosc_needs *needs)
{
    return needs->own_dense && needs->crowd > CROWD;
}

static bool is_narrow(const bosc_needs *needs)
{
    return needs->width > 0 && needs->width != BOSC_CHIP_LANES;
}

static bool has_many_slots(const bosc_needs *needs)
{
    return needs->slots >= UINT32_MAX;
}

static bool is_large(const bosc_neuron_needs *needs)
{
    return needs->numbers >= (needs->near ? NEAR : FAR);
}

static bool has_many_instances(const bosc_neuron_needs *needs)
{
    return needs->instances >= MANY;
}

static bool has_many_stimuli(const bosc_neuron_needs *needs)
{
    return needs->stimuli >= MANY;
}

static bool has_many_entries(const bosc_neuron_needs *needs)
{
    return needs->entries >= MANY - 1;
}

static bool has_many_tasks(const bosc_neuron_needs *needs)
{
    return needs->tasks >= MANY;
}

static bool has_many_values(const bosc_neuron_needs *needs)
{
    return needs->values > VALUES;
}

/* clang-format off */
const bosc_limit bosc_chip_limits[BOSC_CHIP_LIMITS + 1] = {
[BOSC_LIMIT_POINTS] = {"point processes of mod files",
    "cell blocks know those that are built in alone",
    false, has_own_points, NULL},
[BOSC_LIMIT_COUPLINGS] = {"couplings",
    "they make each step a launch",
    false, is_coupled, NULL},
[BOSC_LIMIT_SECOND_ORDER] = {"second order",
    "it needs the voltages of before",
    false, is_second_order, NULL},
[BOSC_LIMIT_EPOCH] = {"epochs of fewer than 4 steps",
    "so few are not worth the way to the chip and back",
    true, has_short_epochs, NULL},
[BOSC_LIMIT_DENSE] = {"densities of mod files beyond somata",
    "streaming more than 8 neurons a multiprocessor is faster; cell blocks "
    "have them by name",
    false, has_own_densities, NULL},
[BOSC_LIMIT_WIDTH] = {"narrow groups",
    "cell blocks share what 32 equal neurons have",
    true, is_narrow, NULL},
[BOSC_LIMIT_SLOTS] = {"too many compartments of a rank",
    "their numbers have 32 bits",
    true, has_many_slots, NULL},
[BOSC_LIMIT_SIZE] = {"too large",
    "addresses of a cell block have 25 bits",
    true, NULL, is_large},
[BOSC_LIMIT_INSTANCES] = {"too many mechanisms",
    "a cell block has up to 65,535 instances",
    true, NULL, has_many_instances},
[BOSC_LIMIT_STIMULI] = {"too many stimuli at one place",
    "a compartment on the chip has up to 65,535",
    true, NULL, has_many_stimuli},
[BOSC_LIMIT_ENTRIES] = {"too many branch points and stimuli",
    "a cell block has up to 65,534 compartments with any",
    true, NULL, has_many_entries},
[BOSC_LIMIT_TASKS] = {"too many branches",
    "a cell block has up to 65,535 times 32 of them",
    true, NULL, has_many_tasks},
[BOSC_LIMIT_VALUES] = {"too many reversal potentials",
    "a cell block has up to 256",
    true, NULL, has_many_values},
[BOSC_CHIP_LIMITS] = {.what = NULL},
};
/* clang-format on */
