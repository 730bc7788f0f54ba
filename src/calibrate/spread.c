#include "src/calibrate/spread.h"

#include <stdlib.h>

#include "src/base/search.h"

bosc_spread bosc_spread_of(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, bosc_by_double);
    return (bosc_spread){
        .median = 0.5 * (values[(n - 1) / 2] + values[n / 2]),
        .least = values[0],
        .most = values[n - 1],
    };
}
