#include "kernels/step/cpu_chunks.h"

#include <stdlib.h>

#include "src/base/mem.h"

enum {
    PIECE = BOSC_CHUNK_PIECE,
    ENOUGH = 2 * PIECE /* slots of some order that are worth a chunk */
};

/* How many of n slots follow each other from the first on. */
static int32_t run_of(const int32_t *at, int32_t n)
{
    int32_t run = 1;

    while (run < n && at[run] == at[0] + run)
        ++run;
    return run;
}

/* How many of n slots are in pieces from the first on, without a rest. */
static int32_t pieces_of(const int32_t *at, int32_t n)
{
    int32_t i = 0;

    while (i + PIECE <= n && run_of(at + i, PIECE) == PIECE)
        i += PIECE;
    return i;
}

/* The chunk that begins at instance i, of those before 'end'.  All but the last
 * have whole pieces: what is left of a vector takes as long as a vector. */
static bosc_cpu_chunk chunk_at(const int32_t *all, ptrdiff_t i, ptrdiff_t end)
{
    const int32_t *at = all + i;
    const int32_t n =
        (int32_t)(end - i < BOSC_MECH_CHUNK ? end - i : BOSC_MECH_CHUNK);
    const int32_t run = run_of(at, n), pieces = pieces_of(at, n);

    if (run == n)
        return (bosc_cpu_chunk){i, n, BOSC_SLOTS_RUN};
    if (n - pieces < PIECE)
        return (bosc_cpu_chunk){i, n, BOSC_SLOTS_PIECES};
    if (run >= ENOUGH)
        return (bosc_cpu_chunk){i, run - run % PIECE, BOSC_SLOTS_RUN};
    return (bosc_cpu_chunk){i, n, BOSC_SLOTS_ANY};
}

bool bosc_cpu_chunks_create(const bosc_mech_block *block, int32_t n_groups,
                            bosc_cpu_chunks *chunks)
{
    ptrdiff_t n = 0;

    *chunks = (bosc_cpu_chunks){0};
    chunks->first = bosc_alloc((size_t)n_groups + 1, sizeof *chunks->first);
    if (chunks->first == NULL)
        return false;
    for (int pass = 0; pass < 2; ++pass) {
        n = 0;
        for (int32_t g = 0; g < n_groups; ++g) {
            const ptrdiff_t end = block->first[g + 1];

            chunks->first[g] = n;
            for (ptrdiff_t i = block->first[g]; i < end; ++n) {
                const bosc_cpu_chunk chunk = chunk_at(block->at, i, end);

                if (pass == 1)
                    chunks->all[n] = chunk;
                i += chunk.n;
            }
        }
        chunks->first[n_groups] = n;
        if (pass == 0)
            chunks->all = bosc_alloc((size_t)n, sizeof *chunks->all);
        if (chunks->all == NULL)
            return false;
    }
    return true;
}

void bosc_cpu_chunks_clear(bosc_cpu_chunks *chunks)
{
    free(chunks->first);
    free(chunks->all);
    *chunks = (bosc_cpu_chunks){0};
}
