// composed.cpp - parts of composed steps, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/gpu/device/cuda_composed.cu"
