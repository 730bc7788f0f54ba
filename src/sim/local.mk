# sim: a simulation set up, and its time loop: epochs, the exchange of spikes.
libbosc_a_SOURCES += \
	%D%/choose_method.c %D%/choose_method.h %D%/epochs.c %D%/epochs.h \
	%D%/flight.c %D%/flight.h %D%/mechanisms.c %D%/mechanisms.h \
	%D%/memory.c %D%/memory.h %D%/spike_exchange.c %D%/spike_exchange.h \
	%D%/time_loop.c %D%/time_loop.h
