# unit/partition: one module each, no MPI.
tests_unit_partition = \
	%D%/assign.t %D%/bins.t %D%/gpu_assign.t %D%/capacity.t
check_PROGRAMS += $(tests_unit_partition)
TESTS += $(tests_unit_partition)
tests_unit_partition_assign_t_SOURCES = \
	%D%/assign.c %D%/items.c %D%/items.h
tests_unit_partition_capacity_t_SOURCES = \
	%D%/capacity.c %D%/items.c %D%/items.h
