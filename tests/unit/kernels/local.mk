# unit/kernels: one module each, no MPI.
tests_unit_kernels = \
	%D%/cable_theory.t %D%/chip_events.t %D%/chip_logic.t \
	%D%/chip_seats.t %D%/cuda_logic.t %D%/elementary.t \
	%D%/integrate.t %D%/layout.t %D%/levels.t %D%/limits.t %D%/mech.t %D%/registry.t %D%/rows.t %D%/solver.t \
	%D%/spmv.t %D%/thomas.t %D%/tile.t
check_PROGRAMS += $(tests_unit_kernels)
TESTS += $(tests_unit_kernels)
