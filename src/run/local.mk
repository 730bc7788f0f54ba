# run: one run put together, and its estimate.
libbosc_a_SOURCES += \
	%D%/choose_method.c %D%/choose_method.h %D%/estimate.h %D%/estimate_ranks.c %D%/estimate_table.c \
	%D%/estimate_words.c %D%/mechanisms.c %D%/mechanisms.h %D%/memory.c \
	%D%/memory.h %D%/run.h %D%/run_broken.c %D%/run_checkpoint.c %D%/run_contents.c %D%/run_continue.c \
	%D%/run_cost.c %D%/run_identity.c %D%/run_job.c %D%/run_measure.c %D%/run_members.c %D%/run_network.c \
	%D%/run_report.c %D%/run_setup.c %D%/run_table.c %D%/run_warn.c
