// cyclic.cpp - cyclic reduction, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/cyclic_reduction/cuda_cyclic.cu"
