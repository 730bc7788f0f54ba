# cyclic_reduction: a block of threads a neuron.
kernels_headers += \
	%D%/cuda_cyclic.h %D%/cuda_cyclic_plan.h
kernels_libkernels_a_SOURCES += \
	%D%/cuda_cyclic_plan.c
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/solver_cuda_cyclic.c
kernels_cuda += \
	%D%/cuda_cyclic.cu
endif
