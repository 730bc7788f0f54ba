/* arena.h - the memory of one translation: taken piece by piece, freed at once.
 *
 * Serial code: no MPI.  Everything that the translator makes of a file (its
 * text, tokens, trees, symbols, messages) lives in one arena, so passes share
 * nodes freely and nobody frees them.  A request never returns NULL: where
 * there is no memory, or where the file has become larger than
 * BOSC_NM_MOST_BYTES (loops that are unrolled, functions that are inlined), it
 * jumps to where the translation began:
 *
 *     bosc_nm_arena *arena = bosc_nm_arena_create();
 *     if (arena == NULL) -> no memory
 *     if (setjmp(*bosc_nm_arena_end(arena)) != 0) {
 *         ... bosc_nm_arena_full(arena) says which of both ...
 *     } else {
 *         ... the translation ...
 *     }
 *     bosc_nm_arena_destroy(arena);
 *
 * So nothing between may own memory, or a file, outside of the arena.
 */
#ifndef BOSC_SRC_NMODL_SYNTAX_ARENA_H
#define BOSC_SRC_NMODL_SYNTAX_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"

enum { BOSC_NM_MOST_BYTES = 1 << 28 };

typedef struct bosc_nm_arena bosc_nm_arena;

/* NULL without memory. */
bosc_nm_arena *bosc_nm_arena_create(void);
void bosc_nm_arena_destroy(bosc_nm_arena *arena);

/* Where requests that fail jump to. */
jmp_buf *bosc_nm_arena_end(bosc_nm_arena *arena);

/* After such a jump: the arena has as much as it may have; else there is no
 * memory. */
bool bosc_nm_arena_full(const bosc_nm_arena *arena);

/* 1, 2, 3 and so on: what gives the symbols of a translation their numbers. */
int bosc_nm_arena_count(bosc_nm_arena *arena);

/* n elements of 'size' bytes, all zero. */
void *bosc_nm_new(bosc_nm_arena *arena, size_t n, size_t size);

/* A copy of n characters, with a zero behind them. */
char *bosc_nm_copy(bosc_nm_arena *arena, const char *text, size_t n);

/* printf into a string. */
char *bosc_nm_text(bosc_nm_arena *arena, const char *format, ...)
    BOSC_PRINTF(2, 3);

/* A growing list of pointers; starts as {0}. */
typedef struct bosc_nm_list {
    int n, capacity;
    void **item; /* [n] */
} bosc_nm_list;

void bosc_nm_push(bosc_nm_arena *arena, bosc_nm_list *list, void *item);

#endif
