/* gid_table_pack.c - the numbered neurons as one block of bytes, and back. */
#include "src/model/gid_table.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* The block: this, the gid ranges, first_gid, and the paths, each ended by 0.
 */
typedef struct packed {
    int64_t n_neurons;
    int32_t n_files, n_gid_ranges, n_populations, unused;
} packed;

static char *put(char *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(to, from, bytes);
    return to + bytes;
}

bosc_status bosc_gid_table_pack(const bosc_gid_table *table, int n_populations,
                                void **bytes, size_t *size, bosc_error *err)
{
    const packed head = {table->n_neurons, table->n_files, table->n_gid_ranges,
                         n_populations, 0};
    const size_t gid_ranges =
                     (size_t)head.n_gid_ranges * sizeof(bosc_gid_range),
                 gids = ((size_t)n_populations + 1) * sizeof(int64_t);
    size_t total = sizeof head + gid_ranges + gids;

    for (int32_t i = 0; i < table->n_files; ++i)
        total += strlen(table->files[i]) + 1;
    char *block = malloc(total), *p = block;

    if (block == NULL)
        return bosc_no_memory(err, "the morphologies of the job");
    p = put(p, &head, sizeof head);
    p = put(p, table->gid_ranges, gid_ranges);
    p = put(p, table->first_gid, gids);
    for (int32_t i = 0; i < table->n_files; ++i)
        p = put(p, table->files[i], strlen(table->files[i]) + 1);
    *bytes = block;
    *size = total;
    return BOSC_OK;
}

static const char *take(const char *from, void *to, size_t bytes)
{
    if (bytes > 0)
        memcpy(to, from, bytes);
    return from + bytes;
}

bosc_status bosc_gid_table_unpack(const void *bytes, bosc_gid_table **out,
                                  bosc_error *err)
{
    packed head;
    const char *p = take(bytes, &head, sizeof head);
    const size_t n_gids = (size_t)head.n_populations + 1;
    bosc_gid_table *table = calloc(1, sizeof *table);
    bool fits = table != NULL;

    if (fits) {
        table->n_neurons = head.n_neurons;
        table->n_gid_ranges = head.n_gid_ranges;
        fits = BOSC_ALLOC(NULL, NULL,
                          BOSC_ARRAY(table->gid_ranges, head.n_gid_ranges),
                          BOSC_ARRAY(table->first_gid, n_gids),
                          BOSC_ARRAY(table->files, head.n_files)) == BOSC_OK;
    }
    if (fits) {
        p = take(p, table->gid_ranges,
                 (size_t)head.n_gid_ranges * sizeof *table->gid_ranges);
        p = take(p, table->first_gid, n_gids * sizeof *table->first_gid);
    }
    for (; fits && table->n_files < head.n_files; p += strlen(p) + 1)
        fits = (table->files[table->n_files++] = bosc_strdup(p)) != NULL;
    if (!fits) {
        bosc_gid_table_destroy(table);
        return bosc_no_memory(err, "the morphologies of the job");
    }
    *out = table;
    return BOSC_OK;
}
