# unit/mods: mechanisms of mod files, compiled for GPUs; none is needed.
tests_unit_mods = \
	%D%/program.t
check_PROGRAMS += $(tests_unit_mods)
TESTS += $(tests_unit_mods)
