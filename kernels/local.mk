# kernels: computes.  A leaf: no MPI, no files.

noinst_LIBRARIES += kernels/libkernels.a
kernels_libkernels_a_SOURCES = \
	kernels/backend.c kernels/backend.h kernels/backends.h \
	kernels/batch.c kernels/batch.h \
	kernels/formula.h kernels/hines.h \
	kernels/mech.c kernels/mech.h kernels/mech_hh.h kernels/mech_pas.h \
	kernels/record.c kernels/record.h \
	kernels/ref.c \
	kernels/tree.c kernels/tree.h
# The formulas compare and choose; nothing reads errno or floating-point flags.
kernels_libkernels_a_CFLAGS = $(AM_CFLAGS) -fno-math-errno -fno-trapping-math
