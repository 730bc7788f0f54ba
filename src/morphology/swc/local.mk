# swc: the reader of SWC files.
libbosc_a_SOURCES += \
	%D%/swc_kind.c %D%/swc_link.c %D%/swc_parse.c %D%/swc_radius.c \
	%D%/swc_read.c %D%/swc_reader.h
