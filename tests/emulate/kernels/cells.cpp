// cells.cpp - the cell blocks, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/gpu/device/cuda_cells.cu"
