# model: which cells there are, and which template each has.
libbosc_a_SOURCES += \
	%D%/cut_template.c %D%/cut_template.h %D%/membranes.c %D%/membranes.h \
	%D%/gid_table.c %D%/gid_table.h %D%/gid_table_pack.c %D%/local_cells.c \
	%D%/list_numbers.c %D%/list_numbers.h %D%/local_cells.h %D%/locate.c %D%/locate.h %D%/model.c %D%/model.h \
	%D%/plausible.c %D%/plausible.h %D%/template_table.c \
	%D%/template_table.h %D%/value_find.c %D%/value_parse.c %D%/value_row.h \
	%D%/value_table.h
