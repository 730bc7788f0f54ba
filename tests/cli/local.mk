# cli: the program as its users meet it.
tests_cli = \
	%D%/compare.t %D%/constructs.t %D%/devices.t \
	%D%/failures.t %D%/gather.t %D%/inspect.t %D%/mechanisms.t \
	%D%/memory.t %D%/messages.t \
	%D%/mods.t %D%/mods_cache.t %D%/not_finite.t %D%/output.t \
	%D%/parallel.t %D%/plan.t %D%/progress.t %D%/report.t %D%/run.t \
	%D%/signals.t %D%/synapse_probes.t %D%/tables.t \
	%D%/warnings.t %D%/xarray.t
dist_check_SCRIPTS += $(tests_cli)
TESTS += $(tests_cli)
EXTRA_DIST += \
	%D%/constructs/blocks.mod %D%/constructs/bounds.mod \
	%D%/constructs/conserved.mod %D%/constructs/declared.mod \
	%D%/constructs/exp_high.mod %D%/constructs/functions.mod %D%/constructs/implicit.mod \
	%D%/constructs/kinetic.mod %D%/constructs/leak_k.mod \
	%D%/constructs/linear.mod %D%/constructs/moves.mod \
	%D%/constructs/neuron.tsv \
	%D%/constructs/no_charge.mod %D%/constructs/operators.mod \
	%D%/constructs/potential.mod %D%/constructs/receive.mod \
	%D%/constructs/returns.mod %D%/constructs/solve_if.mod \
	%D%/constructs/statements.mod %D%/constructs/verbatim.mod
