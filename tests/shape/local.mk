# shape: the repository: layers, style, set-up.
tests_shape = \
	%D%/keys.t %D%/layers.t %D%/manual.t %D%/quickstart.t %D%/readme.t \
	%D%/style.t
dist_check_SCRIPTS += $(tests_shape)
TESTS += $(tests_shape)
