# cost: time of work: cost model, machine file, calibration.
libbosc_a_SOURCES += \
	%D%/calibration.c %D%/calibration.h %D%/cost_fit.c %D%/cost_fit.h \
	%D%/costs.c %D%/costs.h %D%/machine.c %D%/machine.h %D%/rank_load.c %D%/workload.h \
	%D%/workload_bytes.c %D%/workload_create.c %D%/workload_device.c %D%/workload_features.c %D%/workload_rows.c %D%/workload_units.c
