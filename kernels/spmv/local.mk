# spmv: a sparse matrix times a vector.
kernels_headers += \
	%D%/spmv.h %D%/spmv_blocks.h %D%/spmv_cuda.h %D%/spmv_device.h %D%/spmv_isa.h \
	%D%/spmv_row.h %D%/spmv_row_real.h
kernels_libkernels_a_SOURCES += \
	%D%/spmv_create.c %D%/spmv_host.c
kernels_isa += \
	%D%/spmv_isa.c
if HAVE_CUDA
kernels_cuda += \
	%D%/spmv_cuda.cu %D%/spmv_cusparse.cu
endif
