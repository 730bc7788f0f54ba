// drive.cpp - what couplings drive, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/gpu/cuda_drive.cu"
