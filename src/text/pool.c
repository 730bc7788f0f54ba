#include "src/text/pool.h"

#include <stdarg.h>
#include <stdlib.h>

#include "src/base/mem.h"

void *bosc_pool_own(bosc_pool *pool, void *memory)
{
    if (memory == NULL ||
        !bosc_grow(&pool->memory, &pool->room, pool->n + 1, sizeof memory)) {
        free(memory);
        pool->failed = true;
        return NULL;
    }
    return pool->memory[pool->n++] = memory;
}

const char *bosc_pool_text(bosc_pool *pool, const char *format, ...)
{
    va_list args;
    const char *text;

    va_start(args, format);
    text = bosc_pool_own(pool, bosc_vformat(format, args));
    va_end(args);
    return text != NULL ? text : "";
}

void bosc_pool_clear(bosc_pool *pool)
{
    for (size_t i = 0; i < pool->n; ++i)
        free(pool->memory[i]);
    free(pool->memory);
    *pool = (bosc_pool){0};
}
