/* cusparse_library.h - cuSPARSE, opened when it is asked for, so that bosc
 * starts without it.
 *
 * Internal to kernels, for what nvcc compiles.
 */
#ifndef BOSC_KERNELS_BASE_CUSPARSE_LIBRARY_H
#define BOSC_KERNELS_BASE_CUSPARSE_LIBRARY_H

#include <dlfcn.h>
#include <cusparse.h>

#include "kernels/base/cuda.h"
#include "src/base/status.h"

/* On success *library is a handle of dlopen(), which the caller closes by
 * dlclose(); BOSC_ENOSUP where the machine has neither name, with what the
 * loader says. */
static inline bosc_status bosc_cusparse_library_open(void **library,
                                                     bosc_error *err)
{
    static const char *const names[] = {"libcusparse.so.12", "libcusparse.so"};

    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        if ((*library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL)) != NULL)
            return BOSC_OK;
    return bosc_fail(err, BOSC_ENOSUP, "cuSPARSE: %s", dlerror());
}

/* BOSC_OK where there is a device, and cuSPARSE for it. */
static inline bosc_status bosc_cusparse_library_available(bosc_error *err)
{
    void *library;
    bosc_status st = bosc_cuda_available(err);

    if (st == BOSC_OK)
        st = bosc_cusparse_library_open(&library, err);
    if (st == BOSC_OK)
        dlclose(library);
    return st;
}

/* The address of a function of the open library, valid until dlclose(); the
 * caller casts it.  BOSC_ENOSUP for a name that this version does not have. */
static inline bosc_status bosc_cusparse_library_find(void *library,
                                                     const char *name,
                                                     void **function,
                                                     bosc_error *err)
{
    *function = dlsym(library, name);
    if (*function == NULL)
        return bosc_fail(err, BOSC_ENOSUP, "cuSPARSE has no %s", name);
    return BOSC_OK;
}

/* The status of a call of cuSPARSE that has returned 'code'; 'what' is the noun
 * that the message begins with.  BOSC_ENOMEM or BOSC_ENOSUP. */
static inline bosc_status bosc_cusparse_library_check(cusparseStatus_t code,
                                                      const char *what,
                                                      bosc_error *err)
{
    if (code == CUSPARSE_STATUS_SUCCESS)
        return BOSC_OK;
    return bosc_fail(
        err, code == CUSPARSE_STATUS_ALLOC_FAILED ? BOSC_ENOMEM : BOSC_ENOSUP,
        "cuSPARSE: %s: status %d", what, (int)code);
}

#endif
