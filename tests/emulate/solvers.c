/* solvers.c - the solvers, and the products, that methods.c names and that are
 * not emulated. */
#include "kernels/base/cuda.h"
#include "kernels/solve/solver_cuda.h"
#include "kernels/solve/solvers.h"
#include "kernels/spmv/spmv_device.h"

const bosc_solver_ops bosc_cusparse_solvers;
const bosc_cuda_family bosc_cuda_dfs, bosc_cuda_cell_blocks;
const bosc_product_ops bosc_cuda_products, bosc_cusparse_products;

bosc_status bosc_cusparse_available(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP, "the emulated GPU has no cuSPARSE");
}
