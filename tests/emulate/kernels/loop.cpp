// loop.cpp - the groups that are streamed, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/gpu/device/cuda_loop.cu"
