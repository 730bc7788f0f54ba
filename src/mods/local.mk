# mods: mechanisms of the user's own: mod files -> shared objects -> registry.
libbosc_a_SOURCES += \
	%D%/cache.c %D%/cache.h %D%/compile.c %D%/compile.h %D%/hash.h \
	%D%/header_list.h %D%/headers.c %D%/headers.h %D%/image.c %D%/image.h \
	%D%/mods.c %D%/mods.h \
	%D%/own_file.c %D%/own_file.h %D%/process.c %D%/process.h %D%/program.c %D%/program.h %D%/translate.c %D%/translate.h

# What headers.c embeds and does not include.
src/mods/headers.$(OBJEXT): $(kernels_headers) include/bosc.h src/base/mem.h \
	src/base/status.h $(builtin_mods)
