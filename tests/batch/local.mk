# batch: what a batch job relies on: exit codes, checkpoints, nothing overwritten.
tests_batch = \
	%D%/again.t %D%/checkpoint.t %D%/checkpoint_refused.t %D%/exit_codes.t \
	%D%/forged.t %D%/killed_write.t
dist_check_SCRIPTS += $(tests_batch)
TESTS += $(tests_batch)

# The program that is killed while it writes: what is preloaded is no program.
check_PROGRAMS += %D%/killed_write.so
tests_batch_killed_write_so_SOURCES = %D%/killed_write.c
tests_batch_killed_write_so_CFLAGS = $(AM_CFLAGS) -fPIC
tests_batch_killed_write_so_LDFLAGS = -shared
tests_batch_killed_write_so_LDADD =
