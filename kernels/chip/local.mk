# chip: neurons laid out for the shared memory of a GPU's thread blocks.
kernels_headers += \
	%D%/chip.h %D%/chip_build.h %D%/chip_lane.h %D%/chip_plan.h
kernels_libkernels_a_SOURCES += \
	%D%/chip_image.c %D%/chip_measure.c %D%/chip_plan.c %D%/chip_runs.c \
	%D%/chip_tasks.c
