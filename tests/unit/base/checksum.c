/* Sums of blocks of a table. */
#include "src/base/checksum.h"

#include <string.h>

#include "tests/lib/tap.h"

enum { ROWS = 37, COLUMNS = 11 };

static uint64_t table[ROWS][COLUMNS];

static uint64_t whole(void)
{
    return bosc_checksum_block(table, 0, 0, ROWS, COLUMNS);
}

/* Of blocks of so many rows and columns, the last ones first. */
static uint64_t in_blocks(size_t rows, size_t columns)
{
    uint64_t block[ROWS * COLUMNS], sum = 0;

    for (size_t row = (ROWS - 1) / rows * rows + rows; row > 0;) {
        row -= rows;
        for (size_t at = 0; at < COLUMNS; at += columns) {
            const size_t n = ROWS - row < rows ? ROWS - row : rows;
            const size_t m = COLUMNS - at < columns ? COLUMNS - at : columns;

            for (size_t i = 0; i < n; ++i)
                memcpy(block + i * m, &table[row + i][at], m * sizeof *block);
            sum += bosc_checksum_block(block, row, at, n, m);
        }
    }
    return sum;
}

/* Each bit of each word, one at a time. */
static bool sees_every_bit(void)
{
    const uint64_t sum = whole();
    bool all = true;

    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            for (int bit = 0; bit < 64; ++bit) {
                table[i][j] ^= UINT64_C(1) << bit;
                all = all && whole() != sum;
                table[i][j] ^= UINT64_C(1) << bit;
            }
    return all;
}

/* Each word changes places with the next one. */
static bool sees_places(void)
{
    const uint64_t sum = whole();
    uint64_t *word = &table[0][0];
    bool all = true;

    for (int i = 0; i + 1 < ROWS * COLUMNS; ++i) {
        const uint64_t one = word[i];

        word[i] = word[i + 1];
        word[i + 1] = one;
        all = all && whole() != sum;
        word[i + 1] = word[i];
        word[i] = one;
    }
    return all;
}

int main(void)
{
    for (int i = 0; i < ROWS * COLUMNS; ++i) { /* -65 mV, and slowly more */
        const double v = -65 + 1e-3 * i * i;

        memcpy(&table[0][0] + i, &v, sizeof v);
    }
    ok(in_blocks(1, COLUMNS) == whole() && in_blocks(5, 3) == whole() &&
           in_blocks(ROWS, 1) == whole(),
       "blocks of any size add up to the sum of the table");
    ok(bosc_checksum_block(table, 0, 0, 0, COLUMNS) == 0,
       "no rows add nothing");
    ok(sees_every_bit(), "no bit can change without changing the sum");
    ok(sees_places(), "no word can be in another's place");
    memset(table, 0, sizeof table);

    const uint64_t zeros = whole();

    ok(zeros != 0 &&
           bosc_checksum_block(table, 0, 0, ROWS - 1, COLUMNS) != zeros,
       "zeros count, too");
    return done_testing();
}
