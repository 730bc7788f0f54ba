// levels.cpp - the solvers level-schedule-* and thomas-*, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/levels/cuda_levels.cu"
