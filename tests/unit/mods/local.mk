# unit/mods: mechanisms of mod files: in sets of their own, and compiled for
# GPUs; none is needed.
tests_unit_mods = \
	%D%/program.t %D%/sets.t
check_PROGRAMS += $(tests_unit_mods)
TESTS += $(tests_unit_mods)
