# checkpoint: the state of a run in a file, and back.
libbosc_a_SOURCES += \
	%D%/checkpoint.c %D%/checkpoint.h %D%/move.c \
	%D%/move.h %D%/parts.h %D%/state_file.c %D%/state_file.h
