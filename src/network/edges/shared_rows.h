/* shared_rows.h - the rows of a table, read by rank 0 and sent to all.
 */
#ifndef BOSC_SRC_NETWORK_EDGES_SHARED_ROWS_H
#define BOSC_SRC_NETWORK_EDGES_SHARED_ROWS_H

#include <stdbool.h>

#include "src/comm/comm.h"
#include "src/job/job.h"
#include "src/table/table.h"

/* What is to be done before the first row, and with each, on every rank. */
typedef bosc_status bosc_rows_begin(void *what, const bool *has, bool has_lines,
                                    bosc_error *err);
typedef bosc_status bosc_rows_take(void *what, const double *row,
                                   bosc_error *err);

/* One file.  has[n_columns]: which columns it has; others are their standard in
 * all rows. */
typedef struct bosc_shared_rows {
    const bosc_job *job;
    const char *path, *where;
    int n_columns;
    const bosc_table_column *columns;
    bosc_rows_begin *begin; /* NULL: nothing */
    bosc_rows_take *take;
    void *what;
} bosc_shared_rows;

/* Collective: columns that the file has not are not sent. */
bosc_status bosc_shared_rows_read(const bosc_comm *comm,
                                  const bosc_shared_rows *rows,
                                  bosc_error *err);

#endif
