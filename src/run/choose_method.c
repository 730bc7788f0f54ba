#include "src/run/choose_method.h"

#include <string.h>

#include "src/cost/workload.h"
#include "src/select/device.h"

/* Of the device that is here: a plan for a GPU may be made where there is none.
 */
static bosc_status find_model(const bosc_backend *backend, bosc_learned **out,
                              char why[BOSC_MODEL_WHY], bosc_error *err)
{
    char device[BOSC_DEVICE_NAME];
    const bosc_model_key key = {"loops", device, BOSC_N_FEATURES,
                                bosc_feature_names};

    if (bosc_choose_candidates(backend) < 2 ||
        bosc_backend_available(backend, &(bosc_error){""}) != BOSC_OK)
        return BOSC_OK;
    bosc_device_name(backend, device);
    return bosc_learned_find(&key, out, why, err);
}

bosc_status bosc_choose_method(const bosc_template_table *sizes, int32_t ranks,
                               int threads, bosc_choice *out, bosc_error *err)
{
    const bosc_job *job = sizes->job;
    const int32_t lanes = bosc_choose_lanes(job->solver->backend);
    bosc_workload workload;
    bosc_features features;
    bosc_learned *learned = NULL;
    char why[BOSC_MODEL_WHY] = "";
    bosc_status st = bosc_workload_create(sizes, lanes, BOSC_USUAL_RATE, NULL,
                                          &workload, err);

    if (st == BOSC_OK)
        st = bosc_workload_features(&workload, ranks, threads, lanes, &features,
                                    err);
    if (st == BOSC_OK)
        st = find_model(job->solver->backend, &learned, why, err);
    if (st == BOSC_OK) {
        bosc_choose(job->solver, strcmp(job->method, "auto") != 0, &features,
                    learned, out);
        memcpy(out->note, why, sizeof why);
    }
    bosc_learned_destroy(learned);
    bosc_workload_clear(&workload);
    return st;
}
