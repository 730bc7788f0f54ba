#include "kernels/gpu/chip/chip_bytes.h"

#include <math.h>
#include <stdint.h>

#include "kernels/gpu/chip/chip.h"
#include "kernels/step/engine.h"

enum {
    NUMBER = sizeof(double),
    SLOT = sizeof(uint32_t),
    NEURON = 110, /* detector, lane */
    LAUNCHES = 2, /* with room for spikes */
    RANGES = 2,   /* with events and values, */
    EVENT = 32,   /* of at most so many bytes, */
    ENTRY = 40    /* recorded: what it is, and its place in two orders */
};
static const double spare = 1.5; /* room that a range has, over what it needs */

/* Rows on the ways from some places to the root: a way has about 1.7 times the
 * root of all rows (measured with synthetic trees). */
static double rows_that_change(const bosc_device_neuron *n)
{
    const double way = fmin(1.7 * sqrt(n->rows), n->rows);

    if (n->instances <= 1)
        return fmin(n->instances, n->rows);
    return n->rows * (1 - pow(1 - way / n->rows, n->instances));
}

/* Tables, lists and idle places: measured. */
double bosc_chip_image_bytes(const bosc_device_neuron *n)
{
    const double idle = 1.05;
    const double kept = n->shared
                            ? idle * (NUMBER + SLOT) + 2
                            : idle * (BOSC_KEPT_FIELDS * NUMBER + SLOT) + 7;
    const double numbers =
        n->shared ? BOSC_ROW_FIELDS - 1 : BOSC_ROW_FIELDS + BOSC_OWN_FIELDS;
    const double changing =
        idle * (numbers * NUMBER + SLOT) + NUMBER + (n->shared ? 22 : 28);
    const double rows = n->rows - n->tips;
    const double change = fmin(rows_that_change(n), rows);

    return (rows - change) * kept + change * changing +
           n->tips * (double)sizeof(bosc_chip_tip) +
           n->instances * (double)sizeof(bosc_chip_instance) +
           n->states * NUMBER;
}

static double neuron_bytes(const bosc_device_neuron *n)
{
    return NEURON +
           LAUNCHES * (double)sizeof(bosc_spike) * bosc_spikes_room(n->steps) +
           RANGES * spare * (EVENT * n->events + NUMBER * n->recorded) +
           ENTRY * n->entries;
}

double bosc_chip_neuron_bytes(const bosc_device_neuron *n)
{
    return bosc_chip_image_bytes(n) + neuron_bytes(n) + n->rows * NUMBER +
           (n->instances + n->states) * NUMBER;
}

static const double arrays = 7; /* u or f, d or r, c, e; v, d, b */

double bosc_chip_slot_bytes(void)
{
    return NUMBER;
}

double bosc_streamed_slot_bytes(void)
{
    return arrays * NUMBER + 1;
}

double bosc_streamed_neuron_bytes(const bosc_device_neuron *n)
{
    const double small = 1 + (n->shared ? 0 : (double)sizeof(int32_t));

    const double change = fmin(rows_that_change(n) + n->changing, n->rows);
    const double edges = n->shared ? 0 : change * NUMBER;

    return neuron_bytes(n) + n->rows * (arrays * NUMBER + small) + edges +
           n->instances * (double)sizeof(int32_t) +
           (n->instances + n->states) * NUMBER + n->more;
}
