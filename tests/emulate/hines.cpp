// hines.cpp - the solvers hines-*, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/hines_batch/cuda_hines.cu"
