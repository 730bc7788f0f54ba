# unit/mpi: one module each, no MPI.
tests_unit_mpi = \
	%D%/cpuset.t %D%/signals.t
check_PROGRAMS += $(tests_unit_mpi)
TESTS += $(tests_unit_mpi)
