#include "kernels/step/cpu_chunks.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

enum {
    PIECE = BOSC_CHUNK_PIECE,
    VECTOR = 8,          /* the most lanes of one */
    ENOUGH = 2 * VECTOR, /* slots of some order that are worth a chunk */
    SPAN = 512,          /* slots */
    FEW = 1024           /* instances of a span that has more slots */
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
 * have whole vectors: what is left of one takes as long as a vector. */
static bosc_cpu_chunk chunk_at(const int32_t *all, ptrdiff_t i, ptrdiff_t end)
{
    const int32_t *at = all + i;
    const int32_t n =
        (int32_t)(end - i < BOSC_MECH_CHUNK ? end - i : BOSC_MECH_CHUNK);
    const int32_t run = run_of(at, n), pieces = pieces_of(at, n);

    if (run == n)
        return (bosc_cpu_chunk){i, at, n, BOSC_SLOTS_RUN};
    if (n - pieces < PIECE)
        return (bosc_cpu_chunk){i, at, n, BOSC_SLOTS_PIECES};
    if (run >= ENOUGH)
        return (bosc_cpu_chunk){i, at, run - run % VECTOR, BOSC_SLOTS_RUN};
    return (bosc_cpu_chunk){i, at, n, BOSC_SLOTS_ANY};
}

/* Instances that a step computes of the groups g to h - 1. */
static ptrdiff_t instances_of(const bosc_batch *batch, int32_t g, int32_t h)
{
    ptrdiff_t n = 0;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->flows || block->mech->evolves)
            n += block->first[h] - block->first[g];
    }
    return n;
}

bool bosc_cpu_spans_create(const bosc_batch *batch, const bosc_tile *tiles,
                           int32_t n_tiles, int32_t **end)
{
    const bosc_layout *layout = &batch->layout;

    *end = bosc_alloc((size_t)layout->n_groups, sizeof **end);
    for (int32_t t = 0; *end != NULL && t < n_tiles; ++t) {
        const int32_t last = tiles[t].g + tiles[t].n;

        for (int32_t g = tiles[t].g, h; g < last; g = h) {
            for (h = g + 1;
                 h < last && (layout->first[h + 1] - layout->first[g] <= SPAN ||
                              instances_of(batch, g, h + 1) <= FEW);)
                ++h;
            for (int32_t k = g; k < h; ++k)
                (*end)[k] = h;
        }
    }
    return *end != NULL;
}

/* Slots minus the first of the span, where they are not those of the block. */
static bool place(const bosc_mech_block *block, const bosc_layout *layout,
                  const int32_t *end, bosc_cpu_chunks *chunks)
{
    bool several = false;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        several = several || end[g] > g + 1;
    if (!several)
        return true;
    chunks->at = bosc_alloc((size_t)block->n, sizeof *chunks->at);
    for (int32_t g = 0, from = 0; chunks->at != NULL && g < layout->n_groups;
         ++g) {
        const int32_t more = (int32_t)(layout->first[g] - layout->first[from]);

        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            chunks->at[i] = block->at[i] + more;
        if (end[g] == g + 1)
            from = g + 1;
    }
    return chunks->at != NULL;
}

/* Count the chunks, and keep them where there is room.  Where several instances
 * may assign to one number, through pointers, they go one after the other. */
static ptrdiff_t find_chunks(const bosc_mech_block *block,
                             const bosc_layout *layout, const int32_t *end,
                             const bosc_cpu_chunks *chunks)
{
    const int32_t *at = chunks->at != NULL ? chunks->at : block->at;
    const bool alone = bosc_mech_writes_pointers(block->mech);
    ptrdiff_t n = 0, i = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        chunks->first[g] = n; /* used of the first group of a span alone */
        while (i < block->first[end[g]]) {
            const bosc_cpu_chunk chunk =
                chunk_at(at, i, alone ? i + 1 : block->first[end[g]]);

            if (chunks->all != NULL)
                chunks->all[n] = chunk;
            i += chunk.n;
            ++n;
        }
    }
    chunks->first[layout->n_groups] = n;
    return n;
}

/* --- ions ----------------------------------------------------------------- */

/* Does a mechanism's block add to the current of an ion's? */
static bool adds_to(const bosc_mech_block *block, const bosc_mech_block *ion)
{
    const bosc_mech_ion_bits *bits = &block->mech->ion_bits;

    for (int j = 0; j < block->mech->n_ions; ++j)
        if (block->mech->ions[j].variable == BOSC_ION_CURRENT &&
            ((bits->currents | bits->advances) >> j & 1u) != 0 &&
            block->ion[j] == ion->state[BOSC_ION_CURRENT])
            return true;
    return false;
}

/* One range a group, from the first instance that adds to the last. */
static bool find_sums(const bosc_batch *batch, const bosc_mech_block *ion,
                      bosc_cpu_ranges *sums)
{
    const int32_t n = batch->layout.n_groups;

    sums->all = bosc_alloc((size_t)n, sizeof *sums->all);
    for (int32_t g = 0; sums->all != NULL && g < n; ++g)
        sums->first[g + 1] = g + 1;
    for (int32_t b = 0; sums->all != NULL && b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        for (int32_t g = 0; adds_to(block, ion) && g < n; ++g) {
            const ptrdiff_t first = batch->layout.first[g];
            bosc_cpu_range *sum = &sums->all[g];

            if (block->first[g] == block->first[g + 1])
                continue;

            const ptrdiff_t from = first + block->at[block->first[g]],
                            to = first + block->at[block->first[g + 1] - 1] + 1;
            const bool empty = sum->from == sum->to;

            sum->from = empty || from < sum->from ? from : sum->from;
            sum->to = empty || to > sum->to ? to : sum->to;
        }
    }
    return sums->all != NULL;
}

/* Count the runs of slots where the potential follows, and keep them where
 * there is room. */
static ptrdiff_t find_follows(const bosc_layout *layout, const uint8_t *style,
                              const bosc_cpu_ranges *follows)
{
    ptrdiff_t n = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        for (ptrdiff_t i = layout->first[g], from = i; i < layout->first[g + 1];
             from = ++i) {
            while (i < layout->first[g + 1] && style[i] == BOSC_ION_ALWAYS)
                ++i;
            if (i == from)
                continue;
            if (follows->all != NULL)
                follows->all[n] = (bosc_cpu_range){from, i};
            ++n;
        }
        follows->first[g + 1] = n;
    }
    return n;
}

static bool find_ranges(const bosc_batch *batch, const bosc_mech_block *ion,
                        bosc_cpu_chunks *chunks)
{
    const size_t n = (size_t)batch->layout.n_groups + 1;
    bosc_cpu_ranges *sums = &chunks->sums, *follows = &chunks->follows;

    sums->first = bosc_alloc(n, sizeof *sums->first);
    follows->first = bosc_alloc(n, sizeof *follows->first);
    if (sums->first == NULL || follows->first == NULL ||
        (ion->idle == 0 && !find_sums(batch, ion, sums)))
        return false;
    if (!ion->follows)
        return true;
    follows->all =
        bosc_alloc((size_t)find_follows(&batch->layout, ion->style, follows),
                   sizeof *follows->all);
    if (follows->all == NULL)
        return false;
    find_follows(&batch->layout, ion->style, follows);
    return true;
}

/* --- all ------------------------------------------------------------------ */

bool bosc_cpu_chunks_create(const bosc_batch *batch, int32_t b,
                            const int32_t *end, bosc_cpu_chunks *chunks)
{
    const bosc_mech_block *block = &batch->blocks[b];
    const bosc_layout *layout = &batch->layout;

    *chunks = (bosc_cpu_chunks){0};
    if (block->mech->kind == BOSC_MECH_ION)
        return find_ranges(batch, block, chunks);
    chunks->first =
        bosc_alloc((size_t)layout->n_groups + 1, sizeof *chunks->first);
    if (chunks->first == NULL || !place(block, layout, end, chunks))
        return false;
    chunks->all = bosc_alloc((size_t)find_chunks(block, layout, end, chunks),
                             sizeof *chunks->all);
    if (chunks->all == NULL)
        return false;
    find_chunks(block, layout, end, chunks);
    return true;
}

/* Do two blocks have the same slots, and nothing to do with any other slot? */
static bool are_alike(const bosc_batch *batch, const bosc_mech_block *a,
                      const bosc_mech_block *b)
{
    const size_t n = (size_t)batch->layout.n_groups + 1;

    return bosc_mech_is_single(a->mech) && bosc_mech_is_single(b->mech) &&
           !a->mech->stimulus && !b->mech->stimulus &&
           a->mech->n_pointers == 0 && b->mech->n_pointers == 0 &&
           a->n == b->n &&
           memcmp(a->first, b->first, n * sizeof *a->first) == 0 &&
           memcmp(a->at, b->at, (size_t)a->n * sizeof *a->at) == 0;
}

void bosc_cpu_chunks_join(const bosc_batch *batch, bosc_cpu_chunks *chunks)
{
    const bosc_mech_block *blocks = batch->blocks;
    int32_t flows = -1, evolves = -1; /* the first of those together */

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech *mech = blocks[b].mech;

        if (mech->flows || mech->stimulus) {
            if (flows < 0 || !are_alike(batch, &blocks[flows], &blocks[b]))
                flows = b;
            chunks[flows].flow_end = b + 1;
        }
        if (mech->evolves) {
            if (evolves < 0 || !are_alike(batch, &blocks[evolves], &blocks[b]))
                evolves = b;
            chunks[evolves].evolve_end = b + 1;
        }
    }
}

void bosc_cpu_chunks_clear(bosc_cpu_chunks *chunks)
{
    free(chunks->first);
    free(chunks->all);
    free(chunks->at);
    free(chunks->sums.first);
    free(chunks->sums.all);
    free(chunks->follows.first);
    free(chunks->follows.all);
    *chunks = (bosc_cpu_chunks){0};
}
