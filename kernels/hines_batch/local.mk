# hines_batch: the papers' batches: a neuron a thread or lane.
kernels_headers += \
	%D%/cuda_hines.h %D%/cuda_hines_launch.h %D%/lockstep.h \
	%D%/lockstep_rows.h
kernels_libkernels_a_SOURCES += \
	%D%/solver_flat.c %D%/solver_lockstep.c
kernels_isa += \
	%D%/lockstep_isa.c
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/solver_cuda_hines.c
kernels_cuda += \
	%D%/cuda_hines.cu
endif
