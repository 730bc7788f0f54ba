# thomas: tridiagonal systems.
kernels_headers += \
	%D%/thomas.h %D%/thomas_down.h %D%/thomas_group.h %D%/thomas_isa.h \
	%D%/thomas_pivot.h %D%/thomas_walk.h
kernels_libkernels_a_SOURCES += \
	%D%/thomas_host.c
kernels_isa += \
	%D%/thomas_loops_isa.c
if HAVE_CUDA
kernels_cuda += \
	%D%/thomas_cuda.cu
else
kernels_libkernels_a_SOURCES += \
	%D%/thomas_no_cuda.c
endif
