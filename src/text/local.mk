# text: numbers, lines, words and units in texts; messages for people.
libbosc_a_SOURCES += \
	%D%/did_you_mean.c %D%/did_you_mean.h \
	%D%/file_kind.c %D%/file_kind.h %D%/lines.c %D%/lines.h \
	%D%/number.c %D%/number.h \
	%D%/options.c %D%/options.h %D%/path.c %D%/path.h %D%/pool.c %D%/pool.h \
	%D%/print.c %D%/print.h %D%/quantity.c \
	%D%/quantity.h %D%/rename.c %D%/rename.h %D%/wrap.c %D%/wrap.h
