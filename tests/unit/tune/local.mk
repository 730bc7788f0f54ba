# unit/tune: one module each, no MPI.
tests_unit_tune = \
	%D%/tune.t
check_PROGRAMS += $(tests_unit_tune)
TESTS += $(tests_unit_tune)
tests_unit_tune_tune_t_LDADD = bench/libbench.a $(LDADD)
