# kernels: computes.  A leaf: no MPI, no files.

EXTRA_DIST += kernels/README.md kernels/RESULTS.md

# The formulas compare and choose; nothing reads errno or floating-point flags.
kernel_cflags = $(AM_CFLAGS) -fno-math-errno -fno-trapping-math
EXTRA_LIBRARIES += kernels/libkernels.a
kernels_headers =
kernels_cuda =
kernels_libkernels_a_SOURCES = $(kernels_headers) $(kernels_cuda)
kernels_libkernels_a_CFLAGS = $(kernel_cflags)
libbosc_a_LIBADD += $(kernels_libkernels_a_OBJECTS)

# Loops over vectors, once for each instruction set.
kernels_isa =
EXTRA_LIBRARIES += kernels/libbase.a
kernels_libbase_a_SOURCES = $(kernels_isa)
kernels_libbase_a_CFLAGS = $(kernel_cflags) -DBOSC_ISA=base
libbosc_a_LIBADD += $(kernels_libbase_a_OBJECTS)
if HAVE_V3
EXTRA_LIBRARIES += kernels/libv3.a
kernels_libv3_a_SOURCES = $(kernels_isa)
kernels_libv3_a_CFLAGS = $(kernel_cflags) -DBOSC_ISA=v3 -march=x86-64-v3
libbosc_a_LIBADD += $(kernels_libv3_a_OBJECTS)
endif
if HAVE_V4
EXTRA_LIBRARIES += kernels/libv4.a
kernels_libv4_a_SOURCES = $(kernels_isa)
kernels_libv4_a_CFLAGS = $(kernel_cflags) -DBOSC_ISA=v4 -march=x86-64-v4
libbosc_a_LIBADD += $(kernels_libv4_a_OBJECTS)
endif

include kernels/base/local.mk
include kernels/hines/local.mk
include kernels/mech/local.mk
include kernels/batch/local.mk
include kernels/dfs/local.mk
include kernels/gpu/chip/local.mk
include kernels/step/local.mk
include kernels/gpu/host/local.mk
include kernels/gpu/device/local.mk
include kernels/thomas/local.mk
include kernels/spmv/local.mk
include kernels/solve/local.mk
include kernels/hines_batch/local.mk
include kernels/levels/local.mk
include kernels/cyclic_reduction/local.mk

kernels_headers += %D%/methods.h
kernels_libkernels_a_SOURCES += %D%/methods.c

# What is made of mod files comes first, whatever is asked for, but for what
# makes it.
$(kernels_libkernels_a_OBJECTS) $(kernels_libbase_a_OBJECTS) \
$(kernels_libv3_a_OBJECTS) $(kernels_libv4_a_OBJECTS) \
$(filter-out $(src_nmodl_print_OBJECTS),$(libbosc_a_OBJECTS)): \
	| $(builtin_headers)

# nvcc gets no dependencies from Automake: a changed header makes all again.
$(kernels_cuda:.cu=.$(OBJEXT)): $(kernels_headers)
SUFFIXES = .cu
AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@;
am__v_NVCC_1 =
.cu.$(OBJEXT):
	@$(MKDIR_P) $(@D)
	$(AM_V_NVCC)$(NVCC) $(BOSC_NVCCFLAGS) $(CUDA_TARGETS) $(NVCCFLAGS) \
		-I$(top_srcdir) -I$(top_builddir) -c $< -o $@
