# slurm: jobs under a private SLURM.
tests_slurm = \
	%D%/slurm.t
dist_check_SCRIPTS += $(tests_slurm)
TESTS += $(tests_slurm)
EXTRA_DIST += \
	%D%/slurm-down.sh %D%/slurm-up.sh
