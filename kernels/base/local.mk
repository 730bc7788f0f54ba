# base: instruction sets, exp, the GPU as the solvers see it.
kernels_headers += \
	%D%/circular.h %D%/cuda.h %D%/cuda_check.h %D%/cuda_copy.h \
	%D%/cuda_launch.h \
	%D%/cuda_overlap.h %D%/elementary.h \
	%D%/cusparse_library.h %D%/exact.h %D%/formula.h \
	%D%/gpus.h %D%/isa.h %D%/memo.h %D%/nvrtc.h %D%/random.h
kernels_libkernels_a_SOURCES += \
	%D%/isa.c %D%/memo.c %D%/nvrtc.c
if HAVE_CUDA
kernels_cuda += \
	%D%/cuda.cu %D%/cuda_stage.cu %D%/gpus.cu
else
kernels_libkernels_a_SOURCES += \
	%D%/no_gpus.c
endif
