# bench: solvers and time loops side by side.
libbosc_a_SOURCES += \
	%D%/bench.h %D%/bench_loop.c \
	%D%/bench_loop_job.c %D%/bench_loop_job.h \
	%D%/bench_measure.c %D%/bench_papers.c %D%/bench_plan.c \
	%D%/bench_shape.c %D%/bench_shape.h %D%/bench_solve.c \
	%D%/bench_spmv.c \
	%D%/bench_systems.c %D%/bench_systems.h %D%/bench_table.c \
	%D%/bench_time.c %D%/bench_time.h
