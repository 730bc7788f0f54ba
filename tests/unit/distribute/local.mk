# unit/distribute: one module each, no MPI.
tests_unit_distribute = \
	%D%/local_cells.t
check_PROGRAMS += $(tests_unit_distribute)
TESTS += $(tests_unit_distribute)
