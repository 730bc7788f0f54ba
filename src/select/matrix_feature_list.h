/* matrix_feature_list.h - all that is said of a sparse matrix, a row for each
 * feature.
 *
 * Included by features.h and features.c for each use, which defines
 * BOSC_FEATURE(name, what it is).
 */
/* clang-format off */
BOSC_FEATURE(rows, "rows")
BOSC_FEATURE(columns, "columns")
BOSC_FEATURE(entries, "entries")
BOSC_FEATURE(mean_row, "entries of a row, mean")
BOSC_FEATURE(longest, "entries of the longest row over the mean")
BOSC_FEATURE(density, "share of places that have an entry")
BOSC_FEATURE(threads, "threads of the rank")
BOSC_FEATURE(cache, "bytes as csr over those of the threads' caches")
/* clang-format on */
