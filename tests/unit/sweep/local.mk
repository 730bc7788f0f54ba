# unit/sweep: one module each, no MPI.
tests_unit_sweep = \
	%D%/sweep.t
check_PROGRAMS += $(tests_unit_sweep)
TESTS += $(tests_unit_sweep)
