# select: the choice of backend and method.
libbosc_a_SOURCES += \
	%D%/choose.c %D%/choose.h %D%/choose_format.c %D%/choose_format.h \
	%D%/device.c %D%/device.h \
	%D%/feature_list.h %D%/features.c %D%/features.h \
	%D%/matrix_feature_list.h %D%/model.c %D%/model.h \
	%D%/resolve.c %D%/resolve.h %D%/rules.c %D%/rules.h %D%/streamed.c %D%/streamed.h

# Models that come with bosc, learned from the measurements in bench/select.
dist_pkgdata_DATA += %D%/data/methods.model
