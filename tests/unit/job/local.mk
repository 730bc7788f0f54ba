# unit/job: one module each, no MPI.
tests_unit_job = \
	%D%/job.t %D%/job_coupling.t %D%/job_network.t %D%/job_refused.t \
	%D%/job_values.t %D%/job_where.t %D%/variable.t %D%/yaml.t
check_PROGRAMS += $(tests_unit_job)
TESTS += $(tests_unit_job)
