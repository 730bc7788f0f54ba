# plan: time and memory of a job before it runs.
libbosc_a_SOURCES += \
	%D%/estimate.h %D%/estimate_ranks.c %D%/estimate_table.c \
	%D%/estimate_words.c %D%/memory.c %D%/memory.h
