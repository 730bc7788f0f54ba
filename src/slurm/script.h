/* script.h - the batch script of a job: a header of its own, and the text of
 * jobs/bosc.sbatch, which is within the program.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_SCRIPT_H
#define BOSC_SRC_SLURM_SCRIPT_H

#include <stdint.h>
#include <stdio.h>

#include "src/slurm/site.h"

/* What the header asks for. */
typedef struct bosc_script_header {
    const char *about;      /* a comment, or NULL */
    const char *name;       /* of the job */
    const char *log;        /* with %j for the number of the job */
    const char *partition;  /* NULL: the cluster's */
    const char *account;    /* NULL: the user's */
    const char *array;      /* of a job array, "0-5%2"; NULL: none */
    const char *dependency; /* NULL: none */
    int32_t nodes;          /* 0: as SLURM likes */
    int32_t ranks, threads; /* tasks, processors of each */
    int32_t per_node;       /* tasks of a node; 0: as SLURM likes */
    int32_t gpus;           /* of a node; 0: none */
    double rank_memory;     /* bytes, of a task; 0: as the cluster has it */
    double seconds;         /* the time limit */
    double warning;         /* s before it for a checkpoint; 0: no requeue */
} bosc_script_header;

/* Print the #SBATCH lines; those of the site come last. */
void bosc_script_print_header(FILE *file, const bosc_script_header *header,
                              const bosc_site *site);

/* Print a whole script: '#!', header, the site's modules and commands, and
 * what runs the program with words[n] behind 'bosc run'. */
void bosc_script_print(FILE *file, const bosc_script_header *header,
                       const bosc_site *site, const char *program, int n,
                       const char *const *words);

/* The same, for a command line of the program on one processor. */
void bosc_script_print_command(FILE *file, const bosc_script_header *header,
                               const bosc_site *site, const char *program,
                               int n, const char *const *words);

/* Refuse a name of the result, or a value of an #SBATCH line, that is empty or
 * has a second line, which would be a command.  BOSC_EUSAGE. */
bosc_status bosc_script_check(const bosc_script_header *header,
                              const char *output, bosc_error *err);

#endif
