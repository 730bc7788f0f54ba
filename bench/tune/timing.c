/* timing.c - several things timed in turn, so that what else the machine does
 * meets all of them alike.
 */
#include "bench/tune/kinds.h"

enum { SAMPLES = 5 };            /* of a round: their median counts */
static const double LONG = 5e-3; /* s; of what takes longer one must do */

bosc_status bosc_tune_time(bosc_tune_once *once, void *of, int n,
                           bosc_spread *out, bosc_error *err)
{
    double rounds[BOSC_TUNE_METHODS][BOSC_TUNE_ROUNDS];
    double samples[BOSC_TUNE_METHODS][SAMPLES], took, longest = 0;
    bosc_status st = BOSC_OK;

    for (int m = 0; m < n && st == BOSC_OK; ++m) {
        st = once(of, m, &samples[m][0], &took, err);
        longest = took > longest ? took : longest;
    }

    const int each = longest < LONG ? SAMPLES : 1;

    for (int r = 0; r < BOSC_TUNE_ROUNDS && st == BOSC_OK; ++r) {
        for (int s = 0; s < each; ++s)
            for (int m = 0; m < n && st == BOSC_OK; ++m)
                st = once(of, m, &samples[m][s], &took, err);
        for (int m = 0; m < n && st == BOSC_OK; ++m)
            rounds[m][r] = bosc_spread_of(samples[m], each).median;
    }
    for (int m = 0; m < n && st == BOSC_OK; ++m)
        out[m] = bosc_spread_of(rounds[m], BOSC_TUNE_ROUNDS);
    return st;
}
