# unit/base: one module each, no MPI.
tests_unit_base = \
	%D%/checksum.t %D%/random.t %D%/status.t
check_PROGRAMS += $(tests_unit_base)
TESTS += $(tests_unit_base)
