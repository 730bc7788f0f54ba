/* no_gpus.c - gpus.h where bosc is built without CUDA. */
#include "kernels/base/gpus.h"

static bosc_status none(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP,
                     "this bosc was built without CUDA; configure it where "
                     "nvcc is found");
}

bosc_status bosc_gpus_list(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    (void)gpus;
    (void)n;
    return none(err);
}

bosc_status bosc_gpu_use(int32_t number, bosc_error *err)
{
    (void)number;
    return none(err);
}

int32_t bosc_gpu_in_use(void)
{
    return -1;
}
