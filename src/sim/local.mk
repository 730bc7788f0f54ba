# sim: the time loop: epochs and the exchange of spikes.
libbosc_a_SOURCES += \
	%D%/epochs.c %D%/epochs.h %D%/flight.c %D%/flight.h \
	%D%/spike_exchange.c %D%/spike_exchange.h %D%/time_loop.c %D%/time_loop.h
