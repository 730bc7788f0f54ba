# unit/bench: one module each, no MPI.
tests_unit_bench = \
	%D%/bench.t
check_PROGRAMS += $(tests_unit_bench)
TESTS += $(tests_unit_bench)
