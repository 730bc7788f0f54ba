# unit/select: one module each, no MPI.
tests_unit_select = \
	%D%/choose.t %D%/features.t %D%/model.t %D%/recorded.t
check_PROGRAMS += $(tests_unit_select)
TESTS += $(tests_unit_select)
