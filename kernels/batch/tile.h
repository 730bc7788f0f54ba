/* tile.h - which groups a thread takes together, one tile after another.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_BATCH_TILE_H
#define BOSC_KERNELS_BATCH_TILE_H

#include "kernels/batch/layout.h"

/* Groups that a thread solves at the same time. */
enum { BOSC_TOGETHER = 3 };

/* Groups that one thread takes together: of one width, all uniform or none,
 * none longer than the one before. */
typedef struct bosc_tile {
    int32_t g, n; /* first group; number of groups */
    int64_t cost; /* of a step, as bosc_layout_cost() */
} bosc_tile;

/* Bytes of a cache that a slot takes in a step: u, d, c, e, v, and the system's
 * d and b. */
enum { BOSC_STEP_BYTES = 7 * sizeof(double) };

/* The slots of a tile. */
static inline ptrdiff_t bosc_tile_slots(const bosc_layout *layout,
                                        const bosc_tile *tile)
{
    return layout->first[tile->g + tile->n] - layout->first[tile->g];
}

/* Divide all groups into tiles, the dearest first: as many groups each as fit
 * the L2 cache with slot_bytes a slot, in threes, and three in any case; but
 * not so many that threads would wait for each other.  *tiles [*n] is freed by
 * the caller. False without memory. */
bool bosc_tiles_create(const bosc_layout *layout, int threads,
                       size_t slot_bytes, bosc_tile **tiles, int32_t *n);

/* Put the tiles that have any of n slots first, both kinds in the order that
 * they are in.  *n_first is how many these are.  False without memory. */
bool bosc_tiles_put_first(const bosc_layout *layout, ptrdiff_t n,
                          const ptrdiff_t *slots, bosc_tile *tiles,
                          int32_t n_tiles, int32_t *n_first);

/* Rows of a tile at which one group alone is solved, and two: shorter ones have
 * ended, or there are none.  Each waits for its own divisions. */
void bosc_tile_rows(const bosc_layout *layout, const bosc_tile *tile,
                    int64_t *one, int64_t *two);

#endif
