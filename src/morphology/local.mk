# morphology: files or synthetic -> sections -> compartments of one template.
include src/morphology/read/local.mk
include src/morphology/swc/local.mk
libbosc_a_SOURCES += \
	%D%/cable.h %D%/cable_create.c %D%/cable_order.c %D%/cable_order.h \
	%D%/ending.c %D%/ending.h %D%/import3d.c %D%/inspect.c \
	%D%/inspect.h %D%/morphology.h %D%/path_distance.c %D%/section.c %D%/section.h %D%/spec.c %D%/spec.h \
	%D%/sections/axon.c %D%/sections/edit.c %D%/sections/edit.h \
	%D%/sections/list.c %D%/sections/list.h %D%/sections/measure.c \
	%D%/swc.h %D%/synthetic.c \
	%D%/synthetic.h %D%/synthetic_files.c \
	%D%/where/branch_order.c %D%/where/where.c %D%/where/where.h \
	%D%/where/where_mark.c
