# unit/select: one module each, no MPI.
tests_unit_select = \
	%D%/choose.t %D%/features.t
check_PROGRAMS += $(tests_unit_select)
TESTS += $(tests_unit_select)
