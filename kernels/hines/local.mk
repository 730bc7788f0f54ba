# hines: the arithmetic of one row, and of one neuron.
kernels_headers += \
	%D%/hines.h %D%/hines_tree.h %D%/numbers.h %D%/order.h \
	%D%/pattern.h %D%/pivot.h %D%/pivot_real.h %D%/reciprocal.h \
	%D%/section_levels.h %D%/tree_walk.h
kernels_libkernels_a_SOURCES += \
	%D%/hines_tree.c %D%/pattern.c %D%/section_levels.c
