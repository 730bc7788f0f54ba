# distribute: cells to ranks, ranks to devices.
libbosc_a_SOURCES += \
	%D%/coupling_clusters.c %D%/coupling_clusters.h %D%/decompose.c \
	%D%/decompose.h %D%/device.c %D%/device.h %D%/distribution.h \
	%D%/local_cells_create.c %D%/local_cells_create.h %D%/rank_speed.c \
	%D%/rank_speed.h
