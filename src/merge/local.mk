# merge: results of some members of a sweep become one file.
libbosc_a_SOURCES += \
	%D%/contents.c %D%/copy.c %D%/dimensions.c %D%/exit.c %D%/inputs.c \
	%D%/merge.h %D%/parts.h %D%/write.c
