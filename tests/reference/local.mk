# reference: NEURON's results for small models, and a program that compares.
check_PROGRAMS += tests/reference-check
tests_reference_check_SOURCES = \
	%D%/reference_check.c %D%/reference_model.c %D%/reference_model.h \
	%D%/reference_net.c %D%/reference_net.h %D%/reference_swc.c \
	%D%/reference_swc.h
EXTRA_DIST += \
	%D%/README.md %D%/c1_passive_single/detectors.tsv \
	%D%/c1_passive_single/events.tsv %D%/c1_passive_single/final.tsv \
	%D%/c1_passive_single/matrix0.tsv %D%/c1_passive_single/model.json \
	%D%/c1_passive_single/netcons.tsv %D%/c1_passive_single/nodes.tsv \
	%D%/c1_passive_single/params.txt %D%/c1_passive_single/points.tsv \
	%D%/c1_passive_single/spikes.tsv %D%/c1_passive_single/traces.tsv \
	%D%/c5_ballstick/detectors.tsv %D%/c5_ballstick/events.tsv \
	%D%/c5_ballstick/final.tsv %D%/c5_ballstick/matrix0.tsv \
	%D%/c5_ballstick/model.json %D%/c5_ballstick/netcons.tsv \
	%D%/c5_ballstick/nodes.tsv %D%/c5_ballstick/params.txt \
	%D%/c5_ballstick/points.tsv %D%/c5_ballstick/spikes.tsv \
	%D%/c5_ballstick/traces.tsv %D%/c5_ballstick_cn/detectors.tsv \
	%D%/c5_ballstick_cn/events.tsv %D%/c5_ballstick_cn/final.tsv \
	%D%/c5_ballstick_cn/matrix0.tsv %D%/c5_ballstick_cn/model.json \
	%D%/c5_ballstick_cn/netcons.tsv %D%/c5_ballstick_cn/nodes.tsv \
	%D%/c5_ballstick_cn/params.txt %D%/c5_ballstick_cn/points.tsv \
	%D%/c5_ballstick_cn/spikes.tsv %D%/c5_ballstick_cn/traces.tsv \
	%D%/c6a_swc100/detectors.tsv %D%/c6a_swc100/events.tsv \
	%D%/c6a_swc100/final.tsv %D%/c6a_swc100/matrix0.tsv \
	%D%/c6a_swc100/model.json %D%/c6a_swc100/netcons.tsv \
	%D%/c6a_swc100/nodes.tsv %D%/c6a_swc100/params.txt \
	%D%/c6a_swc100/points.tsv %D%/c6a_swc100/spikes.tsv \
	%D%/c6a_swc100/traces.tsv %D%/swc/syn100.swc
