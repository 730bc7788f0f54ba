/* device.h - what measurements of methods are valid for.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SELECT_DEVICE_H
#define BOSC_SRC_SELECT_DEVICE_H

#include "kernels/methods.h"

enum { BOSC_DEVICE_NAME = 200 };

/* The processor of a backend and its vectors, "AMD EPYC 9R45, 8 lanes". */
void bosc_device_name(const bosc_backend *backend, char name[BOSC_DEVICE_NAME]);

#endif
