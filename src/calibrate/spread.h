/* spread.h - several timings of the same thing, as three numbers.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_CALIBRATE_SPREAD_H
#define BOSC_SRC_CALIBRATE_SPREAD_H

typedef struct bosc_spread {
    double median, least, most;
} bosc_spread;

/* Of n >= 1 values, which are sorted on the way.  The median of an even number
 * is the mean of the two in the middle. */
bosc_spread bosc_spread_of(double *values, int n);

#endif
