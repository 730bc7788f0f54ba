# mech: descriptions, the registry, and one header a mechanism.
kernels_headers += \
	%D%/builtin.h %D%/emitted.h \
	%D%/ion.h %D%/mech.h %D%/object.h \
	%D%/registry.h %D%/relax.h
kernels_libkernels_a_SOURCES += \
	%D%/block.c %D%/builtin.c %D%/ion.c %D%/registry.c
kernels_isa += \
	%D%/builtin_isa.c

# The built-in mechanisms, in the order of their numbers.  builtin.h is made of
# them, beside them, and in the tarball: where it is newer than what it is made
# of, no translator is built first.
builtin_mods = %D%/pas.mod %D%/hh.mod %D%/ExpSyn.mod %D%/Exp2Syn.mod
BUILT_SOURCES += $(srcdir)/kernels/mech/builtin.h
MAINTAINERCLEANFILES += $(srcdir)/kernels/mech/builtin.h
EXTRA_DIST += $(builtin_mods)
$(srcdir)/kernels/mech/builtin.h: $(builtin_mods) $(nmodl_sources) src/nmodl/print.c
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) src/nmodl/print$(EXEEXT)
	@(cd $(srcdir) && $(abs_builddir)/src/nmodl/print$(EXEEXT) $(builtin_mods)) \
		>$@.$$$$ && mv $@.$$$$ $@
