# run: one run of a job: its simulation, result, checkpoints and report.
libbosc_a_SOURCES += \
	%D%/run.h %D%/run_checkpoint.c %D%/run_contents.c %D%/run_continue.c \
	%D%/run_cost.c %D%/run_groups.c %D%/run_identity.c %D%/run_job.c %D%/run_members.c \
	%D%/run_network.c %D%/run_numbers.c \
	%D%/run_report.c %D%/run_setup.c %D%/run_table.c %D%/run_warn.c \
	%D%/time_loop.c %D%/time_loop.h
