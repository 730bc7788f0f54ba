# slurm: jobs under a private SLURM.  The cases of jobs.t take minutes: they are
# not part of 'make check'.
tests_slurm = \
	%D%/slurm.t
tests_slurm_minutes = \
	%D%/jobs.t
dist_check_SCRIPTS += $(tests_slurm) $(tests_slurm_minutes)
TESTS += $(tests_slurm)
EXTRA_DIST += \
	%D%/slurm-down.sh %D%/slurm-up.sh
check-slurm: all
	$(MAKE) $(AM_MAKEFLAGS) check VERBOSE=1 check_PROGRAMS= check_LIBRARIES= \
	  TESTS='$(tests_slurm_minutes)'
.PHONY: check-slurm
