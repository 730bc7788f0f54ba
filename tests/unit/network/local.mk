# unit/network: one module each, no MPI.
tests_unit_network = \
	%D%/connection_table.t %D%/coupling.t %D%/expected.t %D%/network.t \
	%D%/network_draws.t %D%/source.t
check_PROGRAMS += $(tests_unit_network)
TESTS += $(tests_unit_network)
