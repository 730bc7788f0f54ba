// drive.cpp - what couplings drive, for the emulated GPU.
#include "tests/emulate/cuda_runtime.h"

#include "kernels/gpu/device/cuda_drive.cu"
