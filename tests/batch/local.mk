# batch: what a batch job relies on: exit codes, checkpoints, nothing overwritten.
tests_batch = \
	%D%/again.t %D%/checkpoint.t %D%/checkpoint_refused.t %D%/exit_codes.t \
	%D%/forged.t
dist_check_SCRIPTS += $(tests_batch)
TESTS += $(tests_batch)
