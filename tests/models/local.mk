# models: published cells, from their files to a job.
tests_models = %D%/edits.t %D%/export.t %D%/import.t
dist_check_SCRIPTS += $(tests_models)
TESTS += $(tests_models)
