# submit: batch jobs and how bosc is installed, without a SLURM.
tests_submit = \
	%D%/completion.t %D%/install.t %D%/status.t %D%/submit.t
dist_check_SCRIPTS += $(tests_submit)
TESTS += $(tests_submit)
