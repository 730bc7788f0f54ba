/* pool.h - texts and other memory with one owner.
 *
 * A leaf: no MPI, no files.
 */
#ifndef BOSC_SRC_TEXT_POOL_H
#define BOSC_SRC_TEXT_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* Memory with one owner, which is freed at once; starts as {0}.  A request for
 * which there is none fails, and the pool keeps that in mind: so one look at
 * 'failed' after several requests is enough. */
typedef struct bosc_pool {
    void **memory; /* [n] */
    size_t n, room;
    bool failed;
} bosc_pool;

/* What malloc() or bosc_alloc() has given becomes the pool's, and is returned;
 * NULL, which they give without memory, fails. */
void *bosc_pool_own(bosc_pool *pool, void *memory);

/* printf into a string of the pool; "" where that fails. */
const char *bosc_pool_text(bosc_pool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void bosc_pool_clear(bosc_pool *pool);

#endif
