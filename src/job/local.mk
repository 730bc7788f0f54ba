# job: the YAML file -> one checked struct; the only yaml.h.
libbosc_a_SOURCES += \
	%D%/job.c %D%/job.h %D%/job_check.c %D%/grammar/job_draw.c %D%/grammar/job_edit.c \
	%D%/job_help.c %D%/job_keys.c %D%/job_keys.h %D%/job_load.c %D%/grammar/job_location.c \
	%D%/job_mech.c %D%/job_network.c %D%/job_network_check.c \
	%D%/job_note.c %D%/job_parse.c %D%/job_population.c \
	%D%/grammar/job_model.c %D%/grammar/job_outside.c %D%/grammar/job_place.c \
	%D%/grammar/job_places.c %D%/grammar/job_probe.c %D%/grammar/job_params.c %D%/grammar/job_pointer.c %D%/grammar/link_keys.h \
	%D%/grammar/job_where.c %D%/grammar/job_where.h %D%/grammar/record_keys.h %D%/job_types.c %D%/job_unknown.c %D%/job_value.c %D%/job_values.c \
	%D%/grammar/members.h %D%/membrane.h %D%/region/membrane.c %D%/region/region_ions.c \
	%D%/region.h %D%/region/region_read.c %D%/region/region_spec.c %D%/region/region_values.c %D%/region/regions.c %D%/region/regions.h \
	%D%/region/varying.c %D%/region/varying_parts.h %D%/region/varying_read.c \
	%D%/region/varying_read.h %D%/varying.h \
	%D%/key_group.c %D%/key_group.h %D%/key_table.c %D%/variable.c \
	%D%/variable.h %D%/yaml/yaml_assign.c %D%/yaml/yaml_error.c \
	%D%/yaml/yaml_error.h %D%/yaml/yaml_parse.c %D%/yaml/yaml_tree.c \
	%D%/yaml/yaml_tree.h
