# unit/formula: values of formulas, and what is refused.
tests_unit_formula = %D%/refused.t %D%/values.t
check_PROGRAMS += $(tests_unit_formula)
TESTS += $(tests_unit_formula)
