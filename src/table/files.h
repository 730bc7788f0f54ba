/* files.h - what reads NetCDF files for a simulation, which knows no netCDF
 * library itself: src/io/netcdf_files.h has it for programs that do.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_TABLE_FILES_H
#define BOSC_SRC_TABLE_FILES_H

#include "src/table/rank_table.h"
#include "src/table/table_form.h"

struct bosc_files {
    const bosc_table_form *table;

    /* Is it a NetCDF file?  Then *rows is the length of the first variable that
     * has one of the names "a|b", -1 where there is none. */
    bool (*rows)(const char *path, const char *names, double *rows);

    /* The rank table of a finished result.  'where' is how the message begins
     * where the file cannot be opened.  BOSC_ENOINPUT, BOSC_EFORMAT for a file
     * that has none of it, BOSC_ENOMEM. */
    bosc_status (*ranks)(const char *path, const char *where,
                         bosc_result_ranks **out, bosc_error *err);
};

#endif
