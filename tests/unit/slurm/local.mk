# unit/slurm: one module each, no MPI.
tests_unit_slurm = \
	%D%/duration.t %D%/script.t
check_PROGRAMS += $(tests_unit_slurm)
TESTS += $(tests_unit_slurm)
