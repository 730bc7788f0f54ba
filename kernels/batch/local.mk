# batch: layout, batch, tile: data, and what mechanisms do with them.
kernels_headers += \
	%D%/batch.h %D%/instance.h %D%/known.h %D%/layout.h %D%/link.h \
	%D%/reading.h %D%/receive.h %D%/steep.h %D%/tile.h
kernels_libkernels_a_SOURCES += \
	%D%/batch.c %D%/ions.c %D%/known.c %D%/layout.c %D%/pointers.c %D%/receive.c %D%/start.c \
	%D%/steep.c %D%/tile.c
