# dfs: the depth-first sweep.
kernels_headers += \
	%D%/cuda_dfs.h %D%/cuda_dfs_plan.h \
	%D%/cuda_lanes.h %D%/dfs.h %D%/dfs_plan.h %D%/dfs_sweep.h \
	%D%/lane_mask.h %D%/vector.h %D%/visits.h
kernels_libkernels_a_SOURCES += \
	%D%/cuda_dfs_plan.c %D%/cuda_lanes.c %D%/dfs_plan.c %D%/solver_dfs.c \
	%D%/visits.c
kernels_isa += \
	%D%/dfs_isa.c
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/solver_cuda_dfs.c
kernels_cuda += \
	%D%/cuda_dfs.cu
endif
