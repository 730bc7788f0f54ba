# cli: the program as its users meet it.
tests_cli = \
	%D%/bench.t %D%/bench_loop.t %D%/compare.t %D%/devices.t \
	%D%/failures.t %D%/gather.t %D%/inspect.t %D%/mechanisms.t \
	%D%/memory.t %D%/messages.t \
	%D%/mods.t %D%/mods_cache.t %D%/not_finite.t %D%/output.t %D%/parallel.t %D%/plan.t \
	%D%/progress.t %D%/report.t %D%/run.t %D%/signals.t %D%/tables.t \
	%D%/warnings.t %D%/xarray.t
dist_check_SCRIPTS += $(tests_cli)
TESTS += $(tests_cli)
