# python: the package in python/.
dist_check_SCRIPTS += %D%/python.t
TESTS += %D%/python.t
