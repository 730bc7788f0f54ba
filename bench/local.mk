# bench: the program bosc-bench: solvers, products and time loops side by side,
# and measurements that the choice of a method is learned from.
noinst_LIBRARIES += %D%/libbench.a
bench_libbench_a_SOURCES = \
	%D%/loop/bench_loop.c %D%/loop/bench_loop.h %D%/loop/bench_loop_job.c \
	%D%/loop/bench_loop_job.h %D%/loop/bench_loop_table.c \
	%D%/papers/estimate.c %D%/papers/figures.c %D%/papers/others.c \
	%D%/papers/papers.c %D%/papers/papers.h %D%/papers/relayout.c \
	%D%/papers/relayout.h %D%/papers/relayouts.c \
	%D%/papers/tables.c \
	%D%/solve/bench.h %D%/solve/bench_measure.c %D%/solve/bench_plan.c \
	%D%/solve/bench_ranks.c %D%/solve/bench_ranks.h \
	%D%/solve/bench_ranks_start.c %D%/solve/bench_series.c \
	%D%/solve/bench_shape.c %D%/solve/bench_shape.h \
	%D%/solve/bench_solve.c %D%/solve/bench_spmv.c \
	%D%/solve/bench_systems.c %D%/solve/bench_systems.h \
	%D%/solve/csv.c %D%/solve/csv.h %D%/solve/bench_table.c %D%/solve/bench_time.c %D%/solve/bench_time.h \
	%D%/solve/counters.c %D%/solve/counters.h \
	%D%/tridiag/batch.c %D%/tridiag/host.c %D%/tridiag/numbers.c \
	%D%/tridiag/numbers.h %D%/tridiag/tridiag.c %D%/tridiag/tridiag.h \
	%D%/tune/data_set.c %D%/tune/data_set.h %D%/tune/draw.c %D%/tune/draw.h \
	%D%/tune/kinds.h %D%/tune/loops.c %D%/tune/products.c %D%/tune/timing.c \
	%D%/tune/tune.c %D%/tune/tune.h

if HAVE_CUDA
bench_libbench_a_SOURCES += %D%/papers/gpu.c %D%/papers/relayout_cuda.cu \
	%D%/tridiag/gpu.c
%D%/papers/relayout_cuda.$(OBJEXT): %D%/papers/relayout.h $(kernels_headers)
else
bench_libbench_a_SOURCES += %D%/papers/no_gpu.c %D%/tridiag/no_gpu.c
endif

bin_PROGRAMS += bosc-bench
bosc_bench_SOURCES = %D%/cmd_measure.c %D%/cmd_tridiag.c %D%/cmd_tune.c %D%/commands.h %D%/main.c
bosc_bench_CPPFLAGS = $(AM_CPPFLAGS)
bosc_bench_LDADD = %D%/libbench.a $(bosc_LDADD)
dist_man1_MANS += %D%/bosc-bench.1
EXTRA_DIST += %D%/README.md %D%/papers/cpu-hines-3.png \
	%D%/papers/cpu-levels-7.png \
	%D%/papers/cpu-levels-12.png %D%/papers/h100-hines-3.png \
	%D%/papers/h100-levels-7.png %D%/papers/h100-levels-9.png \
	%D%/papers/h200-scaling.png

# Measurements of 'bosc-bench tune', and how good rules and models are on them: by the
# least of seven rounds; of several threads, and of a GPU's loops, by the median.
selection_data = \
	%D%/select/avx512-loops-1.tsv \
	%D%/select/avx512-products-1.tsv %D%/select/avx2-loops-1.tsv \
	%D%/select/avx2-products-1.tsv %D%/select/h200-products-1.tsv
selection_medians = \
	%D%/select/avx512-loops-2.tsv %D%/select/h200-loops-1.tsv
EXTRA_DIST += $(selection_data) $(selection_medians) %D%/select/README.md \
	%D%/select/samples.png
nobase_dist_pkgdata_SCRIPTS += bench/plot-bench bench/papers-table \
	bench/overlap bench/select/fit-selection

.PHONY: bench-selection
bench-selection: tests/unit/select/recorded.t
	@BOSC_SRC=$(abs_top_srcdir) tests/unit/select/recorded.t | sed -n 's/^# //p'
	@cd $(srcdir) && \
	fit="$${BOSC_PYTHON:-python3} bench/select/fit-selection --validate" && \
	$$fit --least $(selection_data) && $$fit $(selection_medians) && \
	$$fit --device 'any CPU, 8 lanes' %D%/select/avx512-loops-1.tsv \
	    %D%/select/avx512-loops-2.tsv
