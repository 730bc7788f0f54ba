# kernels: computes.  A leaf: no MPI, no files.

noinst_LIBRARIES += kernels/libkernels.a
kernels_libkernels_a_SOURCES = \
	kernels/backend.c kernels/backend.h kernels/backends.h \
	kernels/batch.c kernels/batch.h \
	kernels/cpu.c kernels/cpu.h \
	kernels/formula.h kernels/hines.h kernels/hines_tree.h \
	kernels/isa.c kernels/isa.h \
	kernels/layout.c kernels/layout.h \
	kernels/mech.c kernels/mech.h kernels/mech_hh.h kernels/mech_pas.h \
	kernels/mech_ExpSyn.h kernels/mech_Exp2Syn.h \
	kernels/record.c kernels/record.h \
	kernels/spmv.c kernels/spmv.h kernels/spmv_row.h \
	kernels/spmv_device.c kernels/spmv_device.h kernels/spmv_vector.h \
	kernels/ref.c \
	kernels/solver.c kernels/solver.h kernels/solvers.h \
	kernels/solver_host.c kernels/solver_ref.c \
	kernels/solver_cpu.c kernels/solver_cpu.h \
	kernels/solver_flat.c kernels/solver_stream.c \
	kernels/solver_lockstep.c kernels/lockstep.h \
	kernels/stream_plan.c kernels/stream_plan.h kernels/stream.h \
	kernels/tile.c kernels/tile.h \
	kernels/cuda_lanes.c kernels/cuda_lanes.h \
	kernels/cuda_stream_plan.c kernels/cuda_stream_plan.h \
	kernels/cuda_team_plan.c kernels/cuda_team_plan.h
# The formulas compare and choose; nothing reads errno or floating-point flags.
kernel_cflags = $(AM_CFLAGS) -fno-math-errno -fno-trapping-math
kernels_libkernels_a_CFLAGS = $(kernel_cflags)

# The loops of the backend cpu, once for each instruction set.
kernels_isa = kernels/cpu_isa.c kernels/cpu_mech.h \
	kernels/stream_isa.c kernels/stream_sweep.h kernels/stream_mask.h \
	kernels/thomas_isa.c kernels/thomas_isa.h kernels/thomas_walk.h \
	kernels/thomas_group.h kernels/thomas_down.h \
	kernels/lockstep_isa.c kernels/lockstep_rows.h \
	kernels/bundles_isa.c kernels/bundles_isa.h kernels/bundles_rows.h
EXTRA_LIBRARIES = kernels/libbase.a
kernels_libbase_a_SOURCES = $(kernels_isa)
kernels_libbase_a_CFLAGS = $(kernel_cflags) -DBOSC_ISA=base
kernels_libkernels_a_LIBADD = kernels/libbase_a-cpu_isa.$(OBJEXT) \
	kernels/libbase_a-stream_isa.$(OBJEXT) \
	kernels/libbase_a-thomas_isa.$(OBJEXT) \
	kernels/libbase_a-lockstep_isa.$(OBJEXT) \
	kernels/libbase_a-bundles_isa.$(OBJEXT)
if HAVE_V3
EXTRA_LIBRARIES += kernels/libv3.a
kernels_libv3_a_SOURCES = $(kernels_isa)
kernels_libv3_a_CFLAGS = $(kernel_cflags) -DBOSC_ISA=v3 -march=x86-64-v3
kernels_libkernels_a_LIBADD += kernels/libv3_a-cpu_isa.$(OBJEXT) \
	kernels/libv3_a-stream_isa.$(OBJEXT) \
	kernels/libv3_a-thomas_isa.$(OBJEXT) \
	kernels/libv3_a-lockstep_isa.$(OBJEXT) \
	kernels/libv3_a-bundles_isa.$(OBJEXT)
endif
if HAVE_V4
EXTRA_LIBRARIES += kernels/libv4.a
kernels_libv4_a_SOURCES = $(kernels_isa)
kernels_libv4_a_CFLAGS = $(kernel_cflags) -DBOSC_ISA=v4 -march=x86-64-v4
kernels_libkernels_a_LIBADD += kernels/libv4_a-cpu_isa.$(OBJEXT) \
	kernels/libv4_a-stream_isa.$(OBJEXT) \
	kernels/libv4_a-thomas_isa.$(OBJEXT) \
	kernels/libv4_a-lockstep_isa.$(OBJEXT) \
	kernels/libv4_a-bundles_isa.$(OBJEXT)
endif
EXTRA_DIST += kernels/README.md kernels/RESULTS.md

# Tridiagonal systems; sections, levels, and bundles of neurons.
kernels_libkernels_a_SOURCES += \
	kernels/thomas.c kernels/thomas.h \
	kernels/runs.c kernels/runs.h \
	kernels/pattern.c kernels/pattern.h \
	kernels/bundles.c kernels/bundles.h kernels/bundle_walk.h \
	kernels/ladder.c kernels/ladder.h kernels/ladder_walk.h \
	kernels/solver_ladder.c kernels/solver_bundles.c

# What needs CUDA.  The plans, and what each thread of a kernel does, are above:
# they are tested without a GPU.
cuda_bodies = kernels/cuda_copy.h kernels/cuda_hines.h kernels/cuda_stream.h \
	kernels/cuda_team.h
cuda_headers = kernels/cuda.h kernels/cuda_hines_launch.h \
	kernels/cuda_stream_launch.h kernels/cuda_team_launch.h \
	kernels/solver_cuda.h
kernels_libkernels_a_SOURCES += $(cuda_bodies)
if HAVE_CUDA
kernels_libkernels_a_SOURCES += $(cuda_headers) \
	kernels/cuda.cu kernels/cuda_hines.cu kernels/cuda_stream.cu \
	kernels/cuda_team.cu kernels/solver_cusparse.cu \
	kernels/solver_cuda.c kernels/solver_cuda_hines.c \
	kernels/solver_cuda_stream.c kernels/solver_cuda_team.c
endif
if HAVE_CUDA
kernels_libkernels_a_SOURCES += kernels/cuda_bundles_launch.h \
	kernels/cuda_bundles.cu kernels/solver_cuda_bundles.c \
	kernels/cuda_ladder_launch.h \
	kernels/cuda_ladder.cu kernels/solver_cuda_ladder.c \
	kernels/thomas_cuda.cu
else
kernels_libkernels_a_SOURCES += kernels/thomas_no_cuda.c
endif
# The list of GPUs.
kernels_libkernels_a_SOURCES += kernels/gpus.h
if HAVE_CUDA
kernels_libkernels_a_SOURCES += kernels/gpus.cu
else
kernels_libkernels_a_SOURCES += kernels/no_gpus.c
endif
kernels/gpus.$(OBJEXT): kernels/gpus.h src/mem.h src/status.h
kernels/cuda_ladder.$(OBJEXT): $(cuda_headers) \
	kernels/cuda_ladder_launch.h kernels/ladder.h kernels/ladder_walk.h
kernels/cuda_ladder.$(OBJEXT) kernels/thomas_cuda.$(OBJEXT): kernels/thomas.h kernels/thomas_isa.h \
	kernels/thomas_walk.h kernels/hines.h kernels/cuda.h
kernels/cuda_bundles.$(OBJEXT): $(cuda_headers) \
	kernels/cuda_bundles_launch.h kernels/bundle_walk.h kernels/bundles.h \
	kernels/pattern.h kernels/runs.h kernels/hines.h kernels/solvers.h
kernels/cuda.$(OBJEXT) kernels/cuda_hines.$(OBJEXT) \
kernels/cuda_stream.$(OBJEXT) kernels/cuda_team.$(OBJEXT) \
kernels/solver_cusparse.$(OBJEXT): \
	$(cuda_bodies) $(cuda_headers) kernels/cuda_lanes.h \
	kernels/cuda_stream_plan.h kernels/cuda_team_plan.h kernels/formula.h \
	kernels/hines.h kernels/layout.h kernels/solver.h kernels/solvers.h \
	src/mem.h src/status.h
# Sparse matrices times vectors, for couplings.
if HAVE_CUDA
kernels_libkernels_a_SOURCES += kernels/vendor.h \
	kernels/spmv_cuda.cu kernels/spmv_cuda.h kernels/spmv_cusparse.cu
endif
kernels/solver_cusparse.$(OBJEXT): kernels/vendor.h
kernels/spmv_cuda.$(OBJEXT) kernels/spmv_cusparse.$(OBJEXT): \
	kernels/spmv.h kernels/spmv_cuda.h kernels/spmv_device.h \
	kernels/spmv_row.h kernels/spmv_vector.h kernels/cuda.h \
	kernels/formula.h kernels/vendor.h src/mem.h src/status.h
SUFFIXES = .cu
AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@;
am__v_NVCC_1 =
.cu.$(OBJEXT):
	@$(MKDIR_P) $(@D)
	$(AM_V_NVCC)$(NVCC) $(BOSC_NVCCFLAGS) $(CUDA_TARGETS) $(NVCCFLAGS) \
		-I$(top_srcdir) -I$(top_builddir) -c $< -o $@
