# unit/bench: one module each, no MPI.
tests_unit_bench = \
	%D%/bench.t %D%/relayout.t
check_PROGRAMS += $(tests_unit_bench)
TESTS += $(tests_unit_bench)
tests_unit_bench_bench_t_LDADD = bench/libbench.a $(LDADD)
tests_unit_bench_relayout_t_LDADD = bench/libbench.a $(LDADD)
