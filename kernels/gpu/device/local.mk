# gpu/device: what runs on a GPU in the time loop: the step of groups that are
# streamed from its memory, that of cell blocks, and couplings.
kernels_headers += \
	%D%/cuda_builtin.h %D%/cuda_bundle.h %D%/cuda_cells_block.h %D%/cuda_cells_builtin.h \
	%D%/cuda_cells_frame.h %D%/cuda_cells_job.h %D%/cuda_cells_run.h \
	%D%/cuda_group.h %D%/cuda_group_builtin.h %D%/cuda_group_job.h \
	%D%/cuda_group_lane.h %D%/cuda_group_mech.h %D%/cuda_group_parts.h \
	%D%/cuda_group_ring.h %D%/cuda_group_rows.h %D%/cuda_group_sweep.h %D%/cuda_mech.h
if HAVE_CUDA
kernels_cuda += \
	%D%/cuda_cells.cu %D%/cuda_composed.cu %D%/cuda_drive.cu %D%/cuda_loop.cu
endif

# Made of built-in mechanisms, as kernels/mech/builtin.h.
builtin_headers += $(srcdir)/%D%/cuda_builtin.h \
	$(srcdir)/%D%/cuda_cells_builtin.h $(srcdir)/%D%/cuda_group_builtin.h
$(srcdir)/%D%/cuda_builtin.h: $(builtin_sources) | $(print)
	$(AM_V_GEN)what=cuda; $(print_builtin)
$(srcdir)/%D%/cuda_cells_builtin.h: $(builtin_sources) | $(print)
	$(AM_V_GEN)what=cells; $(print_builtin)
$(srcdir)/%D%/cuda_group_builtin.h: $(builtin_sources) | $(print)
	$(AM_V_GEN)what=groups; $(print_builtin)
