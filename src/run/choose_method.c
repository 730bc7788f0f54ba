#include "src/run/choose_method.h"

#include <string.h>

#include "src/cost/workload.h"

bosc_status bosc_choose_method(const bosc_template_table *sizes, int32_t ranks,
                               int threads, bosc_choice *out, bosc_error *err)
{
    const bosc_job *job = sizes->job;
    const int32_t lanes = bosc_choose_lanes(job->solver->backend);
    bosc_workload workload;
    bosc_features features;
    bosc_status st = bosc_workload_create(sizes, lanes, BOSC_USUAL_RATE, NULL,
                                          &workload, err);

    if (st == BOSC_OK)
        st = bosc_workload_features(&workload, ranks, threads, lanes, &features,
                                    err);
    if (st == BOSC_OK)
        bosc_choose(job->solver, strcmp(job->method, "auto") != 0, &features,
                    out);
    bosc_workload_clear(&workload);
    return st;
}
