# network: rules, synapse sites, connections, event sources, couplings.
libbosc_a_SOURCES += \
	%D%/connection_table.c %D%/connection_table.h %D%/coupling.c \
	%D%/coupling.h %D%/coupling_build.h %D%/coupling_check.c \
	%D%/coupling_matrix.c %D%/coupling_pairs.c %D%/coupling_size.c \
	%D%/coupling_size.h %D%/edges/edge_list.c %D%/edges/edge_list.h \
	%D%/edges/edge_params.c %D%/edges/edge_places.c %D%/edges/network_rows.c %D%/edges/network_rows.h \
	%D%/edges/shared_rows.c %D%/edges/shared_rows.h %D%/events.c %D%/events.h %D%/expected.c %D%/expected.h %D%/mirrors.c %D%/network.h \
	%D%/network_build.h %D%/network_create.c %D%/network_load.c \
	%D%/network_load.h %D%/rule.c %D%/rule.h %D%/source.c %D%/source.h \
	%D%/synapse_sites.c
