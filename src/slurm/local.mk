# slurm: batch jobs: site defaults, the script, what becomes of them.
AM_CPPFLAGS += -DBOSC_SYSCONFDIR='"$(sysconfdir)"' \
	-DBOSC_PKGDATADIR='"$(pkgdatadir)"'
libbosc_a_SOURCES += \
	%D%/array.c %D%/array.h %D%/command.c %D%/command.h %D%/duration.c %D%/duration.h %D%/launcher.c \
	%D%/launcher.h %D%/partition.c %D%/partition.h %D%/record.c \
	%D%/record.h %D%/sbatch.c %D%/sbatch.h %D%/script.c %D%/script.h %D%/site.c %D%/site.h %D%/status.c \
	%D%/status.h %D%/submit.c %D%/submit.h
%D%/script.$(OBJEXT): $(top_srcdir)/jobs/bosc.sbatch
