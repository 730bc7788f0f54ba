/* csv.h - lists of words with commas between, as options take them.
 *
 * Serial code.
 */
#ifndef BOSC_BENCH_SOLVE_CSV_H
#define BOSC_BENCH_SOLVE_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* Copy word number k of the list (NULL: an empty one), cut to 'size'; false
 * past the last.  "a,,b" has three words. */
bool bosc_csv_at(const char *list, int k, char *word, size_t size);

/* True if the list has the word; case does not count. */
bool bosc_csv_has(const char *list, const char *word);

#endif
