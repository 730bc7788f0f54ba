# unit/partition: one module each, no MPI.
tests_unit_partition = \
	%D%/assign.t %D%/bins.t %D%/gpu_assign.t %D%/capacity.t
check_PROGRAMS += $(tests_unit_partition)
TESTS += $(tests_unit_partition)
