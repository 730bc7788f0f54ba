/* result_file.h - what the files of the store share; for store*.c only.
 *
 * result_file.c knows failures and the life of the open file, result_path.c its
 * names on the disk, result_schema.c and result_bench.c know what is in them. A
 * failure sticks: the first one is kept, later calls do nothing, and
 * bosc_result_status() tells it.
 */
#ifndef BOSC_SRC_IO_RESULT_FILE_H
#define BOSC_SRC_IO_RESULT_FILE_H

#include <sys/types.h>
#include <time.h>

#include "src/base/lock.h"
#include "src/io/result.h"

typedef struct bosc_result_set {
    double interval; /* ms */
    int64_t n;       /* columns */
    int64_t frames;  /* times written so far */
    double cache;    /* bytes of chunks that may wait in memory,
                        of each variable */
    int n_variables;
    int time;                         /* the id of time_P */
    int gid, compartment, section, x; /* of the columns' places */
    int variable[BOSC_MAX_VARIABLES]; /* the ids of its variables */
} bosc_result_set;

/* The columns of the table of neurons. */
enum {
    BOSC_NEURON_GID,
    BOSC_NEURON_POPULATION,
    BOSC_NEURON_MORPHOLOGY,
    BOSC_NEURON_COMPARTMENTS,
    BOSC_NEURON_SECTIONS,
    BOSC_NEURON_AREA,
    BOSC_N_NEURON_COLUMNS
};

/* Spikes of a chunk. */
enum { BOSC_SPIKE_CHUNK = 16384 };

struct bosc_result {
    char *path, *partial, *folder;
    char *earlier; /* what became of an earlier run's, or NULL */
    char *moved;   /* the file's name, where that is not 'partial' */
    dev_t device;
    ino_t inode; /* of the file; 0: not known */
    int nc;      /* netCDF's id of the open file, -1: none */
    int failure; /* netCDF's or the system's code of the first failure, or 0 */
    int reason;  /* errno that came with it, or 0 */
    bool full;   /* it was found before netCDF met it: the file is sound */
    char what[160]; /* what was being done: "write soma_v" */
    int compression;
    bool
        parallel; /* made for bosc_parallel_file_create(), and while that is: */
    bool together;                     /* nothing waits in HDF5's memory */
    int neuron[BOSC_N_NEURON_COLUMNS]; /* the ids of the columns */
    int spike_time, spike_gid;
    int64_t n_spikes;
    time_t synced; /* monotonic, when all was last put on the disk */
    bool on_disk;  /* and some of it were records */
    double room, written,
        looked; /* bytes that were free, written since; when */
    int n_sets;
    bosc_result_set *set; /* [n_sets] */
};

/* Create PATH.partial with nothing in it; on failure there is none.  The lock
 * may be NULL. */
bosc_status bosc_result_open(const char *path, int compression, bool parallel,
                             const bosc_lock *lock, bosc_result **out,
                             bosc_error *err);

/* A store of PATH without a file, NULL without memory; and the end of one. */
bosc_result *bosc_result_blank(const char *path, int compression);
void bosc_result_forget(bosc_result *s);

/* Give PATH.partial of an earlier run another name, or remove it where it has
 * few steps; s->earlier says so. */
bosc_status bosc_result_set_aside(bosc_result *s, bosc_error *err);

/* From now on the file that is PATH.partial is known as that of this run. */
void bosc_result_recognise(bosc_result *s);

/* Is it still PATH.partial? */
bool bosc_result_in_place(const bosc_result *s);

/* Its name now: PATH.partial, or what another run has made of that; NULL: it
 * has gone.  Valid until the next call. */
const char *bosc_result_find(bosc_result *s);

/* Open the file that has been closed again. */
bool bosc_result_reopen(bosc_result *s);

/* Mark as completed, close, and rename to PATH; see bosc_result_finish(). */
bosc_status bosc_result_close(bosc_result *s, bosc_error *err);

/* Every netCDF call passes here.  True when it succeeded; else the code is kept
 * with "verb name". */
bool bosc_result_ok(bosc_result *s, int code, const char *verb,
                    const char *name);

/* The first failure as a sentence. */
bosc_status bosc_result_status(const bosc_result *s, bosc_error *err);

/* Is it time to put all on the disk?  Then do. */
bool bosc_result_due(const bosc_result *s);
void bosc_result_flush(bosc_result *s);

/* Times of the frames of a set that have none yet, before frame 'end': n values
 * for 'start' on.  False: there are no more. */
enum { BOSC_RESULT_TIMES = 512 };
bool bosc_result_times(bosc_result_set *set, int64_t end, size_t *start,
                       size_t *n, double time[BOSC_RESULT_TIMES]);

/* Is there room for 'bytes' more, and for closing the file after that?  If not,
 * that is the failure: nothing is lost yet, as it would be if HDF5 found out.
 */
bool bosc_result_fits(bosc_result *s, double bytes);

/* Define everything known before the first step but names; then those, which
 * are written at once.  HDF5 writes no strings into a file that is open by way
 * of MPI. */
void bosc_result_define(bosc_result *s, const bosc_result_spec *spec);
void bosc_result_names(bosc_result *s, const bosc_result_spec *spec);

/* Define and write the rates of populations, and the rank table. */
void bosc_result_rates(bosc_result *s, const double *rates);
void bosc_result_put_ranks(bosc_result *s, int n_ranks,
                           const bosc_rank_row *rows,
                           const bosc_result_costs *costs);

/* Set the attribute 'completed'. */
void bosc_result_completed(bosc_result *s, const char *text);

/* Frames and columns of a chunk: about 1 MiB of doubles, and few enough frames
 * that a row of chunks, which the cache holds while it fills, stays small. */
void bosc_result_chunk(int64_t n, double frames, size_t chunk[2]);

/* Make a file that several ranks can write later, with netCDF's mode, id and
 * code (result_parallel.c, result_serial.c). */
int bosc_parallel_file_file(const char *path, int mode, int *nc);

#endif
