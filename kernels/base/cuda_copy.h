/* cuda_copy.h - copies to the chip that a warp starts now and waits for later.
 *
 * For headers that say what a lane does, in kernels and, lane after lane, in
 * tests on the host: there each lane copies at once what it will read itself.
 * 'n' rows have a number of 'size' bytes for each lane.
 *
 * Order of calls: meet, which tells that the warp has read and written all
 * that it is going to; copies; end, of a set of copies, empty or not; arrived,
 * which waits for all sets but the newest 'but'.
 */
#ifndef BOSC_KERNELS_BASE_CUDA_COPY_H
#define BOSC_KERNELS_BASE_CUDA_COPY_H

#include "kernels/base/formula.h"

/* Lanes of a warp, which make all calls together, with the same arguments but
 * for 'lane', 0 to 31, and with bosc_copy_own() the addresses.  'to' is in
 * shared memory, 'from' in the device's; what has not arrived must be neither
 * read nor written there. */
enum { BOSC_COPY_LANES = 32 };

#if defined(__CUDA_ARCH__)

#include <cuda_pipeline.h>

/* Whole rows, to and from multiples of 16 bytes; at most 'most' of them. */
BOSC_HD static inline void bosc_copy_rows(void *to, const void *from, int32_t n,
                                          int32_t most, int32_t lane,
                                          int32_t size)
{
    const int32_t piece = 16, bytes = n * BOSC_COPY_LANES * size;

    BOSC_UNROLL
    for (int32_t i = 0; i < most * size / piece; ++i) {
        const int32_t at = (i * BOSC_COPY_LANES + lane) * piece;

        if (at < bytes)
            __pipeline_memcpy_async((char *)to + at, (const char *)from + at,
                                    piece);
    }
}

/* One number a row, which all lanes read; n <= lanes. */
BOSC_HD static inline void bosc_copy_shared(void *to, const void *from,
                                            int32_t n, int32_t lane,
                                            int32_t size)
{
    if (lane < n)
        __pipeline_memcpy_async((char *)to + lane * size,
                                (const char *)from + lane * size, size);
}

/* Whole rows of a byte of each lane, 4 or 8 at most, to and from multiples of
 * 'most' bytes. */
BOSC_HD static inline void bosc_copy_codes(void *to, const void *from,
                                           int32_t n, int32_t most,
                                           int32_t lane)
{
    if (lane * most < n * BOSC_COPY_LANES)
        __pipeline_memcpy_async((char *)to + lane * most,
                                (const char *)from + lane * most, most);
}

/* This lane's own number. */
BOSC_HD static inline void bosc_copy_own(void *to, const void *from,
                                         int32_t size)
{
    __pipeline_memcpy_async(to, from, size);
}

/* Before the first copy of a set: no lane goes on until all have come, so what
 * they have read from 'to' before can be overwritten. */
BOSC_HD static inline void bosc_copy_meet(void)
{
    __syncwarp();
}

/* The copies since the last end are a set. */
BOSC_HD static inline void bosc_copy_end(void)
{
    __pipeline_commit();
}

/* Wait for the copies of all lanes, but those of the newest 'but' sets: with a
 * ring of n stages, of which one is worked on, n - 1.  'but' is a constant. */
BOSC_HD static inline void bosc_copy_arrived(int32_t but)
{
    __pipeline_wait_prior(but);
    __syncwarp();
}

#else

/* On the host a lane finds what it has copied itself, at once: its own column
 * of rows, and all of what is shared. */
BOSC_HD static inline void bosc_copy_rows(void *to, const void *from, int32_t n,
                                          int32_t most, int32_t lane,
                                          int32_t size)
{
    (void)most;
    for (int32_t i = 0; i < n; ++i)
        memcpy((char *)to + (i * BOSC_COPY_LANES + lane) * size,
               (const char *)from + (i * BOSC_COPY_LANES + lane) * size,
               (size_t)size);
}

BOSC_HD static inline void bosc_copy_shared(void *to, const void *from,
                                            int32_t n, int32_t lane,
                                            int32_t size)
{
    (void)lane;
    memcpy(to, from, (size_t)(n * size));
}

BOSC_HD static inline void bosc_copy_codes(void *to, const void *from,
                                           int32_t n, int32_t most,
                                           int32_t lane)
{
    (void)most;
    for (int32_t i = 0; i < n; ++i)
        ((char *)to)[i * BOSC_COPY_LANES + lane] =
            ((const char *)from)[i * BOSC_COPY_LANES + lane];
}

BOSC_HD static inline void bosc_copy_own(void *to, const void *from,
                                         int32_t size)
{
    memcpy(to, from, (size_t)size);
}

BOSC_HD static inline void bosc_copy_meet(void)
{
}

BOSC_HD static inline void bosc_copy_end(void)
{
}

BOSC_HD static inline void bosc_copy_arrived(int32_t but)
{
    (void)but;
}

#endif

#endif
