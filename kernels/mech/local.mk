# mech: the registry, and one header a mechanism.
kernels_headers += \
	%D%/Exp2Syn.h %D%/ExpSyn.h %D%/formulas.h %D%/hh.h %D%/mech.h \
	%D%/pas.h
kernels_libkernels_a_SOURCES += \
	%D%/registry.c
