# io: the result file, tables in NetCDF files; the only netcdf.h.
libbosc_a_SOURCES += \
	%D%/disk_space.c %D%/result.h %D%/result_base.c %D%/result_define.c %D%/result_file.c \
	%D%/result_file.h %D%/result_input.c %D%/result_input.h \
	%D%/result_look.c %D%/result_parallel.c %D%/result_parallel.h \
	%D%/result_path.c %D%/result_ranks.c \
	%D%/result_ranks_read.c %D%/result_schema.c \
	%D%/result_shared.c %D%/result_shared.h %D%/result_table.c \
	%D%/result_table.h \
	%D%/netcdf_files.h %D%/table_netcdf.c %D%/table_nwb.c \
	%D%/table_nwb.h %D%/network/result_network.c %D%/network/result_network.h \
	%D%/network/table_sonata.c %D%/network/table_sonata.h %D%/writer.c %D%/writer.h
