# models: published cells, from their files to a job; regions and their values.
tests_models = %D%/edges.t %D%/edits.t %D%/export.t %D%/field.t %D%/import.t %D%/model.t %D%/network.t \
	%D%/pictures.t %D%/places.t %D%/recordings.t %D%/regions.t %D%/stimuli.t
dist_check_SCRIPTS += $(tests_models)
TESTS += $(tests_models)
EXTRA_DIST += %D%/compare-field.py %D%/compare-published.py \
	%D%/published/cells.py \
	%D%/published/numeric-cc %D%/published/hay.yaml \
	%D%/published/migliore.yaml
