# unit/model: one module each, no MPI.
tests_unit_model = \
	%D%/gid_table.t %D%/value_table.t
check_PROGRAMS += $(tests_unit_model)
TESTS += $(tests_unit_model)
