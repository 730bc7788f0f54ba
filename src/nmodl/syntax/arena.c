#include "src/nmodl/syntax/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, ALIGNED = 16 };

typedef struct piece {
    struct piece *before;
    size_t unused; /* keeps 'bytes' aligned */
    char bytes[];
} piece;

struct bosc_nm_arena {
    piece *last;
    size_t used, size; /* of the last piece */
    size_t total;      /* of all */
    int counted;
    bool full;
    jmp_buf end;
};

bosc_nm_arena *bosc_nm_arena_create(void)
{
    return calloc(1, sizeof(bosc_nm_arena));
}

void bosc_nm_arena_destroy(bosc_nm_arena *arena)
{
    piece *at = arena == NULL ? NULL : arena->last;

    while (at != NULL) {
        piece *before = at->before;

        free(at);
        at = before;
    }
    free(arena);
}

jmp_buf *bosc_nm_arena_end(bosc_nm_arena *arena)
{
    return &arena->end;
}

bool bosc_nm_arena_full(const bosc_nm_arena *arena)
{
    return arena->full;
}

int bosc_nm_arena_count(bosc_nm_arena *arena)
{
    return ++arena->counted;
}

static void add_piece(bosc_nm_arena *arena, size_t size)
{
    piece *fresh = NULL;

    arena->full = size > BOSC_NM_MOST_BYTES - arena->total;
    if (!arena->full)
        fresh = calloc(1, sizeof *fresh + size);
    if (fresh == NULL)
        longjmp(arena->end, 1);
    fresh->before = arena->last;
    arena->last = fresh;
    arena->used = 0;
    arena->size = size;
    arena->total += size;
}

void *bosc_nm_new(bosc_nm_arena *arena, size_t n, size_t size)
{
    if (size > 0 && n > BOSC_NM_MOST_BYTES / size) {
        arena->full = true;
        longjmp(arena->end, 1);
    }

    const size_t bytes = (n * size + ALIGNED - 1) / ALIGNED * ALIGNED;

    if (bytes > arena->size - arena->used)
        add_piece(arena, bytes > PIECE ? bytes : PIECE);

    void *at = arena->last->bytes + arena->used;

    arena->used += bytes;
    return at;
}

char *bosc_nm_copy(bosc_nm_arena *arena, const char *text, size_t n)
{
    char *copy = bosc_nm_new(arena, n + 1, 1);

    if (n > 0)
        memcpy(copy, text, n);
    return copy;
}

char *bosc_nm_text(bosc_nm_arena *arena, const char *format, ...)
{
    va_list args, again;
    char *text;

    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    text = bosc_nm_new(arena, n < 0 ? 1 : (size_t)n + 1, 1);
    if (n > 0)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void bosc_nm_push(bosc_nm_arena *arena, bosc_nm_list *list, void *item)
{
    if (list->n == list->capacity) {
        const int capacity = list->capacity == 0 ? 4 : 2 * list->capacity;
        void **grown = bosc_nm_new(arena, (size_t)capacity, sizeof *grown);

        if (list->n > 0)
            memcpy(grown, list->item, (size_t)list->n * sizeof *grown);
        list->item = grown;
        list->capacity = capacity;
    }
    list->item[list->n++] = item;
}
