/* batch.c - the systems as libbosc-tridiag takes them. */
#include <stdlib.h>

#include "bench/tridiag/tridiag.h"
#include "src/base/mem.h"

bosc_status bosc_gtsv_batch(int layout, const bosc_chains *systems, int threads,
                            bosc_tridiag **out, bosc_chain_places *places,
                            bosc_error *err)
{
    size_t *first = bosc_alloc((size_t)systems->n, sizeof *first);
    bosc_tridiag *batch = NULL;
    bosc_tridiag_status st;

    if (first == NULL)
        return bosc_no_memory(err, "the places of systems");
    st = bosc_tridiag_create((bosc_tridiag_layout)layout, systems->n,
                             systems->rows, &batch);
    if (st == BOSC_TRIDIAG_OK)
        st = bosc_tridiag_set_threads(batch, threads);
    if (st != BOSC_TRIDIAG_OK) {
        free(first);
        bosc_tridiag_destroy(batch);
        return bosc_fail(err, (bosc_status)st, "%s", bosc_tridiag_last_error());
    }
    for (int32_t s = 0; s < systems->n; ++s)
        first[s] = bosc_tridiag_first(batch, s);
    *out = batch;
    *places = (bosc_chain_places){.elements = bosc_tridiag_elements(batch),
                                  .apart = bosc_tridiag_apart(batch),
                                  .step = bosc_tridiag_step(batch),
                                  .first = first};
    return BOSC_OK;
}

void *bosc_gtsv_block(const bosc_tridiag *batch,
                      const bosc_chain_places *places,
                      const bosc_chains *systems)
{
    const size_t apart = places->apart;
    void *block =
        bosc_alloc(bosc_chain_places_bytes(places, systems->single), 1);
    double *wide = block;
    float *narrow = block;

    if (block == NULL)
        return NULL;
    if (systems->single)
        bosc_tridiag_pad_single(batch, narrow, narrow + apart,
                                narrow + 2 * apart, narrow + 3 * apart);
    else
        bosc_tridiag_pad(batch, wide, wide + apart, wide + 2 * apart,
                         wide + 3 * apart);
    bosc_chain_places_fill(places, systems, block);
    return block;
}
