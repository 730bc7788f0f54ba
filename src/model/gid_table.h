/* gid_table.h - morphology lists: which neuron has which file.
 *
 * Serial code: no MPI (rank 0 reads lists and expands globs; the result is
 * small, one entry a file and one run of gids an entry, and is broadcast).
 *
 * A list is a TSV: path <tab> count [<tab> population], '#' comments; paths
 * relative to the list's own folder; globs allowed, a glob gives 'count'
 * neurons of each file.  gids are given in order: populations as in the job,
 * within one the rows of its list, within a row the files sorted by name.
 */
#ifndef BOSC_SRC_MODEL_GID_TABLE_H
#define BOSC_SRC_MODEL_GID_TABLE_H

#include <stdint.h>

#include "src/job/job.h"

/* 'count' consecutive gids from 'gid' on: equal neurons of one file, or
 * synthetic ones, all different. */
typedef struct bosc_gid_range {
    int64_t gid, count;
    int32_t population; /* index in the job */
    int32_t file;       /* index in files, -1: synthetic */
} bosc_gid_range;

typedef struct bosc_gid_table {
    int64_t n_neurons;
    int32_t n_files, n_gid_ranges;
    char **files;               /* [n_files] each distinct path once */
    bosc_gid_range *gid_ranges; /* [n_gid ranges] in gid order */
    int64_t *first_gid;         /* [n_populations + 1] */
} bosc_gid_table;

/* Read the lists of a job.  Errors name list:line, or the job file's line. */
bosc_status bosc_gid_table_create(const bosc_job *job, bosc_gid_table **out,
                                  bosc_error *err);
void bosc_gid_table_destroy(bosc_gid_table *gid_table);

/* Bytes of a table of gid ranges and files. */
double bosc_gid_table_bytes(double n_gid_ranges, double n_files);

/* The gid range of a gid. */
const bosc_gid_range *bosc_gid_table_find(const bosc_gid_table *gid_table,
                                          int64_t gid);

/* One block of bytes and back, for a broadcast.  *bytes is free()d. */
bosc_status bosc_gid_table_pack(const bosc_gid_table *gid_table,
                                int n_populations, void **bytes, size_t *size,
                                bosc_error *err);
bosc_status bosc_gid_table_unpack(const void *bytes, bosc_gid_table **out,
                                  bosc_error *err);

#endif
