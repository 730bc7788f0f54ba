# unit/partition: one module each, no MPI.
tests_unit_partition = \
	%D%/assign.t %D%/bins.t %D%/devices.t %D%/rooms.t
check_PROGRAMS += $(tests_unit_partition)
TESTS += $(tests_unit_partition)
