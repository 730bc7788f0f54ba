/* backends.h - the rows of the table in backends.c.  Internal to kernels. */
#ifndef BOSC_KERNELS_STEP_BACKENDS_H
#define BOSC_KERNELS_STEP_BACKENDS_H

#include "kernels/step/backend.h"

extern const bosc_backend bosc_ref_backend;
extern const bosc_backend bosc_cpu_backend;

#endif
