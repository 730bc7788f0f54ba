# unit/kernels: one module each, no MPI.
tests_unit_kernels = \
	%D%/cable_theory.t %D%/chip_assign.t %D%/chip_events.t \
	%D%/chip_logic.t %D%/cuda_logic.t %D%/elementary.t \
	%D%/integrate.t %D%/layout.t %D%/levels.t %D%/limits.t %D%/mech.t \
	%D%/pivot.t %D%/reciprocal.t %D%/registry.t %D%/rows.t \
	%D%/sent.t %D%/solver.t %D%/spmv.t %D%/tile.t
check_PROGRAMS += $(tests_unit_kernels)
TESTS += $(tests_unit_kernels)

# A mechanism of a test, as 'bosc mods translate' makes it.
EXTRA_DIST += %D%/decays.mod %D%/outcome.h
CLEANFILES += %D%/decays.h
tests/unit/kernels/registry.$(OBJEXT): %D%/decays.h
%D%/decays.h: %D%/decays.mod bosc$(EXEEXT)
	$(AM_V_GEN)mkdir -p $(@D) && \
	./bosc mods translate $(srcdir)/tests/unit/kernels/decays.mod >$@.tmp && mv $@.tmp $@
