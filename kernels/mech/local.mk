# mech: descriptions, the registry, and the mod files of built-in ones.
kernels_headers += \
	%D%/builtin.h %D%/emitted.h \
	%D%/ion.h %D%/mech.h %D%/object.h \
	%D%/registry.h %D%/relax.h
kernels_libkernels_a_SOURCES += \
	%D%/block.c %D%/builtin.c %D%/ion.c %D%/registry.c
kernels_isa += \
	%D%/builtin_isa.c

# As src/mods/compile.c has it for those of users.
if HAVE_SCHEDULE
%D%/libv3_a-builtin_isa.$(OBJEXT) %D%/libv4_a-builtin_isa.$(OBJEXT): \
	CFLAGS += -fschedule-insns -fsched-pressure \
	--param=sched-pressure-algorithm=2
endif

# The built-in mechanisms, in the order of their numbers.  Headers are made of
# them, beside the others, and in the tarball, by the translator: it is built
# before them, but a newer one makes no headers again.  It is built by this make,
# as another one would write the same objects at the same time.
builtin_mods = %D%/pas.mod %D%/hh.mod %D%/ExpSyn.mod %D%/Exp2Syn.mod \
	%D%/IClamp.mod %D%/Pulses.mod %D%/Sine.mod %D%/Chirp.mod \
	%D%/SEClamp.mod %D%/OUCurrent.mod %D%/OUConductance.mod \
	%D%/CurrentPlayback.mod %D%/VoltagePlayback.mod
builtin_sources = $(builtin_mods) $(nmodl_sources) src/nmodl/print.c
BUILT_SOURCES += $(builtin_headers)
MAINTAINERCLEANFILES += $(builtin_headers)
EXTRA_DIST += $(builtin_mods)
print = src/nmodl/print$(EXEEXT)
print_builtin = (cd $(srcdir) && $(abs_builddir)/$(print) \
	"$$what" $(builtin_mods)) >$@.$$$$ && mv $@.$$$$ $@

builtin_headers = $(srcdir)/kernels/mech/builtin.h
$(srcdir)/kernels/mech/builtin.h: $(builtin_sources) | $(print)
	$(AM_V_GEN)what=builtin; $(print_builtin)
