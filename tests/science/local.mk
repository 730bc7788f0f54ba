# science: whole runs against closed forms, NEURON and each other.
tests_science = \
	%D%/coupling.t %D%/large.t %D%/network.t %D%/nmodl.t %D%/real.t \
	%D%/reference.t %D%/science.t
dist_check_SCRIPTS += $(tests_science)
TESTS += $(tests_science)
EXTRA_DIST += \
	%D%/compare-neuron.py %D%/compare-nmodl.py %D%/ring.awk %D%/star.awk
