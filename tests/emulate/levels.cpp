// levels.cpp - a launch for each level of sections, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/levels/cuda_levels.cu"
