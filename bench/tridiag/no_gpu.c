/* no_gpu.c - backends cuda and cusparse where bosc is built without CUDA. */
#include "bench/tridiag/tridiag.h"

static bosc_status absent(const bosc_gtsv_request *request, bosc_error *err)
{
    (void)request;
    return bosc_fail(err, BOSC_ENOSUP, "bosc is built without CUDA");
}

/* Nothing else is called. */
const bosc_gtsv_ops bosc_gtsv_cuda = {.available = absent};
const bosc_gtsv_ops bosc_gtsv_cusparse = {.available = absent};
