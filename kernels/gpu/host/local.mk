# gpu/host: the backend of a GPU, and the time step of its cell blocks.
kernels_headers += \
	%D%/cuda_builtin.h %D%/cuda_cells_builtin.h %D%/cuda_chip.h \
	%D%/cuda_cells.h %D%/cuda_drive.h %D%/cuda_engine.h \
	%D%/cuda_mech.h %D%/cuda_step.h
if HAVE_CUDA
kernels_libkernels_a_SOURCES += \
	%D%/cuda.c %D%/cuda_batch.c %D%/cuda_blocks.c %D%/cuda_chip_batch.c \
	%D%/cuda_events.c %D%/cuda_job.c %D%/cuda_links.c %D%/cuda_memory.c \
	%D%/cuda_ranges.c %D%/cuda_readings.c %D%/cuda_self.c %D%/cuda_store.c
kernels_cuda += \
	%D%/cuda_cells.cu %D%/cuda_drive.cu
endif

# Made of built-in mechanisms, as kernels/mech/builtin.h, and after that: one
# after another, so that the translator is built once.
builtin_headers += $(srcdir)/%D%/cuda_builtin.h \
	$(srcdir)/%D%/cuda_cells_builtin.h
$(srcdir)/%D%/cuda_builtin.h: $(srcdir)/kernels/mech/builtin.h
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) src/nmodl/print$(EXEEXT)
	@what=cuda; $(print_builtin)
$(srcdir)/%D%/cuda_cells_builtin.h: $(srcdir)/%D%/cuda_builtin.h
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) src/nmodl/print$(EXEEXT)
	@what=cells; $(print_builtin)
