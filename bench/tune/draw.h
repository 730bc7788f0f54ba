/* draw.h - which batch is measured next.
 *
 * Internal to bench/tune.
 */
#ifndef BOSC_BENCH_TUNE_DRAW_H
#define BOSC_BENCH_TUNE_DRAW_H

#include "bench/tune/kinds.h"

/* Point 'number' >= 0 of a sequence that fills the cube evenly, whatever its
 * length (Roberts' additive recurrence). */
void bosc_draw_point(int64_t number, double point[BOSC_TUNE_DIMENSIONS]);

/* How unsure it is which of 'methods' is the fastest at a point: from 0, where
 * the nearest of n measured batches agree, and clearly. */
double bosc_draw_doubt(const double point[BOSC_TUNE_DIMENSIONS], int64_t n,
                       const bosc_tuned *tuned, int methods);

/* The number of the point, of a few from 'from' on, where doubt is greatest. */
int64_t bosc_draw_ask(int64_t from, int64_t n, const bosc_tuned *tuned,
                      int methods);

/* Points that bosc_draw_ask() looks at. */
enum { BOSC_DRAW_ASKED = 64 };

#endif
