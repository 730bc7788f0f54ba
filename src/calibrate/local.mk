# calibrate: the costs of the cost model measured on this machine.
libbosc_a_SOURCES += \
	%D%/calibrate.c %D%/calibrate.h %D%/calibrate_gpu.c \
	%D%/calibrate_gpu.h %D%/spread.c %D%/spread.h %D%/trial.c %D%/trial.h
