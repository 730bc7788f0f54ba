/* gather_bytes.c - how the buffer of an I/O rank is shared, and what gathering
 * takes of memory. */
#include "src/output/gather_plan.h"

#include <math.h>

#include "kernels/step/frames.h"

enum { FRACTION = 8, MOST_EXTENT = 8 << 20, MEBIBYTE = 1 << 20, LEAST = 64 };

/* A quarter of the buffer is for blocks at aggregators, the rest for the queue.
 */
void bosc_gather_share_buffer(size_t buffer, size_t *extent, size_t *queue)
{
    size_t one = buffer / FRACTION;

    if (one > MOST_EXTENT)
        one = MOST_EXTENT;
    if (one >= MEBIBYTE)
        one -= one % MEBIBYTE; /* whole chunks of the file */
    else if (one < LEAST)
        one = LEAST;
    *extent = one;
    *queue = buffer > BOSC_GATHER_STAGING_BUFFERS * one
                 ? buffer - BOSC_GATHER_STAGING_BUFFERS * one
                 : one;
}

double bosc_gather_io_bytes(double buffer, double range, double all)
{
    size_t extent, queue;

    bosc_gather_share_buffer((size_t)buffer, &extent, &queue);
    return BOSC_GATHER_STAGING_BUFFERS * fmin((double)extent, range) +
           bosc_writer_bytes((double)queue, all);
}

double bosc_gather_rank_bytes(double columns, double range_values)
{
    const bosc_gather_plan p = {0};

    return columns * sizeof **p.file_column +
           BOSC_GATHER_RANGES * bosc_frame_room_bytes(range_values);
}
