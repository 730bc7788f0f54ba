/* checksum.h - 64 bits that tell whether bytes are the same.
 *
 * Serial code: no MPI.  Against accidents, not against forgers: every byte and
 * its place count.  The same on every machine of one byte order.
 */
#ifndef BOSC_SRC_BASE_CHECKSUM_H
#define BOSC_SRC_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/status.h"

/* What a checksum begins with. */
#define BOSC_CHECKSUM_BEGIN UINT64_C(0x9e3779b97f4a7c15)

/* The checksum of what 'sum' is of, and n bytes after it.  In pieces as at
 * once, where all but the last are multiples of eight. */
uint64_t bosc_checksum(uint64_t sum, const void *bytes, size_t n);

/* A sum over n_rows x n_columns words of eight bytes from (row, column) on, of
 * a larger table.  Sums of blocks add up, in any order, to that of the table,
 * however it is cut.  Each word counts with its place, and no single word can
 * change without changing the sum. */
uint64_t bosc_checksum_block(const void *words, uint64_t row, uint64_t column,
                             size_t n_rows, size_t n_columns);

/* Open a regular file to be read; BOSC_ENOINPUT with the system's reason. */
bosc_status bosc_open_regular(const char *path, FILE **out, bosc_error *err);

/* Of the first 'most' bytes of a regular file, or of all where it has fewer;
 * BOSC_ENOINPUT with the system's reason. */
bosc_status bosc_checksum_file(const char *path, uint64_t most, uint64_t *sum,
                               bosc_error *err);

#endif
