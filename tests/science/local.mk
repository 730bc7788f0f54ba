# science: whole runs against closed forms, NEURON and each other.
tests_science = \
	%D%/artificial.t %D%/coupling.t %D%/geometry.t %D%/i_mem.t %D%/large.t %D%/mechanisms.t \
	%D%/network.t %D%/nmodl.t %D%/once_wrong.t %D%/pointer.t \
	%D%/real.t %D%/reference.t %D%/science.t %D%/sweep.t
dist_check_SCRIPTS += $(tests_science)
TESTS += $(tests_science)
EXTRA_DIST += %D%/beside.py %D%/constructs.py \
	%D%/compare-i-mem.py %D%/compare-neuron.py %D%/compare-nmodl.py %D%/ring.awk %D%/star.awk \
	%D%/cells/beat.mod %D%/cells/bound.mod %D%/cells/fire.mod \
	%D%/cells/job.yaml %D%/cells/soma.swc %D%/cells/spikes.tsv \
	%D%/compare-cells.py %D%/compare-pointers.py \
	%D%/pointers/cell.swc %D%/pointers/extra.mod %D%/pointers/gap.mod \
	%D%/pointers/gated.mod %D%/pointers/graded.mod %D%/pointers/job.yaml \
	%D%/pointers/neuron.tsv %D%/pointers/pool.mod %D%/pointers/sum.mod \
	%D%/compare-mods.py %D%/mods/cal.mod %D%/mods/depress.mod \
	%D%/mods/hold.mod %D%/mods/step.mod \
	%D%/mods/job.yaml %D%/mods/kca.mod %D%/mods/nmda.mod %D%/mods/pool.mod \
	%D%/mods/pulse.mod %D%/mods/soma.swc
