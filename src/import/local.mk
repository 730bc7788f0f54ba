# import: models of cells as others publish them -> the text of a job.
libbosc_a_SOURCES += \
	%D%/allen.c %D%/bbp.c %D%/bbp.h %D%/bbp_model.c %D%/bluepyopt.c \
	%D%/cell.c %D%/cell.h %D%/cell_frame.c %D%/files.c %D%/how.h %D%/import.c %D%/import.h \
	%D%/ini.c %D%/ini.h %D%/json.c %D%/json.h %D%/mods.c %D%/mods.h \
	%D%/source.c %D%/source.h %D%/values.c %D%/values.h %D%/write.c
