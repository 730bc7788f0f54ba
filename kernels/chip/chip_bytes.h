/* chip_bytes.h - about the memory of a GPU that a neuron takes, before it is
 * known.
 */
#ifndef BOSC_KERNELS_CHIP_CHIP_BYTES_H
#define BOSC_KERNELS_CHIP_CHIP_BYTES_H

#include <stdbool.h>

typedef struct bosc_device_neuron {
    double rows;
    double instances; /* of mechanisms with currents, at random places, */
    double states;    /* and of all of them */
    bool shared;      /* as many as a group has are equal */
    double more;      /* bytes of full mechanisms, where these are streamed */
} bosc_device_neuron;

/* In a cell block; streamed. */
double bosc_chip_neuron_bytes(const bosc_device_neuron *n);
double bosc_streamed_neuron_bytes(const bosc_device_neuron *n);

/* Of a cell block's image and map a neuron's part. */
double bosc_chip_image_bytes(const bosc_device_neuron *n);

#endif
