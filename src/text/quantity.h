/* quantity.h - the units that people write behind numbers.
 *
 * Serial code.  Blanks, dots, '^' and '*' do not count, and Greek letters are
 * as good as 'u' and 'ohm': "S / cm^2" is "S/cm2".
 */
#ifndef BOSC_SRC_TEXT_QUANTITY_H
#define BOSC_SRC_TEXT_QUANTITY_H

#include <stdbool.h>

/* True if both texts name one unit. */
bool bosc_quantity_same(const char *a, const char *b);

/* Convert *value from unit 'from' to 'to', one of those that the keys of a job
 * have.  False, with *value as it was, where bosc does not know how. */
bool bosc_quantity_convert(double *value, const char *from, const char *to);

/* The same for many values: *value * factor[0] / factor[1] is what it becomes.
 * True also where both are one unit. */
bool bosc_quantity_factor(const char *from, const char *to, double factor[2]);

#endif
