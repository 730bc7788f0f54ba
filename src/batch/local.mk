# batch: the cells of this rank -> the batch that a backend integrates.
libbosc_a_SOURCES += \
	%D%/batch_build.h %D%/build_batch.c %D%/items.c %D%/items.h %D%/build_blocks.c %D%/build_detectors.c %D%/build_fill.h %D%/build_ions.c \
	%D%/build_matrix.c %D%/build_outside.c %D%/build_parts.h %D%/build_pointers.c %D%/build_points.c \
	%D%/build_read.h %D%/build_readings.c %D%/read_connection.c %D%/read_i_mem.c %D%/read_potential.c %D%/reading_list.c
