# unit/io: one module each, no MPI.
tests_unit_io = \
	%D%/cost_from.t %D%/lock.t %D%/look.t %D%/output.t \
	%D%/result.t %D%/result_names.t %D%/table.t %D%/writer.t
check_PROGRAMS += $(tests_unit_io)
TESTS += $(tests_unit_io)
