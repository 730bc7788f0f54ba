/* cuda.h - the GPU as the solvers see it: memory, copies, timing.
 *
 * For C: no header of CUDA.  All calls are made on the current device.
 */
#ifndef BOSC_KERNELS_BASE_CUDA_H
#define BOSC_KERNELS_BASE_CUDA_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BOSC_OK, or BOSC_ENOSUP with the reason: no driver, no device, or one that
 * this build has no code for. */
bosc_status bosc_cuda_available(bosc_error *err);

/* The device's name, into text. */
void bosc_cuda_device(char *text, size_t size);

/* Bytes of shared memory that a block may have. */
size_t bosc_cuda_shared_limit(void);

/* Multiprocessors of the device. */
int bosc_cuda_processors(void);

/* The bytes a second, read plus written, of a copy much larger than the
 * caches. */
bosc_status bosc_cuda_bandwidth(double *bytes_per_second, bosc_error *err);

/* Memory of the device, not set; 'what' is for the message.  Freed by
 * bosc_cuda_free(), which allows NULL. */
bosc_status bosc_cuda_alloc(void **out, size_t bytes, const char *what,
                            bosc_error *err);
void bosc_cuda_free(void *memory);

/* Copies: host to device, device to host, device to device.  They wait for
 * their end, the last one excepted. */
bosc_status bosc_cuda_put(void *to, const void *from, size_t bytes,
                          bosc_error *err);
bosc_status bosc_cuda_get(void *to, const void *from, size_t bytes,
                          bosc_error *err);
bosc_status bosc_cuda_copy(void *to, const void *from, size_t bytes,
                           bosc_error *err);

/* A fresh copy on the device of an array of the host. */
bosc_status bosc_cuda_upload(void **out, const void *from, size_t bytes,
                             const char *what, bosc_error *err);

/* Run launch(of), wait for what it has launched, and take the time between two
 * events around it. */
bosc_status bosc_cuda_timed(bosc_status (*launch)(void *of, bosc_error *err),
                            void *of, double *seconds, bosc_error *err);

/* Whether the last launch of a kernel was accepted. */
bosc_status bosc_cuda_launched(const char *what, bosc_error *err);

/* Allow a kernel more shared memory than the usual 48 KiB. */
bosc_status bosc_cuda_allow_shared(const void *kernel, size_t bytes,
                                   bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
