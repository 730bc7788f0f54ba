# levels: sections level by level, and blocks of cells.
kernels_headers += \
	%D%/cell_block_walk.h %D%/cell_blocks.h %D%/cell_blocks_isa.h \
	%D%/cell_blocks_rows.h %D%/cuda_cell_blocks_launch.h \
	%D%/cuda_levels_launch.h %D%/level_lanes.h %D%/level_layout.h \
	%D%/level_schedule.h %D%/level_walk.h
kernels_libkernels_a_SOURCES += \
	%D%/cell_blocks.c %D%/level_layout.c %D%/level_schedule.c \
	%D%/solver_cell_blocks.c %D%/solver_levels.c
kernels_isa += \
	%D%/cell_blocks_isa.c
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/solver_cuda_cell_blocks.c %D%/solver_cuda_levels.c
kernels_cuda += \
	%D%/cuda_cell_blocks.cu %D%/cuda_levels.cu
endif
