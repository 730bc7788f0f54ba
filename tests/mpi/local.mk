# mpi: modules that talk to other ranks, on three of them.
tests_mpi = \
	%D%/comm.mt %D%/device.mt %D%/gather.mt %D%/pipeline.mt
check_PROGRAMS += $(tests_mpi)
TESTS += $(tests_mpi)
