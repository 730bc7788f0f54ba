/* cuda_store.c - large arrays and the images of cell blocks on their way to a
 * GPU: threads fill pieces of pinned memory, which are copied meanwhile; and
 * what is recorded on its way back.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

enum { PIECE = 1 << 19 }; /* bytes; each thread has two, in its cache */

bosc_status bosc_cuda_stage_begin(bosc_engine *engine, bosc_error *err)
{
    engine->threads = omp_get_max_threads();
    return bosc_cuda_stage_create(2 * engine->threads, PIECE, &engine->stage,
                                  err);
}

bosc_status bosc_cuda_put_large(bosc_engine *engine, void *to, const void *from,
                                size_t bytes, bosc_error *err)
{
    bosc_status all = BOSC_OK;

#pragma omp parallel num_threads(engine->threads)
    {
        const int32_t t = omp_get_thread_num();
        bosc_status st = BOSC_OK;
        bosc_error own;
        int32_t which = 2 * t;

        for (size_t at = (size_t)t * PIECE; st == BOSC_OK && at < bytes;
             at += (size_t)omp_get_num_threads() * PIECE, which ^= 1) {
            const size_t n = bytes - at < PIECE ? bytes - at : PIECE;
            void *piece;

            st = bosc_cuda_stage_take(engine->stage, which, &piece, &own);
            if (st != BOSC_OK)
                break;
            memcpy(piece, (const char *)from + at, n);
            st = bosc_cuda_stage_send(engine->stage, which, (char *)to + at, n,
                                      &own);
        }
        if (st != BOSC_OK) {
#pragma omp critical(failure)
            {
                all = st;
                *err = own;
            }
        }
    }
    return all == BOSC_OK ? bosc_cuda_stage_wait(engine->stage, err) : all;
}

/* A thread's parts of an array on their way, two at a time. */
static bosc_status get_parts(bosc_engine *engine, void *to, const void *from,
                             size_t bytes, bosc_error *err)
{
    const int32_t t = omp_get_thread_num();
    const size_t stride = (size_t)omp_get_num_threads() * PIECE;
    const size_t end = bytes + stride; /* the last one is read, too */
    bosc_status st = BOSC_OK;
    size_t before = bytes; /* none */
    int32_t which = 2 * t;

    for (size_t at = (size_t)t * PIECE; st == BOSC_OK && at < end;
         before = at, at += stride, which ^= 1) {
        void *piece = NULL;

        if (at < bytes)
            st = bosc_cuda_stage_fetch(
                engine->stage, which, (const char *)from + at,
                bytes - at < PIECE ? bytes - at : PIECE, err);
        if (st == BOSC_OK && before < bytes)
            st = bosc_cuda_stage_take(engine->stage, which ^ 1, &piece, err);
        if (st == BOSC_OK && before < bytes)
            memcpy((char *)to + before, piece,
                   bytes - before < PIECE ? bytes - before : PIECE);
    }
    return st;
}

bosc_status bosc_cuda_get_large(bosc_engine *engine, void *to, const void *from,
                                size_t bytes, bosc_error *err)
{
    bosc_status all =
        engine->stage == NULL ? bosc_cuda_stage_begin(engine, err) : BOSC_OK;

    if (all != BOSC_OK)
        return all;
#pragma omp parallel num_threads(engine->threads)
    {
        bosc_error own;
        const bosc_status st = get_parts(engine, to, from, bytes, &own);

        if (st != BOSC_OK) {
#pragma omp critical(failure)
            {
                all = st;
                *err = own;
            }
        }
    }
    return all;
}

/* --- images --------------------------------------------------------------- */

/* What a thread fills. */
typedef struct writer {
    unsigned char *memory; /* NULL: nothing yet */
    size_t used;
    int32_t which, part;
    bool large; /* memory is no piece, but a far image's own */
} writer;

/* Memory of the device. */
typedef struct arena {
    unsigned char *there;
    size_t bytes, used;
} arena;

struct bosc_cuda_store {
    bosc_engine *engine;
    writer *writers; /* [threads] */
    arena *arenas;
    unsigned char **parts; /* [n_parts] where the pieces are on the device */
    int32_t n_arenas, in_use, n_parts;
    size_t arenas_room, parts_room;
    size_t expected; /* bytes, about */
    bosc_status st;
    bosc_error err;
};

static void note_failure(bosc_cuda_store *store, bosc_status st,
                         const bosc_error *err)
{
    if (store->st == BOSC_OK) {
        store->st = st;
        store->err = *err;
    }
}

/* So many bytes of the device; NULL: none. */
static unsigned char *allot(bosc_cuda_store *store, size_t bytes)
{
    arena *a;
    bosc_error own;
    bosc_status st;

    for (; store->in_use < store->n_arenas; ++store->in_use) {
        a = &store->arenas[store->in_use];
        if (a->bytes - a->used >= bytes) {
            a->used += bytes;
            return a->there + a->used - bytes;
        }
    }
    if (!bosc_grow(&store->arenas, &store->arenas_room,
                   (size_t)store->n_arenas + 1, sizeof *store->arenas))
        return NULL;
    a = &store->arenas[store->n_arenas];
    *a = (arena){.bytes = store->n_arenas == 0 ? store->expected
                                               : store->expected / 64};
    a->bytes = a->bytes < bytes ? bytes : a->bytes;
    st = BOSC_BRING(store->engine, &own, {&a->there, NULL, a->bytes, 1});
    if (st != BOSC_OK) {
        note_failure(store, st, &own);
        return NULL;
    }
    ++store->n_arenas;
    a->used = bytes;
    return a->there;
}

/* Send a far image by way of the thread's pieces. */
static bosc_status send_large(bosc_cuda_store *store, writer *w,
                              unsigned char *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (size_t at = 0; at < w->used && st == BOSC_OK; at += PIECE) {
        const size_t n = w->used - at < PIECE ? w->used - at : PIECE;
        void *piece;

        w->which ^= 1;
        st = bosc_cuda_stage_take(store->engine->stage, w->which, &piece, err);
        if (st != BOSC_OK)
            break;
        memcpy(piece, w->memory + at, n);
        st = bosc_cuda_stage_send(store->engine->stage, w->which, to + at, n,
                                  err);
    }
    free(w->memory);
    w->large = false;
    return st;
}

/* Send what the thread has filled. */
static bool flush(bosc_cuda_store *store, writer *w)
{
    unsigned char *to;
    bosc_error own;
    bosc_status st;

    if (w->memory == NULL || w->used == 0)
        return true;
#pragma omp critical(store)
    {
        to = allot(store, w->used);
        store->parts[w->part] = to;
    }
    if (to == NULL)
        return false;
    st = w->large ? send_large(store, w, to, &own)
                  : bosc_cuda_stage_send(store->engine->stage, w->which, to,
                                         w->used, &own);
    w->memory = NULL;
    if (st == BOSC_OK)
        return true;
#pragma omp critical(store)
    note_failure(store, st, &own);
    return false;
}

/* Let the thread fill its other piece, or memory for a far image of so many
 * bytes. */
static bool next_piece(bosc_cuda_store *store, writer *w, size_t bytes)
{
    bool enough;
    void *piece;
    bosc_error own;
    bosc_status st = BOSC_OK;

    if (!flush(store, w))
        return false;
    w->used = 0;
    if (bytes > PIECE) {
        piece = malloc(bytes);
        w->large = piece != NULL;
        if (!w->large)
            st = bosc_no_memory(&own, "a neuron");
    } else {
        w->which ^= 1;
        st = bosc_cuda_stage_take(store->engine->stage, w->which, &piece, &own);
    }
    w->memory = st == BOSC_OK ? piece : NULL;
#pragma omp critical(store)
    {
        enough = bosc_grow(&store->parts, &store->parts_room,
                           (size_t)store->n_parts + 1, sizeof *store->parts);
        w->part = store->n_parts;
        store->n_parts += enough;
        if (st != BOSC_OK)
            note_failure(store, st, &own);
    }
    return enough && st == BOSC_OK;
}

static bool room(void *what, bosc_chip_cells *cells)
{
    bosc_cuda_store *store = what;
    writer *w = &store->writers[omp_get_thread_num()];
    const size_t image = (size_t)cells->block.whole;
    const size_t both =
        image + bosc_chip_places(&cells->block) * sizeof *cells->map;

    if ((w->memory == NULL || w->used + both > PIECE) &&
        !next_piece(store, w, both))
        return false;
    cells->part = w->part;
    cells->at = (ptrdiff_t)w->used;
    cells->image = w->memory + w->used;
    cells->map = (uint32_t *)(cells->image + image);
    memset(cells->image, 0, image);
    w->used += both; /* a multiple of 16, as both are */
    return true;
}

static void begin(void *what, double bytes)
{
    bosc_cuda_store *store = what;

    for (int32_t k = 0; k < store->n_arenas; ++k)
        store->arenas[k].used = 0;
    for (int t = 0; t < store->engine->threads; ++t) {
        if (store->writers[t].large)
            free(store->writers[t].memory);
        store->writers[t] = (writer){.which = 2 * t};
    }
    store->in_use = store->n_parts = 0;
    store->expected = (size_t)bytes;
}

bosc_status bosc_cuda_store_create(bosc_engine *engine, bosc_cuda_store **out,
                                   bosc_chip_store *as, bosc_error *err)
{
    bosc_cuda_store *store = bosc_alloc(1, sizeof *store);

    if (store != NULL)
        store->writers =
            bosc_alloc((size_t)engine->threads, sizeof *store->writers);
    if (store == NULL || store->writers == NULL) {
        free(store);
        return bosc_no_memory(err, "neurons on the chip");
    }
    store->engine = engine;
    *as = (bosc_chip_store){store, room, begin};
    *out = store;
    return BOSC_OK;
}

bosc_status bosc_cuda_store_end(bosc_cuda_store *store, bosc_status st,
                                bosc_error *err)
{
    for (int t = 0; t < store->engine->threads && st == BOSC_OK; ++t)
        if (!flush(store, &store->writers[t]))
            st = bosc_no_memory(err, "neurons on the chip");
    if (st == BOSC_OK)
        st = bosc_cuda_stage_wait(store->engine->stage, err);
    if (st != BOSC_OK && store->st != BOSC_OK) { /* which tells more */
        st = store->st;
        *err = store->err;
    }
    return st;
}

void *bosc_cuda_store_find(const bosc_cuda_store *store,
                           const bosc_chip_cells *cells)
{
    return store->parts[cells->part] + cells->at;
}

void bosc_cuda_store_destroy(bosc_cuda_store *store)
{
    if (store == NULL)
        return;
    for (int t = 0; t < store->engine->threads; ++t)
        if (store->writers[t].large)
            free(store->writers[t].memory);
    free(store->writers);
    free(store->arenas);
    free(store->parts);
    free(store);
}
