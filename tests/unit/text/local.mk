# unit/text: one module each, no MPI.
tests_unit_text = \
	%D%/lines.t %D%/number.t %D%/options.t %D%/rename.t %D%/wrap.t
check_PROGRAMS += $(tests_unit_text)
TESTS += $(tests_unit_text)
