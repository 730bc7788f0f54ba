# select: the choice of backend and method.
libbosc_a_SOURCES += \
	%D%/resolve.c %D%/resolve.h
