/* value_table.h - values of neurons, of sections and of compartments that a
 * file lists.
 *
 * Serial code: no MPI.  The first line names the columns: 'neuron', the number
 * of a neuron in its population from 0, or 'section', a section as NEURON calls
 * it ("dend[12]", "soma", "cell[0].apic[3]"; myelin has two names, "myelin[0]"
 * and that of region custom), or both, with 'x' beside
 * 'section' for the compartment of the section that x is in, from 0 to 1; then
 * columns of numbers, whose names may have a unit behind them.  Lines, fields
 * and comments are those of src/table/fields.h.
 *
 *     neuron  section  x    gIhbar (S/cm2)
 *     0       apic[3]  0.1  8.1e-5
 *     0       apic[3]  0.5  9.7e-5
 *
 * Rank 0 reads the text, bosc_text_load() for instance, and each rank parses
 * it: once, for all the columns that a job names of a file.
 */
#ifndef BOSC_SRC_MODEL_VALUE_TABLE_H
#define BOSC_SRC_MODEL_VALUE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/status.h"

/* Columns that a file may have. */
enum { BOSC_VALUE_COLUMNS = 1024 };

typedef struct bosc_value_table bosc_value_table;

/* Where a value is asked for.  What the table has no column for does not
 * count. */
typedef struct bosc_value_place {
    int64_t neuron; /* in its population, from 0 */
    int32_t region,
        number; /* of the section: bosc_region, the n of "dend[n]" */
    int32_t compartment, n_compartments; /* which of the section's, from 0; -1:
                                            the one in its middle */
    int32_t myelin; /* n + 1 of "myelin[n]", of region custom; 0: it is none */
} bosc_value_place;

/* Parse 'text', whose file messages call 'name', and keep columns[n_columns],
 * names without units.  Neither has to outlive the call.  On success *out is a
 * new table, freed by bosc_value_table_destroy(); else it is untouched, and the
 * message begins "name:line: ".  Two rows of one place are refused, as is a
 * value that is asked for and is no finite number.  BOSC_EFORMAT or
 * BOSC_ENOMEM. */
bosc_status bosc_value_table_parse(const char *text, const char *name,
                                   int n_columns, const char *const *columns,
                                   bosc_value_table **out, bosc_error *err);

/* The value of columns[column] at a place.  BOSC_EVALUE where no row is of that
 * place, which the message names, or where rows with several 'x' are in one
 * compartment.  Threads may share a table. */
bosc_status bosc_value_table_find(const bosc_value_table *table, int column,
                                  const bosc_value_place *place, double *value,
                                  bosc_error *err);

/* Does the table tell neurons apart?  Sections?  Compartments? */
typedef struct bosc_value_keys {
    bool neuron, section, x;
} bosc_value_keys;
bosc_value_keys bosc_value_table_keys(const bosc_value_table *table);

/* The unit in the column's header, "" where it has none; the caller converts
 * (src/text/quantity.h). */
const char *bosc_value_table_unit(const bosc_value_table *table, int column);

/* The section that a text from..end names: "dend[12]", "soma",
 * "cell[0].dend[12]"; "myelin[n]" is number -1 - n.  False: none. */
bool bosc_section_parse(const char *from, const char *end, int32_t *region,
                        int32_t *number);

/* NULL is allowed. */
void bosc_value_table_destroy(bosc_value_table *table);

#endif
