# table: numbers in columns, from texts; what results keep of ranks.
libbosc_a_SOURCES += \
	%D%/fields.c %D%/fields.h %D%/files.h %D%/rank_table.c %D%/rank_table.h %D%/table.h \
	%D%/table_form.h %D%/table_open.c %D%/table_text.c
