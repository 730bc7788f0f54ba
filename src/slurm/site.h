/* site.h - what a cluster wants of every batch job: one file of its users.
 *
 * Serial code: no MPI.  The file is YAML; 'keys' in site.c lists what it may
 * say.  The user's, site.yaml in $XDG_CONFIG_HOME/bosc (which is
 * ~/.config/bosc), goes over the cluster's, $sysconfdir/bosc/site.yaml, key by
 * key.  Options of 'bosc submit' go over both.
 */
#ifndef BOSC_SRC_SLURM_SITE_H
#define BOSC_SRC_SLURM_SITE_H

#include <stdio.h>

#include "src/base/status.h"

/* NULL and 0: not said. */
typedef struct bosc_site {
    char *partition, *account;
    char *launcher;                    /* as BOSC_LAUNCHER in bosc.sbatch */
    char *launcher_where;              /* "file:line: launcher", or NULL */
    char *program;                     /* the path of bosc */
    char *modules, *commands, *sbatch; /* each ends with a newline */
    char *time_limit;                  /* a duration */
    int processors, gpus;              /* of a node */
    double memory;                     /* GB, of a node */
    double time_margin, memory_margin; /* times what is expected */
    double warning; /* s before the time limit, for a checkpoint */
} bosc_site;

/* Read 'path', or where that is NULL the two files above, of which each may be
 * missing.  Messages begin "file:line".  To be cleared, whatever is returned.
 */
bosc_status bosc_site_read(const char *path, bosc_site *site, bosc_error *err);
void bosc_site_clear(bosc_site *site);

/* List the keys, with meaning and default. */
void bosc_site_print_keys(FILE *file);

#endif
