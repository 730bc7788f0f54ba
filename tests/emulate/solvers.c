/* solvers.c - the solvers and products, which methods.c names, that are not
 * emulated. */
#include "kernels/base/cuda.h"
#include "kernels/solve/solver_cuda.h"
#include "kernels/solve/solvers.h"
#include "kernels/spmv/spmv_device.h"

const bosc_solver_ops bosc_cusparse_solvers;
const bosc_product_ops bosc_cuda_products, bosc_cusparse_products;

static bosc_status create(bosc_cuda_solver *solver,
                          const bosc_solver_options *options, bosc_error *err)
{
    (void)solver, (void)options;
    return bosc_fail(err, BOSC_ENOSUP, "this solver is not emulated");
}

const bosc_cuda_family bosc_cuda_dfs = {.create = create},
                       bosc_cuda_cell_blocks = {.create = create};

bosc_status bosc_cusparse_available(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP, "the emulated GPU has no cuSPARSE");
}
