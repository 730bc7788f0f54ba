#include "src/calibrate/spread.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

bosc_spread bosc_spread_of(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return (bosc_spread){
        .median = 0.5 * (values[(n - 1) / 2] + values[n / 2]),
        .least = values[0],
        .most = values[n - 1],
    };
}
