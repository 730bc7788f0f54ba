/* fields.h - a line of a table as text, and its fields.
 *
 * Serial code: no MPI.  What follows a '#' does not count.  Fields are apart by
 * commas, by semicolons, or by blanks and tabs: one tab, and any blanks around
 * it, so that a column left empty between two of them is seen.
 */
#ifndef BOSC_SRC_TABLE_FIELDS_H
#define BOSC_SRC_TABLE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/text/lines.h"

/* Part of a line, which it does not outlive. */
typedef struct bosc_field {
    const char *begin, *end;
} bosc_field;

/* The line without comment and outer blanks; leading tabs stay, they are empty
 * columns.  Empty where nothing counts. */
bosc_field bosc_fields_line(const bosc_lines *lines);

/* What separates the fields of such a line: ',', ';' or, for blanks and tabs,
 * ' '. */
char bosc_fields_separator(bosc_field line);

/* "commas", "semicolons", "tabs or blanks". */
const char *bosc_fields_separator_name(char separator);

/* Split a line into fields, without their outer blanks and double quotes: their
 * number, of which the first 'most' are in fields[]. */
int bosc_fields_split(bosc_field line, char separator, int most,
                      bosc_field *fields);

/* A copy of a line of names, in 'room' as long as it, without the blanks before
 * and in the brackets of units, which separate nothing: "g (S / cm2)" becomes
 * "g(S/cm2)". */
bosc_field bosc_fields_join_units(bosc_field line, char *room);

/* Where the unit of a name begins, or its end. */
const char *bosc_fields_unit(bosc_field name);

/* The unit of a name, without its bracket, into text[size], "" where it has
 * none.  False where the bracket is not closed or it does not fit. */
bool bosc_fields_take_unit(bosc_field name, size_t size, char *text);

/* The field as a message can show it, shortened. */
enum { BOSC_FIELD_SHOWN = 40 };
const char *bosc_field_show(bosc_field field, char text[BOSC_FIELD_SHOWN + 1]);

#endif
