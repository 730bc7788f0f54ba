# batch: what a batch job relies on: exit codes, checkpoints, nothing overwritten.
tests_batch = \
	%D%/again.t %D%/checkpoint.t %D%/checkpoint_refused.t \
	%D%/composed.t %D%/damaged.t %D%/exit_codes.t %D%/forged.t %D%/killed_write.t \
	%D%/setup.t %D%/verify.t
dist_check_SCRIPTS += $(tests_batch)
TESTS += $(tests_batch)

# The program that is killed while it writes: what is preloaded is no program.
check_PROGRAMS += %D%/killed_write.so
tests_batch_killed_write_so_SOURCES = %D%/killed_write.c
tests_batch_killed_write_so_CFLAGS = $(AM_CFLAGS) -fPIC
tests_batch_killed_write_so_LDFLAGS = -shared
tests_batch_killed_write_so_LDADD =

# The program with a fault that 'verify' must find.
check_PROGRAMS += %D%/faulty
tests_batch_faulty_SOURCES = $(bosc_SOURCES) %D%/faulty.c
tests_batch_faulty_CPPFLAGS = $(bosc_CPPFLAGS)
tests_batch_faulty_LDFLAGS = -Wl,--wrap=bosc_step_io_begin
tests_batch_faulty_LDADD = $(bosc_LDADD)
