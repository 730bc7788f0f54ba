# solve: the solvers: their interface and tables.
kernels_headers += \
	%D%/solver.h %D%/solver_cpu.h %D%/solver_cuda.h %D%/solvers.h
kernels_libkernels_a_SOURCES += \
	%D%/solver_cpu.c %D%/solver_host.c %D%/solver_ref.c %D%/systems.c
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/solver_cuda.c
kernels_cuda += \
	%D%/solver_cusparse.cu
endif
