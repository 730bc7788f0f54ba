/* calibrate_gpu.h - what time loops cost on a GPU, for the file of a machine.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_CALIBRATE_CALIBRATE_GPU_H
#define BOSC_SRC_CALIBRATE_CALIBRATE_GPU_H

#include "src/cost/machine.h"

/* At most so many devices: the GPU by each method. */
enum { BOSC_CALIBRATE_GPUS = 4 };

/* Integrate some forests on the first GPU that this process sees, by each
 * method that 'auto' chooses from there, about 'seconds' each, and fit the
 * rates; what the set-up takes is that of the machine's first device.  With
 * 'shown' say so on standard output. *n == 0: there is no GPU.  The texts of
 * the devices are the caller's. */
bosc_status bosc_calibrate_gpu(const bosc_machine *machine, double seconds,
                               bool shown,
                               bosc_machine_device devices[BOSC_CALIBRATE_GPUS],
                               int *n, bosc_error *err);

#endif
