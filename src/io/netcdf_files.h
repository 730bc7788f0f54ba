/* netcdf_files.h - NetCDF files for simulations (src/table/files.h). */
#ifndef BOSC_SRC_IO_NETCDF_FILES_H
#define BOSC_SRC_IO_NETCDF_FILES_H

#include "src/table/files.h"

extern const bosc_files bosc_netcdf_files;

#endif
