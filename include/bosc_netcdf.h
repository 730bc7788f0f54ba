/* bosc_netcdf.h - tables in NetCDF files for simulations: libbosc-netcdf.
 *
 *     bosc_set_files(sim, bosc_netcdf());
 *
 *     cc client.c $(pkg-config --cflags --libs bosc) -lbosc-netcdf
 */
#ifndef BOSC_INCLUDE_BOSC_NETCDF_H
#define BOSC_INCLUDE_BOSC_NETCDF_H

#include <bosc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Constant; the library's. */
const bosc_files *bosc_netcdf(void);

#ifdef __cplusplus
}
#endif

#endif
