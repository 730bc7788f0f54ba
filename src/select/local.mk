# select: the choice of backend and method.
libbosc_a_SOURCES += \
	%D%/choose.c %D%/choose.h %D%/choose_format.c %D%/choose_format.h \
	%D%/device.c %D%/device.h \
	%D%/features.c %D%/features.h %D%/model.c %D%/model.h \
	%D%/resolve.c %D%/resolve.h %D%/rules.c %D%/rules.h

# Measurements of 'bosc-bench tune', and how good rules and models are on them: by the
# least of seven rounds; of several threads, and of a GPU's loops, by the median.
selection_data = \
	%D%/data/avx512-loops-1.tsv \
	%D%/data/avx512-products-1.tsv %D%/data/avx2-loops-1.tsv \
	%D%/data/avx2-products-1.tsv %D%/data/h200-products-1.tsv
selection_medians = \
	%D%/data/avx512-loops-2.tsv %D%/data/h200-loops-1.tsv
# What comes with bosc, learned from some of them.
dist_pkgdata_DATA += %D%/data/methods.model
EXTRA_DIST += $(selection_data) $(selection_medians) %D%/data/README.md \
	%D%/samples.png

.PHONY: bench-selection
bench-selection: tests/unit/select/recorded.t
	@BOSC_SRC=$(abs_top_srcdir) tests/unit/select/recorded.t | sed -n 's/^# //p'
	@cd $(srcdir) && \
	fit="$${BOSC_PYTHON:-python3} jobs/fit-selection --validate" && \
	$$fit --least $(selection_data) && $$fit $(selection_medians) && \
	$$fit --device 'any CPU, 8 lanes' %D%/data/avx512-loops-1.tsv \
	    %D%/data/avx512-loops-2.tsv
