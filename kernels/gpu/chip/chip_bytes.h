/* chip_bytes.h - about the memory of a GPU that a neuron takes, before it is
 * known.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_BYTES_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* Spikes of a detector, which spikes in every other step at most, that a GPU
 * has room for in a launch, and so the steps of one, if it is asked for so many
 * at a time; 0: many.  With more steps a launch brings neurons and takes them
 * back less often: of 100 that is a twentieth of the time. */
static inline int32_t bosc_spikes_room(int64_t steps)
{
    enum { LEAST = 20, MOST = 50 };

    return steps <= 0 || steps > 2 * MOST ? MOST
           : steps < 2 * LEAST            ? LEAST
                                          : (int32_t)((steps + 1) / 2);
}

typedef struct bosc_device_neuron {
    double rows;
    double tips;      /* of these, without membrane */
    double instances; /* of mechanisms with currents, at random places, */
    double states;    /* and of all of them */
    bool shared;      /* as many as a group has are equal */
    int64_t steps;    /* asked for at a time */
    double changing;  /* rows that do for other mechanisms */
    double events;    /* received meanwhile, */
    double recorded;  /* values recorded meanwhile, */
    double entries;   /* of so many places */
    double more;      /* bytes of mechanisms, where these are streamed */
} bosc_device_neuron;

/* In a cell block; streamed. */
double bosc_chip_neuron_bytes(const bosc_device_neuron *n);
double bosc_streamed_neuron_bytes(const bosc_device_neuron *n);

/* Of a slot that is padding. */
double bosc_chip_slot_bytes(void);
double bosc_streamed_slot_bytes(void);

/* Of a cell block's image and map a neuron's part. */
double bosc_chip_image_bytes(const bosc_device_neuron *n);

#endif
