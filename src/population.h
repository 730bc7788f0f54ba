/* population.h - morphology lists: which neuron has which file.
 *
 * Serial code: no MPI (rank 0 reads lists and expands globs; the result is
 * small, one entry a file and one run of gids an entry, and is broadcast).
 *
 * A list is a TSV: path <tab> count [<tab> population], '#' comments; paths
 * relative to the list's own folder; globs allowed, a glob gives 'count'
 * neurons of each file.  gids are given in order: populations as in the job,
 * within one the rows of its list, within a row the files sorted by name.
 */
#ifndef BOSC_SRC_POPULATION_H
#define BOSC_SRC_POPULATION_H

#include <stdint.h>

#include "src/params.h"

/* 'count' consecutive gids from 'gid' on: equal neurons of one file, or
 * synthetic ones, all different. */
typedef struct bosc_cohort {
    int64_t gid, count;
    int32_t population; /* index in the job */
    int32_t file;       /* index in files, -1: synthetic */
} bosc_cohort;

typedef struct bosc_roster {
    int64_t n_neurons;
    int32_t n_files, n_cohorts;
    char **files;         /* [n_files] each distinct path once */
    bosc_cohort *cohorts; /* [n_cohorts] in gid order */
    int64_t *first_gid;   /* [n_populations + 1] */
} bosc_roster;

/* Read the lists of a job.  Errors name list:line, or the job file's line. */
bosc_status bosc_roster_create(const bosc_job *job, bosc_roster **out,
                               bosc_error *err);
void bosc_roster_destroy(bosc_roster *roster);

/* The cohort of a gid. */
const bosc_cohort *bosc_roster_find(const bosc_roster *roster, int64_t gid);

/* One block of bytes and back, for a broadcast.  *bytes is free()d. */
bosc_status bosc_roster_pack(const bosc_roster *roster, int n_populations,
                             void **bytes, size_t *size, bosc_error *err);
bosc_status bosc_roster_unpack(const void *bytes, bosc_roster **out,
                               bosc_error *err);

#endif
