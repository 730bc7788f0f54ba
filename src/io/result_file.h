/* result_file.h - the open result file; for result*.c and disk_space.c only.
 *
 * result_file.c opens, writes and closes the file; result_base.c has the struct
 * and failures, result_path.c the names on the disk, result_schema.c,
 * result_ranks.c and result_table.c the variables.  The first failure is kept:
 * later calls do nothing, and bosc_result_status() returns it.
 */
#ifndef BOSC_SRC_IO_RESULT_FILE_H
#define BOSC_SRC_IO_RESULT_FILE_H

#include <sys/types.h>

#include "src/base/lock.h"
#include "src/io/result.h"

/* Where the columns of a set sit. */
enum {
    BOSC_PLACE_GID,
    BOSC_PLACE_COMPARTMENT,
    BOSC_PLACE_SECTION,
    BOSC_PLACE_X,
    BOSC_PLACE_PARENT,
    BOSC_PLACE_X3D,
    BOSC_PLACE_Y3D,
    BOSC_PLACE_Z3D,
    BOSC_PLACE_DIAM,
    BOSC_PLACE_AREA,
    BOSC_PLACE_DISTANCE,
    BOSC_PLACE_X0,
    BOSC_PLACE_Y0,
    BOSC_PLACE_Z0,
    BOSC_PLACE_X1,
    BOSC_PLACE_Y1,
    BOSC_PLACE_Z1,
    BOSC_PLACE_CM,
    BOSC_PLACE_PARENT_X,
    BOSC_PLACE_RA,
    BOSC_PLACE_PARENT_COMPARTMENT,
    BOSC_N_PLACES
};

/* "gid": what stands behind "P_". */
const char *bosc_result_place_name(int place);

typedef struct bosc_result_set {
    double start, interval; /* ms */
    int64_t all_frames;     /* that it will have, at most */
    int64_t n;              /* columns */
    int64_t frames;         /* times written so far, */
    int64_t coming;         /* with those that are about to be, */
    int64_t flushed;        /* and of them those that are on the disk */
    int64_t rows;           /* frames of a chunk */
    double row;             /* bytes of a row of chunks, of each variable */
    double cache;           /* bytes of chunks that may wait in memory,
                               of each variable */
    int n_variables;
    int sum;                  /* the number of the sum of time_P; those of its
                                 variables follow */
    int time;                 /* the id of time_P */
    int place[BOSC_N_PLACES]; /* the ids of P_gid and so on */
    int member;               /* of P_member, of a sweep */
    int variable; /* the id of its first variable; the others' follow */
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

/* Bytes of a file, ascending and apart from each other. */
typedef struct bosc_byte_range {
    int64_t begin, end;
} bosc_byte_range;

typedef struct bosc_byte_ranges {
    size_t n, capacity;
    bosc_byte_range *range; /* [n] */
} bosc_byte_ranges;

/* The first failure; all ranks that write one file have the same. */
typedef struct bosc_result_failure {
    int code;       /* netCDF's or the system's, or 0: there is none */
    int reason;     /* errno that came with it, or 0 */
    bool full;      /* the disk was found full before a write: the file is
                       sound */
    char what[160]; /* what was being done: "write soma_v" */
    char need[96];  /* of a full disk: what is free, and what is needed */
} bosc_result_failure;

/* The space of the disk, as far as is known. */
typedef struct bosc_disk_room {
    double free_bytes; /* when measured, */
    double written;    /* bytes since, */
    double measured;   /* and when: bosc_now(); 0: never */
} bosc_disk_room;

/* Of what grows (bosc_result_grows()), from bosc_result_begin_sums() on. */
typedef struct bosc_result_sums {
    int n;
    uint64_t *sum;     /* [n] of what this rank has written */
    uint64_t *secured; /* [n] of all ranks, when a checkpoint was last to count
                          on it; rank 0 */
    int64_t *looked;   /* [n] rows of chunks whose places are in 'settled' */
    bosc_byte_ranges settled; /* chunks that HDF5 moves no more */
} bosc_result_sums;

/* A list of spikes: variables over one dimension, times first, whose sums are
 * those from 'sum' on. */
typedef struct bosc_result_events {
    int n_variables; /* 0: the file has not this list */
    int variable[4];
    int sum;
    int64_t n; /* so far */
} bosc_result_events;

struct bosc_result {
    /* from bosc_result_blank() */
    char *path, *partial, *folder;
    int compression;

    /* from bosc_result_open(), or as whoever goes on with the file sets it */
    char *earlier;  /* what became of an earlier run's, or NULL */
    char *moved;    /* the file's name, where that is not 'partial'; from
                       bosc_result_find() */
    char *later;    /* what the history gets of runs that went on with the file,
                       one a line; NULL: there is none */
    char *warnings; /* more than the file tells, until it is complete; NULL */
    dev_t device;
    ino_t inode;   /* of the file; 0: not known */
    int nc;        /* netCDF's id of the open file, -1: none */
    bool parallel; /* made for bosc_parallel_file_create() */
    bool replace;  /* what has the path in the end is replaced */
    bool shared;   /* open on all I/O ranks: HDF5 caches no chunks */

    /* from bosc_result_define(), or read from a file that is gone on with */
    int neuron[BOSC_N_NEURON_COLUMNS]; /* the ids of the columns */
    int n_numbers, *number; /* [n_numbers] those of numbers; only until the
                               table of neurons is written */
    int neuron_member;      /* and, of a sweep, of that */
    int64_t *member_gid;    /* [n_members + 1], NULL without a sweep */
    int64_t n_members;
    bosc_result_events events[BOSC_N_RESULT_EVENTS];
    int n_sets;
    bosc_result_set *set; /* [n_sets] */

    /* while it is written */
    double synced; /* bosc_now() when all was last put on the disk */
    bool on_disk;  /* and some of it were records */
    bool kept;     /* a checkpoint counts on it: it is not removed */
    bosc_result_failure failure;
    bosc_disk_room room;
    bosc_result_sums sums;
};

/* Create PATH.partial with nothing in it; on failure there is none.  The lock
 * may be NULL. */
bosc_status bosc_result_open(const char *path, int compression, bool parallel,
                             const bosc_lock *lock, bosc_result **out,
                             bosc_error *err);

/* Create a result of PATH without a file, NULL without memory; free one. */
bosc_result *bosc_result_blank(const char *path, int compression);
void bosc_result_forget(bosc_result *s);

/* Give PATH.partial of an earlier run another name, or remove it where it has
 * few steps; s->earlier says so. */
bosc_status bosc_result_set_aside(bosc_result *s, bosc_error *err);

/* Remember device and inode of PATH.partial, the file of this run. */
void bosc_result_recognise(bosc_result *s);

/* True if it is still PATH.partial. */
bool bosc_result_in_place(const bosc_result *s);

/* Its name now: PATH.partial, or the name that another run has given it; NULL:
 * it was removed.  Valid until the next call. */
const char *bosc_result_find(bosc_result *s);

/* Open the closed file again. */
bool bosc_result_reopen(bosc_result *s);

/* Onto the disk, not only into the system's memory.  Returns errno or 0. */
int bosc_result_sync_path(const char *path);

/* Mark as completed, close, and rename to PATH; see bosc_result_finish(). */
bosc_status bosc_result_close(bosc_result *s, bosc_error *err);

/* Every netCDF call passes here.  True when it succeeded; else the code is kept
 * with "verb name". */
bool bosc_result_ok(bosc_result *s, int code, const char *verb,
                    const char *name);

/* Write a block of a variable, unless something has failed; 'name' says what.
 */
void bosc_result_put(bosc_result *s, int variable, const size_t *start,
                     const size_t *count, const void *values, const char *name);

/* Which lists a result has: that of spikes, and, where a probe has a threshold,
 * that of what probes have detected. */
void bosc_result_list_events(bosc_result *s, const bosc_result_spec *spec);

/* The names of their dimensions, and of their variables. */
extern const char *const bosc_result_event_dims[BOSC_N_RESULT_EVENTS];
extern const char *const bosc_result_event_names[BOSC_N_RESULT_EVENTS][4];

/* What grows while a run goes on, each with a sum: the lists of spikes, and of
 * each set its times and variables. */
typedef struct bosc_result_growing {
    int variable, n_dims;  /* its id; 1: a list of one column */
    int64_t rows, columns; /* so far */
} bosc_result_growing;
bosc_result_growing bosc_result_grows(const bosc_result *s, int i);

/* Allocate the sums, all zero, once the sets are known; false: no memory. */
bool bosc_result_begin_sums(bosc_result *s);

/* bosc_result_put() a block of what has sum i, and add to that. */
void bosc_result_add(bosc_result *s, int i, const size_t start[2],
                     const size_t count[2], const void *values,
                     const char *name);

/* The first failure as a sentence. */
bosc_status bosc_result_status(const bosc_result *s, bosc_error *err);

/* True if it is time to sync all to the disk; sync it. */
bool bosc_result_due(const bosc_result *s);
void bosc_result_flush(bosc_result *s);

/* The next times of a set that are not written yet, before frame 'end': n
 * values from 'start' on.  False: there are no more. */
enum { BOSC_RESULT_TIMES = 512 };
bool bosc_result_times(bosc_result_set *set, int64_t end, size_t *start,
                       size_t *n, double time[BOSC_RESULT_TIMES]);

/* Bytes free in a folder; INFINITY: unknown. */
double bosc_result_room(const char *folder);

/* True if the disk has space for 'bytes' more, and for closing the file after
 * that.  If not, that becomes the failure: nothing is lost yet, as it would be
 * if HDF5 met the full disk. */
bool bosc_result_fits(bosc_result *s, double bytes);

/* True if it has no space for 'bytes' more, and bosc_result_flush() can make
 * some: what is put on the disk takes what it takes, and counts before as much
 * as it can take.  So each row of chunks is put there early only once. */
bool bosc_result_must_flush(bosc_result *s, double bytes);

/* True if there is space for what HDF5 keeps in memory of a file that is open
 * on all I/O ranks; if not, that becomes the failure, unless there is one. */
bool bosc_result_may_flush(bosc_result *s);

/* Close a file that is open on all I/O ranks and cannot be written any more, on
 * all of them: what HDF5 still has goes into memory, and is forgotten.  Where a
 * flush fails on one rank HDF5 gets out of step, and all wait for each other
 * for ever.  Returns netCDF's code. */
int bosc_result_give_up(bosc_result *s);

/* Define everything known before the first step but names; then those, which
 * are written at once.  HDF5 writes no strings into a file that is open by way
 * of MPI. */
void bosc_result_define(bosc_result *s, const bosc_result_spec *spec);
void bosc_result_names(bosc_result *s, const bosc_result_spec *spec);

/* Of a sweep: write which member n neurons or columns are of, by their gids; of
 * electrodes, whose gids are -1, each member has as many of 'all' columns. */
void bosc_result_put_members(bosc_result *s, int variable, int64_t first,
                             int64_t n, const int64_t *gid, int64_t all);

/* Define and write the rates of populations, and the rank table. */
void bosc_result_rates(bosc_result *s, const double *rates);
void bosc_result_put_ranks(bosc_result *s, int n_ranks,
                           const bosc_rank_row *rows,
                           const bosc_result_costs *costs);

/* The end of a run: set the attribute 'completed', and add the commands of runs
 * that have gone on to the history.  That is done last of all: HDF5 1.10.8
 * cannot close a file of which a longer attribute was replaced before much else
 * was written.  Until a file is closed 'completed' is: */
#define BOSC_RESULT_RUNNING "no: it is running, or was killed"
void bosc_result_completed(bosc_result *s, const char *text);

/* Keep in memory what fills of the variables of a set. */
void bosc_result_cache(bosc_result *s, bosc_result_set *set);

/* Before the first use of HDF5. */
void bosc_result_quiet_exit(void);

/* Frames and columns of a chunk: about 1 MiB of doubles, and few enough frames
 * that a row of chunks, which the cache holds while it fills, stays small. */
void bosc_result_chunk(int64_t n, double frames, size_t chunk[2]);

/* Make a file that several ranks can write later, with netCDF's mode, id and
 * code; NC_ENOPAR in a build that cannot (result_shared.c). */
int bosc_parallel_file_make(const char *path, int mode, int *nc);

/* --- definitions (result_define.c); each does nothing after a failure ---- */

/* What a variable is, for people and programs. */
typedef struct bosc_meaning {
    const char *name;
    int type; /* netCDF's */
    const char *units, *long_name;
} bosc_meaning;

/* Attributes: of a variable or, with NC_GLOBAL, of the file. */
void bosc_result_text(bosc_result *s, int var, const char *name,
                      const char *text);
void bosc_result_number(bosc_result *s, const char *name, double value);

/* Title, date and command, source, conventions; "completed" says no yet. */
void bosc_result_heading(bosc_result *s, const char *title,
                         const char *command);

/* A dimension; length 0 (no morphology file, no column) becomes an unlimited
 * one that never grows, because netCDF has no fixed one of length 0. */
int bosc_result_dim(bosc_result *s, const char *name, size_t length);

/* A variable over n_dims dimensions, chunked as asked (NULL: as netCDF likes).
 * Tables are always compressed, which costs nothing and makes them small; what
 * a run produces all the time is as the job says. */
int bosc_result_var(bosc_result *s, const bosc_meaning *m, int n_dims,
                    const int *dims, const size_t *chunk);
int bosc_result_stream(bosc_result *s, const bosc_meaning *m, int n_dims,
                       const int *dims, const size_t *chunk);

/* A few values of a fixed number, stored whole and uncompressed. */
int bosc_result_small(bosc_result *s, const bosc_meaning *m, int dim);

/* Times and spikes, which grow over dimension 'dim': compressed as tables are,
 * but not where several ranks write: there a chunk is not kept in memory until
 * it is full, and a compressed one moves when it grows. */
int bosc_result_log(bosc_result *s, const bosc_meaning *m, int dim,
                    size_t chunk);

/* Keep 'bytes' of a variable's chunks in memory: by itself netCDF would
 * keep many, of each variable until the end. */
void bosc_result_keep(bosc_result *s, int var, const char *name, size_t bytes);

/* Define and write n numbers, or n strings, over dimension 'dim'. */
void bosc_result_column_put(bosc_result *s, int dim, int64_t n, bosc_meaning m,
                            const void *values);
void bosc_result_strings(bosc_result *s, int dim, size_t n,
                         const bosc_meaning *m, const char *const *text);

#endif
