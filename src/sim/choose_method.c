#include "src/sim/choose_method.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/cost/workload.h"
#include "src/select/device.h"

/* Of the device that is here: a plan for a GPU may be made where there is none.
 */
static bosc_status find_model(const bosc_backend *backend, int threads,
                              bosc_learned **out, char why[BOSC_MODEL_WHY],
                              bosc_error *err)
{
    char device[BOSC_DEVICE_NAME], class[BOSC_DEVICE_NAME];
    const bosc_model_key key = {"loops",         device,
                                class,           backend->on_gpu ? 0 : threads,
                                BOSC_N_FEATURES, bosc_feature_names};

    if (bosc_choose_candidates(backend) < 2 ||
        bosc_backend_available(backend, &(bosc_error){""}) != BOSC_OK)
        return BOSC_OK;
    bosc_device_name(backend, device);
    bosc_device_class(backend, class);
    return bosc_learned_find(&key, out, why, err);
}

/* Of products on the host, whose formats any number of threads has alike: on a
 * GPU rules choose, for there the program that measures products has another
 * csr than the time loop. */
static bosc_status find_product_model(bosc_learned **out, bosc_error *err)
{
    char device[BOSC_DEVICE_NAME], class[BOSC_DEVICE_NAME];
    char why[BOSC_MODEL_WHY];
    const bosc_model_key key = {"products",
                                device,
                                class,
                                0,
                                BOSC_N_MATRIX_FEATURES,
                                bosc_matrix_feature_names};

    bosc_device_name(bosc_methods[0].backend, device);
    bosc_device_class(bosc_methods[0].backend, class);
    return bosc_learned_find(&key, out, why, err);
}

static bosc_status choose_formats(const bosc_workload *workload, int32_t ranks,
                                  int threads, bosc_format_choice *out,
                                  bosc_error *err)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_chip chip = bosc_device_chip(job->compute.solver->backend);
    bosc_spmv_size *matrix =
        bosc_alloc((size_t)job->network.n_couplings, sizeof *matrix);
    bosc_learned *learned = NULL;
    bosc_status st = matrix != NULL
                         ? bosc_workload_matrices(workload, ranks, matrix, err)
                         : bosc_no_memory(err, "the sizes of couplings");

    if (st == BOSC_OK && !job->compute.solver->backend->on_gpu)
        st = find_product_model(&learned, err);
    for (int k = 0; k < job->network.n_couplings && st == BOSC_OK; ++k) {
        const bosc_matrix_features features =
            bosc_matrix_features_of(&matrix[k], threads, bosc_cache_bytes());

        bosc_choose_format(&features, chip.processors,
                           job->network.couplings[k].format, learned, &out[k]);
    }
    bosc_learned_destroy(learned);
    free(matrix);
    return st;
}

/* Cell blocks share what 32 equal neurons have: where there may be some, groups
 * are as wide. */
static int32_t find_lanes(const bosc_template_table *sizes, int32_t ranks)
{
    const bosc_job *job = sizes->job;
    const bosc_backend *backend = job->compute.solver->backend;
    const int32_t widest = bosc_choose_lanes(backend);
    const double own = (double)sizes->gid_table->n_neurons / ranks;
    double processors;

    if (!backend->on_gpu)
        return widest;
    processors = bosc_device_chip(backend).processors;
    return bosc_job_is_streamed(job, own / processors)
               ? bosc_choose_width(widest, own, processors)
               : widest;
}

int32_t bosc_choose_ranks(int32_t ranks, int32_t beside)
{
    return beside < ranks ? ranks - beside : ranks;
}

bosc_status bosc_choose_method(const bosc_template_table *sizes, int32_t ranks,
                               int threads, bosc_choice *out,
                               bosc_format_choice *formats, bosc_error *err)
{
    const bosc_job *job = sizes->job;
    const int32_t lanes = find_lanes(sizes, ranks);
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
        st = find_model(job->compute.solver->backend, threads, &learned, why,
                        err);
    if (st == BOSC_OK) {
        bosc_choose(job->compute.solver,
                    strcmp(job->compute.method, "auto") != 0, &features,
                    learned, out);
        out->width = job->compute.solver->backend->on_gpu ? lanes : 0;
        if (why[0] != '\0')
            memcpy(out->note, why, sizeof why);
    }
    if (st == BOSC_OK && formats != NULL && job->network.n_couplings > 0)
        st = choose_formats(&workload, ranks, threads, formats, err);
    bosc_learned_destroy(learned);
    bosc_workload_clear(&workload);
    return st;
}
