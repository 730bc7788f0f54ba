# run: one run put together, and its report.
libbosc_a_SOURCES += \
	%D%/run.h %D%/run_broken.c %D%/run_checkpoint.c %D%/run_contents.c \
	%D%/run_continue.c %D%/run_cost.c %D%/run_identity.c %D%/run_job.c \
	%D%/run_measure.c %D%/run_members.c %D%/run_network.c %D%/run_report.c \
	%D%/run_setup.c %D%/run_table.c %D%/run_warn.c
