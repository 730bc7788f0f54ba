/* bins.h - things of different length side by side: slices, their padding.
 *
 * Lanes are filled with what has about one length, longest first; a slice of
 * 'lanes' of them is as long as its longest.
 */
#ifndef BOSC_PARTITION_BINS_H
#define BOSC_PARTITION_BINS_H

#include <stdint.h>

/* Slices while they are filled; all zero to begin with. */
typedef struct bosc_slices {
    int64_t n, rows; /* what they hold */
    int64_t slots;   /* rows of all lanes of closed slices */
    int64_t time;    /* of closed slices, in quarters of a row alone */
    int64_t longest,
        inside;     /* of the open slice: rows of the longest, of all */
    int32_t filled; /* lanes of the open slice */
} bosc_slices;

/* Put something into the next lane; nothing longer may follow. */
void bosc_slices_add(bosc_slices *slices, int32_t lanes, int64_t rows);

/* The rows of all lanes. */
int64_t bosc_slices_slots(const bosc_slices *slices, int32_t lanes);

/* How much longer a step takes than with full lanes of one length; 1 for
 * nothing.  A slice whose lanes are better off alone is so
 * (kernels/layout.h). */
double bosc_slices_stretch(const bosc_slices *slices, int32_t lanes);

#endif
