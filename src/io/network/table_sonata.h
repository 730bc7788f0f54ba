/* table_sonata.h - the edges of a SONATA file, as tables read them.
 *
 * Serial code: no MPI.  A population of edges is a group /edges/NAME with
 * source_node_id and target_node_id, and attributes of the edges in its group
 * "0", or in "dynamics_params" below that.  Files with several groups of edges,
 * whose edges have different attributes, are refused.
 */
#ifndef BOSC_SRC_IO_NETWORK_TABLE_SONATA_H
#define BOSC_SRC_IO_NETWORK_TABLE_SONATA_H

#include "src/io/result_input.h"
#include "src/table/table_form.h"

enum { BOSC_SONATA_GROUPS = 3 };

/* Groups of a file in which columns are looked for; of a file that is not of
 * SONATA one, its root. */
typedef struct bosc_sonata {
    bool is; /* it is */
    int n;
    bosc_input group[BOSC_SONATA_GROUPS]; /* [n] with paths of their own */
} bosc_sonata;

/* 'in' is the open file.  Of several populations of edges that one is taken
 * whose name a column of words "projection" of the table means; 'table' NULL:
 * the only one.  To be cleared whatever is returned.  BOSC_EFORMAT or
 * BOSC_ENOMEM. */
bosc_status bosc_sonata_open(const bosc_input *in, const bosc_table *table,
                             bosc_sonata *out, bosc_error *err);
void bosc_sonata_clear(bosc_sonata *sonata);

/* The unit of a column that is found under this name, where SONATA says it: of
 * 'conductance', which is in nS, where 'syn_weight' is in uS; "": ours. */
const char *bosc_sonata_unit(const bosc_sonata *sonata, const char *name);

/* What else an attribute of the edges is called that no column is of: one that
 * tells where an edge runs needs none.  'found' is asked about each: is
 * variable 'id' of group g one of a column?  BOSC_EFORMAT for another one,
 * which would change results. */
typedef bool bosc_sonata_found(const void *what, const bosc_input *group,
                               int id);
bosc_status bosc_sonata_unknown(const bosc_sonata *sonata,
                                bosc_sonata_found *found, const void *what,
                                bosc_error *err);

/* Are edges first..first + n - 1 those of group "0" in the same order? */
bosc_status bosc_sonata_check(const bosc_sonata *sonata, size_t first, size_t n,
                              bosc_error *err);

#endif
