# mpi: collective functions, launcher, threads of a rank.
libbosc_a_SOURCES += \
	%D%/comm.c %D%/comm.h %D%/cpuset.c %D%/cpuset.h %D%/finalize.c \
	%D%/finalize.h %D%/launcher.c %D%/launcher.h %D%/rank_threads.c \
	%D%/rank_threads.h
