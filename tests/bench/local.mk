# bench: the commands of bosc-bench as their users meet them, but for 'tune'.
tests_bench = \
	%D%/loop.t %D%/ranks.t %D%/solve.t
dist_check_SCRIPTS += $(tests_bench)
TESTS += $(tests_bench)
