/* library.h - what tests of libbosc.so share: a folder of their own, the jobs,
 * and all that a simulation has recorded as bytes.
 */
#ifndef BOSC_TESTS_LIBRARY_LIBRARY_H
#define BOSC_TESTS_LIBRARY_LIBRARY_H

#include <bosc.h>
#include <stdbool.h>
#include <stddef.h>

/* Go to a new folder, with a cache of mechanisms of its own; it is gone after
 * leave_folder(). */
void own_folder(void);
void leave_folder(void);

/* Write a file there. */
void put_file(const char *path, const char *text);

/* A simulation of a text in this folder; it is no test that it opens. */
bosc_simulation *open_here(const char *text);

/* The jobs: a network whose spikes are always on their way, gap junctions, and
 * mechanisms of one's own with events to themselves; put_mods() makes what the
 * last one names, and is false where there is no compiler. */
extern const char ring_job[], gap_job[], mods_job[];
bool put_mods(void);

/* Bytes, the owner's to free. */
typedef struct bytes {
    char *at;
    size_t n;
} bytes;

/* All readings, by name, and the spikes. */
bytes readings(bosc_simulation *sim);
/* The same, and the state of the neurons. */
bytes recorded(bosc_simulation *sim);
/* bosc_save(). */
bytes saved(bosc_simulation *sim);
bool same_bytes(bytes a, bytes b);

/* Is it this status, with this text in its message?  If not it is told. */
bool says(bosc_status st, bosc_status wanted, const bosc_simulation *sim,
          const char *text);

#endif
