# stream: the time step on a GPU of groups that are streamed from its memory.
kernels_headers += \
	%D%/cuda_group.h %D%/cuda_group_builtin.h %D%/cuda_group_job.h %D%/cuda_group_lane.h \
	%D%/cuda_group_mech.h %D%/cuda_group_ring.h %D%/cuda_group_rows.h \
	%D%/cuda_group_sweep.h
if HAVE_CUDA
kernels_cuda += %D%/cuda_loop.cu
endif

# Made of built-in mechanisms, as those of kernels/gpu/host.
builtin_headers += $(srcdir)/%D%/cuda_group_builtin.h
$(srcdir)/%D%/cuda_group_builtin.h: \
		$(srcdir)/kernels/gpu/host/cuda_cells_builtin.h
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) src/nmodl/print$(EXEEXT)
	@what=groups; $(print_builtin)
