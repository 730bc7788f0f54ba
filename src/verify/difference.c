#include "src/verify/difference.h"

#include <stdio.h>

#include "src/model/locate.h"

static void spike_time(double step, double dt, char text[40])
{
    if (isnan(step))
        snprintf(text, 40, "no spike then");
    else
        snprintf(text, 40, "a spike at %.10g ms", step * dt);
}

bosc_status bosc_difference_tell(const bosc_model *model,
                                 const bosc_difference *d, const char *method,
                                 bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const double dt = model->job->dt;
    const char *advice = "its results cannot be trusted; please report this, "
                         "with the job";
    char who[200], place[BOSC_PLACE], run[40], ref[40];

    bosc_locate_neuron(model, d->neuron, who, sizeof who);
    if (d->node < 0) {
        spike_time(d->run, dt, run);
        spike_time(d->ref, dt, ref);
        return bosc_fail(err, BOSC_EINTERNAL,
                         "verify: %s has %s by %s and %s by ref: the run is "
                         "wrong from there on, and %s",
                         who, run, method, ref, advice);
    }

    const bosc_status st =
        bosc_locate_name(cells, d->neuron, d->node, place, err);

    if (st != BOSC_OK)
        return st;
    return bosc_fail(err, BOSC_EINTERNAL,
                     "verify: %s has %s%s%s = %.17g at %s at t = %.10g ms by "
                     "%s, and %.17g by ref: %s",
                     who, d->mech != NULL ? d->mech : "",
                     d->mech != NULL ? "." : "",
                     d->what != NULL ? d->what : "v", d->run, place,
                     (double)d->step * dt, method, d->ref, advice);
}
