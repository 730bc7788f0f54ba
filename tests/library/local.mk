# library: libbosc.so as other programs meet it, and what is beside it.
dist_check_SCRIPTS += %D%/library.t
EXTRA_DIST += %D%/header.cpp
tests_library = %D%/apart.t %D%/state.t
check_PROGRAMS += %D%/client $(tests_library)
TESTS += %D%/library.t $(tests_library)

# With nothing of bosc but its shared libraries.
library_link = -Wl,-rpath,$(abs_top_builddir)
library_helpers = %D%/library.c %D%/library.h
tests_library_client_SOURCES = %D%/client.c
tests_library_client_LDADD = $(libbosc_soname)
tests_library_client_LDFLAGS = $(library_link)
tests_library_apart_t_SOURCES = %D%/apart.c $(library_helpers)
tests_library_apart_t_LDADD = $(libbosc_soname)
tests_library_apart_t_LDFLAGS = $(library_link)
tests_library_state_t_SOURCES = %D%/state.c $(library_helpers)
tests_library_state_t_LDADD = $(libbosc_soname)
tests_library_state_t_LDFLAGS = $(library_link)
