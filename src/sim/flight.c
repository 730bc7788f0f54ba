#include "src/sim/flight.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

void bosc_flight_drop(bosc_flight *f, int64_t reach, int64_t step)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->n; ++i)
        if (bosc_spike_step(&f->spikes[i]) + reach >= step)
            f->spikes[kept++] = f->spikes[i];
    f->n = f->kept = kept;
}

bool bosc_flight_add(bosc_flight *f, size_t n, const bosc_spike *spikes,
                     int64_t reach, int64_t step)
{
    enum { FEW = 1024 };

    if (f->n + n > 2 * f->kept + FEW)
        bosc_flight_drop(f, reach, step);
    if (!bosc_grow(&f->spikes, &f->capacity, f->n + n, sizeof *f->spikes))
        return false;
    if (n > 0)
        memcpy(f->spikes + f->n, spikes, n * sizeof *spikes);
    f->n += n;
    return true;
}

void bosc_flight_clear(bosc_flight *f)
{
    free(f->spikes);
    *f = (bosc_flight){0};
}
