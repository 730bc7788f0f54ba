#include "kernels/gpu/chip/chip_bytes.h"

#include <math.h>

#include "kernels/gpu/chip/chip.h"
#include "kernels/step/engine.h"

enum {
    NUMBER = sizeof(double),
    SLOT = sizeof(uint32_t),
    TABLES = 17,     /* a section: tasks, words of runs, idle lanes */
    NEURON = 95,     /* detector, lane */
    LAUNCHES = 2,    /* with room for spikes */
    RANGES = 2,      /* with events, */
    EVENT = 32,      /* of at most so many bytes, */
    ENTRY = 24,      /* recorded: what it is, and its place among others, */
    IMAGE_ENTRY = 16 /* also among those of its cell block */
};
static const double spare = 1.5; /* room that a range has, over what it needs */
static const double head = 1.013; /* of a cell block: a row of zeros, tables */
static const double idle = 1.06;  /* places of columns over rows in them */

/* Of one of 32 neurons that share: the constants are of all. */
static double part_of(double bytes)
{
    return bytes / BOSC_CHIP_LANES;
}

static double constant_rows(const bosc_device_neuron *n)
{
    const double constant = n->rows - n->tips - n->changing;

    return constant > 0 ? constant : 0;
}

/* Places in columns of rows that change: where these are few, a column of 32 is
 * as long as the longest of its runs (measured). */
static double changing_places(const bosc_device_neuron *n)
{
    const double few = 55, rows = n->rows - n->tips;
    const double constant = rows > 0 ? constant_rows(n) / rows : 0;

    return n->shared ? n->changing
                     : idle * n->changing +
                           fmin(3 * n->changing, few * constant * constant);
}

double bosc_chip_image_bytes(const bosc_device_neuron *n)
{
    const double constant = n->shared
                                ? NUMBER + part_of(BOSC_ALL_FIELDS * NUMBER)
                                : idle * BOSC_CONSTANT_FIELDS * NUMBER;
    const double changing = n->shared ? (BOSC_ROW_FIELDS - 1) * NUMBER +
                                            part_of(BOSC_OWN_ALL * NUMBER)
                                      : BOSC_ROW_FIELDS * NUMBER;
    const double tables =
        n->shared ? part_of(TABLES * n->sections) : TABLES / 2. * n->sections;
    /* two branches end in such a row, and it has an entry */
    const double join =
        2 * BOSC_JOIN_FIELDS * NUMBER + BOSC_CHIP_ENTRY_WORDS(false) * NUMBER;

    return head * (tables + constant_rows(n) * constant +
                   changing_places(n) * changing + n->joining * join +
                   (n->states - n->job_states + n->left) * NUMBER);
}

/* Its image, what is behind it, and its map. */
static double block_bytes(const bosc_device_neuron *n)
{
    const double room = 1.07; /* that is asked for, over what they turn out */
    const double own = n->shared ? 0 : BOSC_OWN_FIELDS * NUMBER;
    const double changing =
        own + (double)sizeof(bosc_chip_changing) + NUMBER /* scale */;
    const double places =
        (n->shared ? 1 : idle) * constant_rows(n) + changing_places(n);

    return (n->shared ? room : 1) *
           (bosc_chip_image_bytes(n) + n->changing * changing +
            n->tips * (double)sizeof(bosc_chip_tip) +
            n->instances * (double)sizeof(bosc_chip_instance) +
            n->job_rows * (double)sizeof(bosc_chip_job_row) + places * SLOT);
}

bool bosc_chip_may_share(const bosc_device_neuron *n, double groups,
                         double processors, double shared)
{
    const double share = 0.6;           /* of the multiprocessors */
    const double mechanisms = 2 * 1024; /* what a block has besides, about */
    const double once = 2 * 1024;
    /* bosc_chip_bytes() counts an entry, unpacked, for each branch */
    const double entries = 2 * (double)sizeof(bosc_chip_entry) -
                           BOSC_CHIP_ENTRY_WORDS(false) * NUMBER;
    const double bytes = bosc_chip_image_bytes(n) + entries * n->joining;

    return BOSC_CHIP_LANES * bytes + once < shared - mechanisms &&
           groups >= share * processors;
}

static double neuron_bytes(const bosc_device_neuron *n)
{
    return NEURON +
           LAUNCHES * (double)sizeof(bosc_spike) * bosc_spikes_room(n->steps) +
           RANGES * spare * EVENT * n->events +
           NUMBER * (n->recorded + n->weights) + ENTRY * n->entries;
}

double bosc_chip_neuron_bytes(const bosc_device_neuron *n)
{
    return block_bytes(n) + neuron_bytes(n) + n->rows * NUMBER +
           (n->instances + n->states) * NUMBER + IMAGE_ENTRY * n->entries +
           n->beside;
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

/* Numbers that constant rows hand on to ones that change, two each
 * (kernels/step/rows.h): a row of a group counts in all lanes where it is one
 * in any. */
static double boundaries(const bosc_device_neuron *n)
{
    const double rows = n->rows > 1 ? n->rows : 1;
    const double own = 2 * n->joining + n->tips * n->changing / rows;

    return n->shared ? 0 : 2 * rows * -expm1(-BOSC_CHIP_LANES * own / rows);
}

double bosc_streamed_neuron_bytes(const bosc_device_neuron *n)
{
    const double small = 1 + (n->shared ? 0 : (double)sizeof(int32_t));

    return neuron_bytes(n) + n->rows * (arrays * NUMBER + small) +
           boundaries(n) * NUMBER + n->instances * (double)sizeof(int32_t) +
           (n->instances + n->states) * NUMBER + n->more;
}
