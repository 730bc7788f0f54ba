/* device.h - what measurements of methods are valid for.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SELECT_DEVICE_H
#define BOSC_SRC_SELECT_DEVICE_H

#include "kernels/methods.h"

enum { BOSC_DEVICE_NAME = 200 };

/* The processor of a backend and its vectors, "AMD EPYC 9R45, 8 lanes"; of a
 * GPU with its driver and multiprocessors. */
void bosc_device_name(const bosc_backend *backend, char name[BOSC_DEVICE_NAME]);

/* What the models are of that come with bosc: "any CPU, 8 lanes"; of a GPU its
 * name with any driver. */
void bosc_device_class(const bosc_backend *backend,
                       char name[BOSC_DEVICE_NAME]);

/* What a backend's GPU is like, 0 on a CPU. */
typedef struct bosc_chip {
    double processors;
    double shared; /* bytes that a block may have */
} bosc_chip;

/* The GPU of this process; where there is none, which is where plans are made,
 * one H200. */
bosc_chip bosc_device_chip(const bosc_backend *backend);

#endif
