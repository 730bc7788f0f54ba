# lib: what tests share.
check_LIBRARIES += %D%/libtests.a
tests_lib_libtests_a_SOURCES = \
	%D%/cable_file.c %D%/cable_file.h %D%/fake_backend.c \
	%D%/fake_backend.h %D%/job.h %D%/mechs.c %D%/mechs.h \
	%D%/model_cells.c %D%/model_cells.h %D%/netlist.c %D%/netlist.h \
	%D%/ranks.h %D%/shared.h %D%/systems.c %D%/systems.h %D%/tap.h \
	%D%/tree.c %D%/tree.h %D%/tsv.c %D%/tsv.h
EXTRA_DIST += \
	%D%/start.sh %D%/tally.sh %D%/tap.sh %D%/valgrind.supp

# The program without memory: what is preloaded is no program.
check_PROGRAMS += %D%/no_memory.so
tests_lib_no_memory_so_SOURCES = %D%/no_memory.c
tests_lib_no_memory_so_CFLAGS = $(AM_CFLAGS) -fPIC
tests_lib_no_memory_so_LDFLAGS = -shared
tests_lib_no_memory_so_LDADD =
