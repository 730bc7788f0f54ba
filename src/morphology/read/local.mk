# read: morphology files, one reader a format.
libbosc_a_SOURCES += \
	%D%/asc.c %D%/asc.h %D%/asc_lex.c %D%/asc_lex.h %D%/asc_soma.c \
	%D%/contour.c %D%/contour.h %D%/cylinders.c %D%/draft.c %D%/draft.h \
	%D%/format.h %D%/gzip.c %D%/gzip.h %D%/mend.c %D%/mend.h %D%/morphology.c \
	%D%/nml.c %D%/nml.h %D%/nml_groups.c %D%/nml_sections.c \
	%D%/type_name.c %D%/type_name.h %D%/units.c %D%/units.h
