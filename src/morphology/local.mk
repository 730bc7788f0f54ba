# morphology: SWC or synthetic -> sections -> compartments of one template.
libbosc_a_SOURCES += \
	%D%/cable.h %D%/cable_create.c %D%/cable_order.c %D%/cable_order.h \
	%D%/import3d.c %D%/inspect.c \
	%D%/inspect.h %D%/path_distance.c %D%/section.c %D%/section.h %D%/spec.c %D%/spec.h \
	%D%/swc.h %D%/swc_kind.c %D%/swc_link.c %D%/swc_mend.c %D%/swc_parse.c \
	%D%/swc_radius.c %D%/swc_read.c %D%/swc_reader.h %D%/synthetic.c \
	%D%/synthetic.h %D%/synthetic_files.c \
	%D%/where/branch_order.c %D%/where/where.c %D%/where/where.h \
	%D%/where/where_mark.c
