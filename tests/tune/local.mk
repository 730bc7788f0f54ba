# tune: 'bosc-bench tune', and what is learned from what it measures.
tests_tune = \
	%D%/fit.t %D%/measure.t %D%/tune.t
dist_check_SCRIPTS += $(tests_tune)
TESTS += $(tests_tune)
