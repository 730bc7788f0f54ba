# comm: the ranks that simulate together, without MPI; threads of a rank; the
# voltages of couplings on their way.
libbosc_a_SOURCES += \
	%D%/comm.c %D%/comm.h %D%/cpuset.c %D%/cpuset.h %D%/exact_sum.c \
	%D%/exact_sum.h %D%/rank_threads.c \
	%D%/rank_threads.h %D%/self.c %D%/voltage_exchange.c \
	%D%/voltage_exchange.h
