# read: morphology files, one reader a format.
libbosc_a_SOURCES += \
	%D%/format.h %D%/morphology.c \
	%D%/swc_kind.c %D%/swc_link.c %D%/swc_mend.c %D%/swc_parse.c \
	%D%/swc_radius.c %D%/swc_read.c %D%/swc_reader.h
