# cli: main, and one file a command.
libbosc_a_SOURCES += \
	%D%/cmd_calibrate.c %D%/cmd_devices.c %D%/cmd_former.c %D%/cmd_generate.c %D%/cmd_import.c \
	%D%/cmd_inspect.c \
	%D%/cmd_merge.c %D%/cmd_mods.c %D%/cmd_plan.c %D%/cmd_run.c \
	%D%/cmd_status.c %D%/cmd_submit.c %D%/commands.h \
	%D%/inspect_job.c %D%/inspect_job.h \
	%D%/program.c %D%/program.h %D%/script.c %D%/script.h

bin_PROGRAMS += bosc
bosc_SOURCES = %D%/main.c %D%/cmd_report.c
bosc_CPPFLAGS = $(AM_CPPFLAGS)
bosc_LDADD = libbosc.a $(NETCDF_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) $(EXPAT_LIBS)
