# library: libbosc.so as other programs meet it, and what is beside it.
tests_library_serial =
tests_library_shell = %D%/library.t
dist_check_SCRIPTS += $(tests_library_shell)
EXTRA_DIST += %D%/header.cpp

# With nothing of bosc but its shared libraries.
library_link = -Wl,-rpath,$(abs_top_builddir)
check_PROGRAMS += %D%/client $(tests_library_serial)
tests_library_client_SOURCES = %D%/client.c
tests_library_client_LDADD = $(libbosc_soname)
tests_library_client_LDFLAGS = $(library_link)
TESTS += $(tests_library_shell) $(tests_library_serial)
