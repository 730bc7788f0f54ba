# select: the choice of backend and method.
libbosc_a_SOURCES += \
	%D%/choose.c %D%/choose.h %D%/device.c %D%/device.h \
	%D%/features.c %D%/features.h \
	%D%/resolve.c %D%/resolve.h %D%/rules.c %D%/rules.h
