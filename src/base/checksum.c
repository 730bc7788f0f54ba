#include "src/base/checksum.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"

/* Odd, with bits everywhere (MurmurHash3's). */
static const uint64_t by = UINT64_C(0xff51afd7ed558ccd);

static uint64_t add(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * by;
    return sum ^ sum >> 32;
}

uint64_t bosc_checksum(uint64_t sum, const void *bytes, size_t n)
{
    const char *at = bytes;
    uint64_t word;

    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = add(sum, word);
    }
    if (n == 0)
        return sum;
    word = 0;
    memcpy(&word, at, n);
    return add(add(sum, word), n);
}

uint64_t bosc_checksum_block(const void *words, uint64_t row, uint64_t column,
                             size_t n_rows, size_t n_columns)
{
    /* odd, with bits everywhere (xxHash's and splitmix's) */
    const uint64_t by_row = UINT64_C(0x9e3779b185ebca87),
                   by_column = UINT64_C(0xc2b2ae3d27d4eb4f),
                   mix = UINT64_C(0xbf58476d1ce4e5b9);
    const char *at = words;
    uint64_t sum = 0;

    for (size_t i = 0; i < n_rows; ++i) {
        uint64_t place = (row + i + 1) * by_row + column * by_column;

        for (size_t j = 0; j < n_columns; ++j, at += sizeof(uint64_t)) {
            uint64_t word;

            memcpy(&word, at, sizeof word);
            word = (word ^ place) * by;
            word = (word ^ word >> 32) * mix;
            sum += word ^ word >> 29;
            place += by_column;
        }
    }
    return sum;
}

static bosc_status read_all(FILE *file, const char *path, uint64_t most,
                            uint64_t *sum, bosc_error *err)
{
    enum { PIECE = 1 << 20 };
    char *piece = bosc_alloc(PIECE, 1);
    size_t got = PIECE;

    if (piece == NULL)
        return bosc_no_memory(err, path);
    *sum = BOSC_CHECKSUM_BEGIN;
    while (got == PIECE && most > 0) {
        got = fread(piece, 1, most < PIECE ? (size_t)most : PIECE, file);
        *sum = bosc_checksum(*sum, piece, got);
        most -= got;
    }
    free(piece);
    return ferror(file) == 0
               ? BOSC_OK
               : bosc_fail(err, BOSC_ENOINPUT, "%s: cannot be read: %s", path,
                           strerror(errno));
}

bosc_status bosc_open_regular(const char *path, FILE **out, bosc_error *err)
{
    struct stat s;

    *out = NULL;
    errno = 0;
    if (stat(path, &s) == 0 && S_ISREG(s.st_mode) &&
        (*out = fopen(path, "rb")) != NULL)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOINPUT, "%s: %s", path,
                     errno != 0 ? strerror(errno) : "is no regular file");
}

bosc_status bosc_checksum_file(const char *path, uint64_t most, uint64_t *sum,
                               bosc_error *err)
{
    FILE *file;
    bosc_status st = bosc_open_regular(path, &file, err);

    if (st != BOSC_OK)
        return st;
    st = read_all(file, path, most, sum, err);
    fclose(file);
    return st;
}
