# gpu/host: the backend of a GPU: what the host brings to it, launches and takes
# back.
kernels_headers += \
	%D%/cuda_chip.h %D%/cuda_composed.h %D%/cuda_drive.h %D%/cuda_engine.h %D%/cuda_step.h
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/cuda.c %D%/cuda_batch.c %D%/cuda_blocks.c %D%/cuda_chains.c %D%/cuda_chip_batch.c \
	%D%/cuda_composed.c %D%/cuda_events.c %D%/cuda_items.c %D%/cuda_job.c %D%/cuda_links.c \
	%D%/cuda_memory.c %D%/cuda_ranges.c %D%/cuda_readings.c \
	%D%/cuda_self.c %D%/cuda_store.c
endif
