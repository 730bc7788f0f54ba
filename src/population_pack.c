/* population_pack.c - the numbered neurons as one block of bytes, and back. */
#include "src/population.h"

#include <stdlib.h>
#include <string.h>

#include "src/mem.h"

/* The block: this, the cohorts, first_gid, and the paths, each ended by 0. */
typedef struct packed {
    int64_t n_neurons;
    int32_t n_files, n_cohorts, n_populations, unused;
} packed;

static char *put(char *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(to, from, bytes);
    return to + bytes;
}

bosc_status bosc_roster_pack(const bosc_roster *roster, int n_populations,
                             void **bytes, size_t *size, bosc_error *err)
{
    const packed head = {roster->n_neurons, roster->n_files, roster->n_cohorts,
                         n_populations, 0};
    const size_t cohorts = (size_t)head.n_cohorts * sizeof(bosc_cohort),
                 gids = ((size_t)n_populations + 1) * sizeof(int64_t);
    size_t total = sizeof head + cohorts + gids;

    for (int32_t i = 0; i < roster->n_files; ++i)
        total += strlen(roster->files[i]) + 1;
    char *block = malloc(total), *p = block;

    if (block == NULL)
        return bosc_no_memory(err, "the morphologies of the job");
    p = put(p, &head, sizeof head);
    p = put(p, roster->cohorts, cohorts);
    p = put(p, roster->first_gid, gids);
    for (int32_t i = 0; i < roster->n_files; ++i)
        p = put(p, roster->files[i], strlen(roster->files[i]) + 1);
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

bosc_status bosc_roster_unpack(const void *bytes, bosc_roster **out,
                               bosc_error *err)
{
    packed head;
    const char *p = take(bytes, &head, sizeof head);
    const size_t n_gids = (size_t)head.n_populations + 1;
    bosc_roster *roster = calloc(1, sizeof *roster);
    bool fits = roster != NULL;

    if (fits) {
        roster->n_neurons = head.n_neurons;
        roster->n_cohorts = head.n_cohorts;
        roster->cohorts =
            bosc_alloc((size_t)head.n_cohorts, sizeof *roster->cohorts);
        roster->first_gid = bosc_alloc(n_gids, sizeof *roster->first_gid);
        roster->files = bosc_alloc((size_t)head.n_files, sizeof *roster->files);
        fits = roster->cohorts != NULL && roster->first_gid != NULL &&
               roster->files != NULL;
    }
    if (fits) {
        p = take(p, roster->cohorts,
                 (size_t)head.n_cohorts * sizeof *roster->cohorts);
        p = take(p, roster->first_gid, n_gids * sizeof *roster->first_gid);
    }
    for (; fits && roster->n_files < head.n_files; p += strlen(p) + 1)
        fits = (roster->files[roster->n_files++] = bosc_strdup(p)) != NULL;
    if (!fits) {
        bosc_roster_destroy(roster);
        return bosc_no_memory(err, "the morphologies of the job");
    }
    *out = roster;
    return BOSC_OK;
}
