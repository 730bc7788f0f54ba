# batch: layout, batch, tile: data only.
kernels_headers += \
	%D%/batch.h %D%/layout.h %D%/tile.h
kernels_libkernels_a_SOURCES += \
	%D%/batch.c %D%/layout.c %D%/tile.c
