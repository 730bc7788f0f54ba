# checkpoint: the state of a run in a file, and back; its result gone on with.
libbosc_a_SOURCES += \
	%D%/checkpoint.c %D%/checkpoint.h %D%/move.c \
	%D%/move.h %D%/parts.h %D%/result_continue.c \
	%D%/result_full.c %D%/result_skeleton.c %D%/result_skeleton.h \
	%D%/result_verify.c %D%/resume.h %D%/state_file.c \
	%D%/state_file.h
