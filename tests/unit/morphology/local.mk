# unit/morphology: one module each, no MPI.
tests_unit_morphology = \
	%D%/cable.t %D%/cable_files.t %D%/import3d.t %D%/path_distance.t \
	%D%/points.t %D%/section.t %D%/swc.t %D%/swc_files.t %D%/swc_kind.t %D%/synthetic.t \
	%D%/where.t
check_PROGRAMS += $(tests_unit_morphology)
TESTS += $(tests_unit_morphology)
EXTRA_DIST += \
	%D%/bad-morphologies.tsv
