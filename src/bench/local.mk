# bench: solvers and time loops side by side; calibration of the cost model.
libbosc_a_SOURCES += \
	%D%/bench.h %D%/bench_gpu.c %D%/bench_gpu.h %D%/bench_loop.c \
	%D%/bench_loop_job.c %D%/bench_loop_job.h %D%/bench_machine.c \
	%D%/bench_measure.c %D%/bench_papers.c %D%/bench_plan.c \
	%D%/bench_shape.c %D%/bench_shape.h %D%/bench_solve.c \
	%D%/bench_spmv.c %D%/bench_stats.c %D%/bench_stats.h \
	%D%/bench_systems.c %D%/bench_systems.h %D%/bench_table.c \
	%D%/bench_trial.c %D%/bench_trial.h
