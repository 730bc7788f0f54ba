# chip: neurons laid out for the shared memory of a GPU's thread blocks.
kernels_headers += \
	%D%/chip.h %D%/chip_assign.h %D%/chip_build.h %D%/chip_bytes.h \
	%D%/chip_events.h %D%/chip_items.h %D%/chip_lane.h %D%/chip_lane_rows.h \
	%D%/chip_plan.h
kernels_libkernels_a_SOURCES += \
	%D%/chip_assign.c %D%/chip_bytes.c %D%/chip_events.c %D%/chip_image.c \
	%D%/chip_items.c %D%/chip_joins.c %D%/chip_levels.c %D%/chip_limits.c %D%/chip_map.c %D%/chip_measure.c \
	%D%/chip_plan.c %D%/chip_runs.c %D%/chip_tasks.c %D%/chip_tips.c
