# tune: what methods take on this machine, measured on generated batches.
libbosc_a_SOURCES += \
	%D%/data_set.c %D%/data_set.h %D%/draw.c %D%/draw.h %D%/kinds.h \
	%D%/loops.c %D%/products.c %D%/timing.c %D%/tune.c %D%/tune.h
