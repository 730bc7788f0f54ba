# emulate: the time loop of GPUs, made for the host where there is a C++
# compiler: with it tests of kernels/ and the program find a GPU.  What is not
# here they take from libbosc.a.
EXTRA_DIST += %D%/cal.mod %D%/cuda_runtime.h %D%/echo.mod %D%/emulate.h
dist_check_SCRIPTS += %D%/ahead.t %D%/bytes.t %D%/couplings.t %D%/limits.t \
	%D%/mechanisms.t %D%/members.t %D%/stimuli.t %D%/streams.t %D%/teams.t \
	%D%/tune.t %D%/widths.t
TESTS += %D%/ahead.t %D%/bytes.t %D%/couplings.t %D%/limits.t \
	%D%/mechanisms.t %D%/members.t %D%/stimuli.t %D%/streams.t %D%/teams.t \
	%D%/tune.t %D%/widths.t
if HAVE_CXX
EXTRA_LIBRARIES += %D%/libemulate.a
tests_emulate_libemulate_a_SOURCES = \
	%D%/kernels/cells.cpp %D%/compiler.c %D%/kernels/composed.cpp %D%/kernels/cyclic.cpp \
	%D%/device.c %D%/kernels/drive.cpp %D%/emulate.c %D%/kernels/hines.cpp %D%/kernels/levels.cpp \
	%D%/kernels/loop.cpp %D%/solvers.c %D%/kernels/thomas.cpp \
	kernels/cyclic_reduction/solver_cuda_cyclic.c \
	kernels/cyclic_reduction/cuda_cyclic_plan.c \
	kernels/dfs/cuda_lanes.c kernels/hines_batch/solver_cuda_hines.c \
	kernels/levels/solver_cuda_levels.c kernels/solve/solver_cuda.c \
	kernels/gpu/host/cuda.c kernels/gpu/host/cuda_batch.c kernels/gpu/host/cuda_blocks.c \
	kernels/gpu/host/cuda_chains.c \
	kernels/gpu/host/cuda_chip_batch.c kernels/gpu/host/cuda_composed.c \
	kernels/gpu/host/cuda_events.c \
	kernels/gpu/host/cuda_items.c kernels/gpu/host/cuda_job.c kernels/gpu/host/cuda_links.c kernels/gpu/host/cuda_memory.c \
	kernels/gpu/host/cuda_ranges.c kernels/gpu/host/cuda_readings.c \
	kernels/gpu/host/cuda_self.c kernels/gpu/host/cuda_store.c kernels/methods.c
emulated_cxxflags = -std=gnu++17 -fno-exceptions -fno-threadsafe-statics \
	-ffp-contract=off -fno-math-errno
tests_emulate_libemulate_a_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_CUDA=1 \
	-I$(top_srcdir)/tests/emulate \
	-DEMULATED_CXX='"$(CXX) $(emulated_cxxflags)"' \
	-DEMULATED_SRC='"$(abs_top_srcdir)"'
tests_emulate_libemulate_a_CFLAGS = $(kernel_cflags)
# With CFLAGS, too: a build with sanitizers has them in kernels.
tests_emulate_libemulate_a_CXXFLAGS = $(emulated_cxxflags) -Wall \
	-Wno-unknown-pragmas -Wno-unused-function -Wno-maybe-uninitialized \
	$(CFLAGS)
emulated = $(tests_emulate_libemulate_a_OBJECTS)

tests_emulated = %D%/chip_logic.t %D%/choose.t %D%/integrate.t %D%/sent.t \
	%D%/solver.t %D%/tridiag.t %D%/tridiag_pivots.t
check_PROGRAMS += $(tests_emulated) %D%/bosc %D%/bosc-bench
TESTS += $(tests_emulated)
tests_emulate_chip_logic_t_SOURCES = tests/unit/kernels/chip_logic.c
tests_emulate_chip_logic_t_LDADD = $(emulated) $(LDADD)
tests_emulate_choose_t_SOURCES = tests/unit/select/choose.c
tests_emulate_choose_t_LDADD = $(emulated) $(LDADD)
tests_emulate_integrate_t_SOURCES = tests/unit/kernels/integrate.c
tests_emulate_integrate_t_LDADD = $(emulated) $(LDADD)
tests_emulate_sent_t_SOURCES = tests/unit/kernels/sent.c
tests_emulate_sent_t_LDADD = $(emulated) $(LDADD)
tests_emulate_solver_t_SOURCES = tests/unit/kernels/solver.c
tests_emulate_solver_t_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_CUDA=1 -DEMULATED=1
tests_emulate_solver_t_LDADD = $(emulated) $(LDADD)
emulated_systems = tests/library/tridiag.h tests/library/tridiag_systems.c
tests_emulate_tridiag_t_SOURCES = tests/library/tridiag.c $(emulated_systems)
tests_emulate_tridiag_t_CPPFLAGS = $(AM_CPPFLAGS) -DEMULATED=1
tests_emulate_tridiag_t_LDADD = $(emulated) $(LDADD)
tests_emulate_tridiag_pivots_t_SOURCES = tests/library/tridiag_pivots.c $(emulated_systems)
tests_emulate_tridiag_pivots_t_CPPFLAGS = $(AM_CPPFLAGS) -DEMULATED=1
tests_emulate_tridiag_pivots_t_LDADD = $(emulated) $(LDADD)
tests_emulate_bosc_SOURCES = $(bosc_SOURCES)
tests_emulate_bosc_CPPFLAGS = $(bosc_CPPFLAGS)
tests_emulate_bosc_LDADD = $(emulated) $(bosc_LDADD)
# Kernels of mod files look for their lanes in the program.
tests_emulate_bosc_LDFLAGS = -rdynamic
tests_emulate_bosc_bench_SOURCES = $(bosc_bench_SOURCES)
tests_emulate_bosc_bench_CPPFLAGS = $(bosc_bench_CPPFLAGS)
tests_emulate_bosc_bench_LDADD = $(emulated) $(bosc_bench_LDADD)
endif
