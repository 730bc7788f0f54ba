/* thomas_no_cuda.c - what thomas.h has for GPUs, where bosc is built without
 * CUDA: no layout gets there. */
#include "kernels/thomas/thomas.h"

static bosc_status no_cuda(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP, "bosc is built without CUDA");
}

bosc_status bosc_thomas_device_create(const bosc_thomas *layout,
                                      bosc_thomas_device **out, bosc_error *err)
{
    (void)layout;
    (void)out;
    return no_cuda(err);
}

void bosc_thomas_device_destroy(bosc_thomas_device *device)
{
    (void)device;
}

bosc_status bosc_thomas_device_solve(const bosc_thomas_device *device,
                                     const bosc_thomas_rows *rows, bool single,
                                     void *stream, int32_t *info,
                                     bosc_error *err)
{
    (void)device;
    (void)rows;
    (void)single;
    (void)stream;
    (void)info;
    return no_cuda(err);
}
