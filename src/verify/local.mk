# verify: some neurons of a run computed once more.
libbosc_a_SOURCES += \
	%D%/component.c %D%/component.h %D%/difference.c %D%/difference.h \
	%D%/replay.c %D%/replay.h \
	%D%/replica.c %D%/replica.h %D%/replica_match.c %D%/verify.c %D%/verify.h
