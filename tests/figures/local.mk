# figures: what the scripts in Python make of results.
tests_figures = %D%/page.t %D%/plot.t %D%/sweeps.t
dist_check_SCRIPTS += $(tests_figures)
TESTS += $(tests_figures)
EXTRA_DIST += %D%/page.py
