# comm: the ranks that simulate together, without MPI; threads of a rank.
libbosc_a_SOURCES += \
	%D%/comm.c %D%/comm.h %D%/cpuset.c %D%/cpuset.h %D%/rank_threads.c \
	%D%/rank_threads.h %D%/self.c
