#include "partition/bins.h"

/* Of a slice, in quarters of a row of one alone; kernels/layout.h says the
 * same. */
static int64_t together(int32_t lanes, int64_t longest)
{
    return (4 + (int64_t)lanes) * longest;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Is the open slice better off as single lanes? */
static int is_alone(const bosc_slices *s, int32_t lanes)
{
    return 4 * s->inside < together(lanes, s->longest);
}

void bosc_slices_add(bosc_slices *slices, int32_t lanes, int64_t rows)
{
    if (slices->filled == 0)
        slices->longest = rows;
    slices->inside += rows;
    slices->rows += rows;
    ++slices->n;
    if (++slices->filled < lanes)
        return;
    slices->slots = bosc_slices_slots(slices, lanes);
    slices->time +=
        smaller(4 * slices->inside, together(lanes, slices->longest));
    slices->inside = 0;
    slices->filled = 0;
}

int64_t bosc_slices_slots(const bosc_slices *slices, int32_t lanes)
{
    if (slices->filled == 0)
        return slices->slots;
    return slices->slots + (lanes < 2 || is_alone(slices, lanes)
                                ? slices->inside
                                : lanes * slices->longest);
}

double bosc_slices_stretch(const bosc_slices *slices, int32_t lanes)
{
    int64_t time = slices->time;

    if (lanes < 2 || slices->rows == 0)
        return 1;
    if (slices->filled > 0)
        time += smaller(4 * slices->inside, together(lanes, slices->longest));
    return (double)time * lanes / ((4.0 + lanes) * (double)slices->rows);
}
