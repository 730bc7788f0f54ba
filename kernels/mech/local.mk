# mech: descriptions, the registry, and one header a mechanism.
kernels_headers += \
	%D%/Exp2Syn.h %D%/ExpSyn.h %D%/builtin.h %D%/describe.h \
	%D%/full.h %D%/hh.h %D%/ion.h %D%/mech.h %D%/object.h %D%/pas.h \
	%D%/registry.h %D%/relax.h
kernels_libkernels_a_SOURCES += \
	%D%/block.c %D%/builtin.c %D%/ion.c %D%/registry.c
kernels_isa += \
	%D%/builtin_isa.c

# Made of hh.mod, beside it, and in the tarball: where it is newer than what it
# is made of, no translator is built first.
BUILT_SOURCES += $(srcdir)/kernels/mech/hh.h
MAINTAINERCLEANFILES += $(srcdir)/kernels/mech/hh.h
EXTRA_DIST += %D%/hh.mod
$(srcdir)/kernels/mech/hh.h: %D%/hh.mod $(nmodl_sources) src/nmodl/print.c
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) src/nmodl/print$(EXEEXT)
	@src/nmodl/print$(EXEEXT) $(srcdir)/kernels/mech/hh.mod >$@.$$$$ && \
	mv $@.$$$$ $@
