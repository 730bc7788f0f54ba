# output: recorded values and spikes -> aggregators -> writer.
libbosc_a_SOURCES += \
	%D%/gather.h %D%/gather_bytes.c %D%/gather_columns.c %D%/gather_move.c %D%/gather_potentials.c \
	%D%/gather_plan.c %D%/gather_plan.h %D%/gather_run.c %D%/gather_spikes.c
