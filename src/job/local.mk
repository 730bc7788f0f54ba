# job: the YAML file -> one checked struct; the only yaml.h.
libbosc_a_SOURCES += \
	%D%/job.c %D%/job.h %D%/job_check.c %D%/grammar/job_draw.c %D%/grammar/job_edit.c \
	%D%/job_help.c %D%/job_keys.c %D%/job_keys.h %D%/job_load.c %D%/grammar/job_location.c \
	%D%/job_mech.c %D%/job_network.c %D%/job_network_check.c \
	%D%/job_note.c %D%/job_parse.c %D%/job_population.c %D%/job_region.c \
	%D%/grammar/job_pointer.c %D%/job_types.c %D%/job_unknown.c %D%/job_value.c %D%/job_values.c \
	%D%/key_group.c %D%/key_group.h %D%/key_table.c %D%/variable.c \
	%D%/variable.h %D%/yaml/yaml_assign.c %D%/yaml/yaml_error.c \
	%D%/yaml/yaml_error.h %D%/yaml/yaml_parse.c %D%/yaml/yaml_tree.c \
	%D%/yaml/yaml_tree.h
