# mpi: the ranks of MPI, its launcher, its end.
libbosc_a_SOURCES += \
	%D%/finalize.c %D%/finalize.h %D%/launcher.c %D%/launcher.h \
	%D%/mpi_comm.c %D%/mpi_comm.h
