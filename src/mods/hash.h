/* hash.h - a number of 128 bits for some bytes: FNV-1a twice, from two
 * beginnings.  Who means harm can find two texts of one hash; by chance there
 * are none.
 */
#ifndef BOSC_SRC_MODS_HASH_H
#define BOSC_SRC_MODS_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct bosc_mods_hash {
    uint64_t a, b;
} bosc_mods_hash;

static inline bosc_mods_hash bosc_mods_hash_begin(void)
{
    return (bosc_mods_hash){0xcbf29ce484222325u, 0x9ae16a3b2f90404fu};
}

static inline void bosc_mods_hash_add(bosc_mods_hash *hash, const void *bytes,
                                      size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; ++i) {
        hash->a = (hash->a ^ p[i]) * 0x100000001b3u;
        hash->b = (hash->b ^ p[i]) * 0x100000001b3u;
    }
}

/* A text and its end, so that "ab" and "c" differ from "a" and "bc". */
static inline void bosc_mods_hash_text(bosc_mods_hash *hash, const char *text)
{
    bosc_mods_hash_add(hash, text, strlen(text) + 1);
}

/* Room for a hash in hexadecimal digits. */
enum { BOSC_MODS_DIGITS = 33 };

static inline const char *bosc_mods_hash_print(bosc_mods_hash hash,
                                               char text[BOSC_MODS_DIGITS])
{
    snprintf(text, BOSC_MODS_DIGITS, "%016llx%016llx",
             (unsigned long long)hash.a, (unsigned long long)hash.b);
    return text;
}

#endif
