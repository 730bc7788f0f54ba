# unit/nmodl: the translator of NMODL, one pass each.
tests_unit_nmodl = \
	%D%/damaged.t %D%/model.t %D%/refused.t %D%/rounds.t \
	%D%/trace.t
check_PROGRAMS += $(tests_unit_nmodl)
TESTS += $(tests_unit_nmodl)
EXTRA_DIST += \
	%D%/shim.h %D%/mods/Exp2Syn.mod %D%/mods/ExpSyn.mod %D%/mods/cad.mod \
	%D%/mods/draw.mod %D%/mods/extend.mod \
	%D%/mods/follow.mod %D%/mods/hh.mod %D%/mods/hold.mod %D%/mods/late.mod \
	%D%/mods/methods.mod %D%/mods/moments.mod %D%/mods/ring.mod \
	%D%/mods/schemes.mod %D%/mods/watch.mod
