/* nvrtc.h - the compiler of CUDA that is a library, NVRTC.
 *
 * Serial code.  The library is loaded when it is called, so a program that does
 * not need it runs without; no GPU is needed.
 */
#ifndef BOSC_KERNELS_BASE_NVRTC_H
#define BOSC_KERNELS_BASE_NVRTC_H

#include <stddef.h>

#include "src/base/status.h"

/* A file that the text includes. */
typedef struct bosc_nvrtc_file {
    const char *name, *text;
} bosc_nvrtc_file;

/* What is to be compiled: the text, its files, and for which GPUs: "sm_90"
 * makes a cubin for these alone, "compute_80" PTX for these and later ones.
 * The files may include <math.h>, <stdarg.h>, <stdbool.h>, <stddef.h>,
 * <stdint.h> and <string.h>. */
typedef struct bosc_nvrtc_program {
    const char *text;
    size_t n;
    const bosc_nvrtc_file *file; /* [n] */
    const char *target;
} bosc_nvrtc_program;

/* What the images depend on but their programs: the version of the library and
 * its options, or that there is none. */
typedef char bosc_nvrtc_words[120];
const char *bosc_nvrtc_version(bosc_nvrtc_words text);

/* Compile; *image is freed by the caller.  BOSC_ENOSUP without the library,
 * BOSC_EVALUE with its message where it refuses the text, BOSC_ENOMEM.
 * Threads may call it at the same time, each with its own *err. */
bosc_status bosc_nvrtc_compile(const bosc_nvrtc_program *program,
                               unsigned char **image, size_t *bytes,
                               bosc_error *err);

#endif
