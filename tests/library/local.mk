# library: libbosc.so as other programs meet it, and what is beside it.
dist_check_SCRIPTS += %D%/library.t %D%/memory.t
EXTRA_DIST += %D%/header.cpp
tests_library = \
	%D%/apart.t %D%/forked.t %D%/many.t %D%/refuse.t %D%/state.t \
	%D%/tables.t %D%/tridiag.t %D%/tridiag_pivots.t %D%/ranks.mt
check_PROGRAMS += %D%/client %D%/starved %D%/tridiag-example $(tests_library)
TESTS += %D%/library.t %D%/memory.t $(tests_library)

# With nothing of bosc but its shared libraries.
library_link = -Wl,-rpath,$(abs_top_builddir)
library_helpers = %D%/library.c %D%/library.h
tests_library_client_SOURCES = %D%/client.c
tests_library_client_LDADD = $(libbosc_soname)
tests_library_client_LDFLAGS = $(library_link)
tests_library_starved_SOURCES = %D%/starved.c
tests_library_starved_LDADD = $(libbosc_soname)
tests_library_starved_LDFLAGS = $(library_link)
tests_library_apart_t_SOURCES = %D%/apart.c $(library_helpers)
tests_library_apart_t_LDADD = $(libbosc_soname)
tests_library_apart_t_LDFLAGS = $(library_link)
tests_library_forked_t_SOURCES = %D%/forked.c $(library_helpers)
tests_library_forked_t_LDADD = $(libbosc_soname)
tests_library_forked_t_LDFLAGS = $(library_link)
tests_library_many_t_SOURCES = %D%/many.c $(library_helpers)
tests_library_many_t_LDADD = $(libbosc_soname)
tests_library_many_t_LDFLAGS = $(library_link)
tests_library_refuse_t_SOURCES = %D%/refuse.c $(library_helpers)
tests_library_refuse_t_LDADD = $(libbosc_soname)
tests_library_refuse_t_LDFLAGS = $(library_link)
tests_library_state_t_SOURCES = %D%/state.c $(library_helpers)
tests_library_state_t_LDADD = $(libbosc_soname)
tests_library_state_t_LDFLAGS = $(library_link)
tests_library_tables_t_SOURCES = %D%/tables.c $(library_helpers)
tests_library_tables_t_LDADD = $(libbosc_soname) libbosc-netcdf.so.0
tests_library_tables_t_LDFLAGS = $(library_link)
tests_library_tridiag_example_SOURCES = src/tridiag/tridiag-example.c
tests_library_tridiag_example_LDADD = $(libbosc_tridiag_soname)
tests_library_tridiag_example_LDFLAGS = $(library_link)
tridiag_helpers = %D%/tridiag.h %D%/tridiag_systems.c
tests_library_tridiag_t_SOURCES = %D%/tridiag.c $(tridiag_helpers)
tests_library_tridiag_t_LDADD = $(libbosc_tridiag_soname)
tests_library_tridiag_t_LDFLAGS = $(library_link)
tests_library_tridiag_pivots_t_SOURCES = %D%/tridiag_pivots.c $(tridiag_helpers)
tests_library_tridiag_pivots_t_LDADD = $(libbosc_tridiag_soname)
tests_library_tridiag_pivots_t_LDFLAGS = $(library_link)
tests_library_ranks_mt_SOURCES = %D%/ranks.c $(library_helpers)
tests_library_ranks_mt_LDADD = $(libbosc_soname) libbosc-mpi.so.0
tests_library_ranks_mt_LDFLAGS = $(library_link)
