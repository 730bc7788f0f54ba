// thomas.cpp - tridiagonal systems, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/thomas/thomas_cuda.cu"
