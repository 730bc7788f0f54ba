/* table_nwb.h - a time series of an NWB file (Neurodata Without Borders, an
 * HDF5 file) as a table of times and numbers.  Internal to src/io.
 *
 * A series is a group with a variable 'data', whose attributes 'conversion' (1)
 * and 'offset' (0) make its numbers those of the attribute 'unit', amperes or
 * volts, and either 'starting_time' with the attribute 'rate' (Hz) or
 * 'timestamps' (s): NWB schema 1 and 2, TimeSeries.
 */
#ifndef BOSC_SRC_IO_TABLE_NWB_H
#define BOSC_SRC_IO_TABLE_NWB_H

#include "src/io/result_input.h"

/* Read the series that a column names by its path from the root of the file:
 * rows[n][2], the caller's to free, of the time since its first number (ms) and
 * the number, *unit: nA or mV.  BOSC_EFORMAT, BOSC_EVALUE, BOSC_ENOMEM. */
bosc_status bosc_nwb_read(const bosc_input *in, const bosc_table_column *column,
                          size_t *n, double **rows, const char **unit,
                          bosc_error *err);

#endif
