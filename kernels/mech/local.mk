# mech: descriptions, the registry, and one header a mechanism.
kernels_headers += \
	%D%/Exp2Syn.h %D%/ExpSyn.h %D%/builtin.h %D%/describe.h \
	%D%/full.h %D%/hh.h %D%/ion.h %D%/mech.h %D%/object.h %D%/pas.h \
	%D%/relax.h
kernels_libkernels_a_SOURCES += \
	%D%/block.c %D%/ion.c %D%/registry.c
kernels_isa += \
	%D%/builtin_isa.c
