# step: the time step: backends, what goes in and what comes out.
kernels_headers += \
	%D%/composed.h %D%/cpu.h %D%/cpu_chunks.h %D%/cpu_lanes.h \
	%D%/cpu_mech.h %D%/cpu_shared.h %D%/cpu_sweep.h %D%/engine.h \
	%D%/frames.h %D%/limits.h %D%/rows.h %D%/step_io.h
kernels_libkernels_a_SOURCES += \
	%D%/composed.c %D%/cpu.c %D%/cpu_chunks.c %D%/cpu_composed.c \
	%D%/frames.c %D%/limits.c %D%/ref.c %D%/rows.c %D%/step_io.c
kernels_isa += \
	%D%/cpu_isa.c
