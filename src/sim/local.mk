# sim: a simulation: set up, its epochs, the exchange of spikes.
libbosc_a_SOURCES += \
	%D%/away.c %D%/away.h %D%/choose_method.c %D%/choose_method.h %D%/epochs.c %D%/epochs.h \
	%D%/flight.c %D%/flight.h %D%/mechanisms.c %D%/mechanisms.h \
	%D%/sim.h %D%/sim_broken.c %D%/sim_build.c %D%/sim_choose.c \
	%D%/sim_measure.c %D%/sim_members.c %D%/sim_memory.c %D%/sim_read.c %D%/sim_values.c %D%/sim_values.h %D%/sim_start.c \
	%D%/sim_warn.c %D%/spike_exchange.c %D%/spike_exchange.h
