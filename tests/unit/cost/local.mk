# unit/cost: one module each, no MPI.
tests_unit_cost = \
	%D%/bytes.t %D%/calibration.t %D%/workload.t
check_PROGRAMS += $(tests_unit_cost)
TESTS += $(tests_unit_cost)
