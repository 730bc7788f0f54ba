/* solvers.c - solvers and products, which methods.c names, are not emulated. */
#include "kernels/base/cuda.h"
#include "kernels/solve/solver_cuda.h"
#include "kernels/solve/solvers.h"
#include "kernels/spmv/spmv_device.h"

const bosc_solver_ops bosc_cuda_solvers, bosc_cusparse_solvers;
const bosc_cuda_family bosc_cuda_hines, bosc_cuda_dfs, bosc_cuda_cyclic,
    bosc_cuda_cell_blocks, bosc_cuda_levels;
const bosc_product_ops bosc_cuda_products, bosc_cusparse_products;

static bosc_status bandwidth(int threads, double *bytes_per_second,
                             bosc_error *err)
{
    (void)threads;
    return bosc_cuda_bandwidth(bytes_per_second, err);
}

static void chip(double *processors, double *shared)
{
    *processors = bosc_cuda_processors();
    *shared = (double)bosc_cuda_shared_limit();
}

const bosc_processor bosc_gpu = {bosc_cuda_device, bandwidth, chip};

bosc_status bosc_cusparse_available(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP, "the emulated GPU has no cuSPARSE");
}
