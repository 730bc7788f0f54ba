# sweep: the members of a job's sweep, put together to one job.
libbosc_a_SOURCES += \
	%D%/axes.c %D%/axes.h %D%/join.c %D%/members.c %D%/members.h %D%/models.c %D%/models.h \
	%D%/sweep.c %D%/sweep.h
