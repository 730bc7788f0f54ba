/* reading.h - what an engine records: sparse rows over arrays of numbers.
 *
 * A leaf: no MPI, no files.  Every engine knows the arrays of a batch by
 * number:
 *
 *     BOSC_ARRAY_V            v of each slot (mV), [n_slots]
 *     BOSC_ARRAY_STATES + k   a state of the instances of a block, also a
 *                             variable of an ion, [n of the block]: k counts
 *                             the states of block 0, then those of block 1 ...
 *                             (bosc_batch_array)
 *
 * A term is one number of one array.  A reading is a sum of terms, each times
 * its weight; the set of readings that are recorded together is a matrix of
 * compressed rows.  A sum begins with 0 and takes its terms in the order of
 * the set, with a multiplication and an addition each, so the result has the
 * same bits on every engine, for any number of ranks, threads and lanes.
 *
 * Worked example, the current through the membrane of a compartment in slot 7
 * between those in slots 6 and 8, with the axial conductances 2 uS and 3 uS and
 * a current clamp, instance 0 of block 0, at it:
 *
 *     term     {V, 7}    {V, 6}    {V, 8}    {STATES, 0}
 *     weight   -5 uS     2 uS      3 uS      1
 *
 * Most readings are copies of a voltage or a state.  A set of copies alone has
 * neither 'first' nor 'weight': reading i is term[i].  Readings that differ in
 * their weights alone, as those of a neuron at several electrodes, are a
 * bundle, which has its terms once.
 */
#ifndef BOSC_KERNELS_BATCH_READING_H
#define BOSC_KERNELS_BATCH_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/base/formula.h"

enum {
    BOSC_ARRAY_V,
    BOSC_ARRAY_STATES,
    BOSC_LAST_ARRAY = 0xffff /* that a term can name */
};

/* Number 'at' of an array: a slot or an instance.  In one word: a job
 * may have as many as its compartments. */
typedef struct bosc_term {
    uint64_t array : 16, at : 48;
} bosc_term;

static inline bosc_term bosc_term_make(int32_t array, ptrdiff_t at)
{
    bosc_term term;

    term.array = (uint64_t)array & 0xffff;
    term.at = (uint64_t)at & 0xffffffffffff;
    return term;
}

/* When a set is recorded: at 'start', and every 'every' steps from there up to
 * 'stop'. */
typedef struct bosc_frame_steps {
    int64_t start, stop; /* steps, 0 is t = 0; stop is not before start */
    int64_t every;       /* steps from one frame to the next */
} bosc_frame_steps;

/* Does a frame fall on a step? */
BOSC_HD static inline bool bosc_frame_falls(const bosc_frame_steps *at,
                                            int64_t step)
{
    return step >= at->start && step <= at->stop &&
           (step - at->start) % at->every == 0;
}

/* The number of the frame of a step on which one falls. */
BOSC_HD static inline int64_t bosc_frame_number(const bosc_frame_steps *at,
                                                int64_t step)
{
    return (step - at->start) / at->every;
}

/* How many frames there are up to a step. */
BOSC_HD static inline int64_t bosc_frames_until(const bosc_frame_steps *at,
                                                int64_t step)
{
    if (step < at->start)
        return 0;
    return bosc_frame_number(at, step < at->stop ? step : at->stop) + 1;
}

/* The first step after 'step' on which a frame falls; none: the largest. */
BOSC_HD static inline int64_t bosc_frame_next(const bosc_frame_steps *at,
                                              int64_t step)
{
    const int64_t next = at->start + bosc_frames_until(at, step) * at->every;

    return next <= at->stop ? next : 0x7fffffffffffffff; /* as NVRTC */
}

/* Readings of a batch that are recorded together.  All terms of a reading are
 * of one neuron.  The batch owns the arrays; they are made before an engine,
 * and never change. */
typedef struct bosc_reading_set {
    bosc_frame_steps at;
    ptrdiff_t n;    /* readings */
    int32_t width;  /* readings of a bundle, one after the other: 1 or more, of
                       copies 1; n is a multiple */
    int32_t *group; /* [n] group of the reading's neuron */
    ptrdiff_t *first; /* [n / width + 1] into term and weight, each bundle has
                         one or more; NULL: all are copies */
    bosc_term *term;  /* [first[n / width]], of copies [n] */
    double *weight;   /* [first[n / width]][width], NULL with first: the unit of
                         the reading over that of the array */
    int64_t n_sums;   /* 0, or only sums over neurons are wanted, */
    const int64_t *sum;  /* [n] and to which of them a reading belongs */
    ptrdiff_t n_addends; /* 0, or an engine gives so many numbers a frame
                            instead of n: number i is of sum i % n_sums, and all
                            have the same exact sums (kernels/base/exact.h) */
} bosc_reading_set;

/* Numbers of a frame. */
static inline ptrdiff_t bosc_reading_given(const bosc_reading_set *set)
{
    return set->n_addends > 0 ? set->n_addends : set->n;
}

/* The first term of reading i, which may be n. */
static inline ptrdiff_t bosc_reading_first(const bosc_reading_set *set,
                                           ptrdiff_t i)
{
    return set->first == NULL ? i : set->first[i / set->width];
}

/* The number of terms of a set. */
static inline ptrdiff_t bosc_reading_terms(const bosc_reading_set *set)
{
    return bosc_reading_first(set, set->n);
}

/* The sum of n terms with their weights, of which a bundle has 'width' for each
 * term.  array[k]: the numbers of array k, in the caller's memory. */
BOSC_HD static inline double bosc_reading_sum(const double *const *array,
                                              const bosc_term *term,
                                              const double *weight,
                                              int32_t width, ptrdiff_t n)
{
    enum { AT_ONCE = 8 }; /* are read, and then added in their order */
    double sum = 0, x[AT_ONCE], w[AT_ONCE];
    ptrdiff_t t = 0;

    BOSC_ROLLED
    for (; t + AT_ONCE <= n; t += AT_ONCE) {
        BOSC_UNROLL
        for (int k = 0; k < AT_ONCE; ++k) {
            x[k] = array[term[t + k].array][term[t + k].at];
            w[k] = weight[(t + k) * width];
        }
        BOSC_UNROLL
        for (int k = 0; k < AT_ONCE; ++k)
            sum += w[k] * x[k];
    }
    BOSC_ROLLED
    for (; t < n; ++t)
        sum += weight[t * width] * array[term[t].array][term[t].at];
    return sum;
}

#endif
