/* netcdf.c - libbosc-netcdf, all of it. */
#include "include/bosc_netcdf.h"

#include "src/io/netcdf_files.h"

const bosc_files *bosc_netcdf(void)
{
    return &bosc_netcdf_files;
}
