/* chip_bytes.h - about the memory of a GPU that neurons take, before they are
 * known: sums of the parts that chip_measure.c, cuda_batch.c, cuda_blocks.c,
 * cuda_ranges.c and cuda_links.c allocate.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_BYTES_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* What the CUDA context of a process takes of a GPU besides, which none of its
 * allocations shows: about 300 MB on an H100 with drivers of CUDA 12 and 13, as
 * nvidia-smi has it.  Other drivers and GPUs have other contexts. */
#define BOSC_CUDA_CONTEXT_BYTES 300e6

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

/* A neuron, as far as its bytes depend on it: counts, which may be means. */
typedef struct bosc_device_neuron {
    double rows, sections;
    double tips;      /* of the rows: ends of branches without membrane */
    double changing;  /* of the rows: those that change in a step */
    double joining;   /* of those that change: those in which branches end */
    double instances; /* of mechanisms with a block, without ions */
    double states;    /* of all instances */
    bool shared;      /* it is one of 32 equal ones in a cell block, or in a
                         group that shares its constants; 'changing' then counts
                         the rows that change in any of them */
    int64_t steps;    /* of a range; 0: many */
    double events;    /* received in a range */
    double recorded;  /* values for which ranges have room */
    double entries;   /* places that are recorded, times variables */
    double weights;   /* of electrodes */
    double more;      /* further bytes of mechanisms where it is streamed */
    /* Of densities of mod files, which keep their states off the chip: */
    double job_states; /* of the states */
    double left;       /* numbers that they leave in a cell block in a step */
    double job_rows;   /* rows that have any */
    double beside;     /* further bytes of mechanisms of a neuron on the chip */
} bosc_device_neuron;

/* Bytes of a neuron in a cell block. */
double bosc_chip_neuron_bytes(const bosc_device_neuron *n);

/* Bytes of a neuron that is streamed. */
double bosc_streamed_neuron_bytes(const bosc_device_neuron *n);

/* Bytes of a slot that is padding, where nothing or all is streamed. */
double bosc_chip_slot_bytes(void);
double bosc_streamed_slot_bytes(void);

/* Bytes of a neuron in the shared memory of a cell block. */
double bosc_chip_image_bytes(const bosc_device_neuron *n);

/* Do 32 equal neurons make a cell block of their own?  They do if they have
 * room, and if such groups are enough for the multiprocessors, 'processors'
 * with 'shared' bytes each: else they are spread (chip_assign.c). */
bool bosc_chip_may_share(const bosc_device_neuron *n, double groups,
                         double processors, double shared);

#endif
