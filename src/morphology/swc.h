/* swc.h - read the text of an SWC file into a forest of samples.
 *
 * Serial code: no MPI.  Lengths are micrometres; a line
 * "# units: nm" before the first sample says that those of the file are not.
 *
 * Real files are rarely clean.  The reader repairs what has one sensible
 * meaning and keeps a line about each repair; it refuses the rest with
 * file:line.  'strict' refuses what would otherwise be repaired.
 *
 *   understood: LF, CR LF, CR CR LF or CR; tabs; a UTF-8 byte order mark;
 *               '#' anywhere; ids in any order, with gaps; whole numbers
 *               written as decimals; type codes beyond 7; samples that stand
 *               on their parent; several roots
 *   repaired:   samples before their parent are sorted; parents that do not
 *               exist, or are the sample itself, make a root; text behind the
 *               seventh column is ignored; a line of words, or one in which the
 *               file is cut off, is dropped; a repeated line is dropped; two
 *               samples of one id both stay if nothing hangs on them; a
 *               negative type is 0; a negative radius loses its sign; a radius
 *               that is zero, NaN or under 1e-4 um becomes that of the nearest
 *               sample up the parents that has one, else of the first
 *               below, else 0.5 um; neurites do not take that of the soma
 *   refused:    rings; lines with columns missing or damaged, as a sample would
 *               be lost; a missing parent where the file is cut off; two
 *               samples of one id that is a parent; positions or radii that are
 *               infinite or beyond 1e9 um; decimal commas; zero bytes, UTF-16,
 *               more than 1 GiB; no sample at all, or far fewer samples than
 *               lines of words
 */
#ifndef BOSC_SRC_MORPHOLOGY_SWC_H
#define BOSC_SRC_MORPHOLOGY_SWC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/status.h"
#include "src/base/warning.h"

/* Type codes of the format; any other non-negative code is kept as it is. */
enum {
    BOSC_SWC_UNDEFINED = 0,
    BOSC_SWC_SOMA = 1,
    BOSC_SWC_AXON = 2,
    BOSC_SWC_DENDRITE = 3,
    BOSC_SWC_APICAL = 4,
    BOSC_SWC_MYELIN = 100 /* of no standard; rules for axons make it */
};

/* How often a file has something, and the first line that has it. */
typedef struct bosc_occurrence {
    int64_t n, line;
} bosc_occurrence;

static inline void bosc_occurrence_add(bosc_occurrence *what, int64_t line)
{
    if (what->n++ == 0 || line < what->line)
        what->line = line;
}

static inline double bosc_swc_distance(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

    return sqrt(x * x + y * y + z * z);
}

/* Counts of the file as it stands, before any repair or soma rule; the
 * definitions are those of NeuroMorpho-like indices:
 * samples: lines that could be parsed; roots: samples whose parent is
 * negative, is the sample itself, or does not exist; branch_points: samples
 * with two or more children; tips: samples without children; length: straight
 * sample-to-parent distances without soma-soma edges; disorder: samples whose
 * id is not above that of the line before, or not above their parent's;
 * no_radius: samples whose radius is repaired. */
typedef struct bosc_swc_counts {
    int64_t samples, roots, branch_points, tips;
    double length; /* um */
    bosc_occurrence disorder, no_radius;
} bosc_swc_counts;

/* n samples.  parent[i] < i, so one forward pass meets every parent before
 * its children, and one backward pass the reverse.  Apart from that the order
 * is the file's. */
typedef struct bosc_swc {
    char *path;
    int32_t n;
    int32_t *parent; /* [n] sample index, -1 for a root */
    int32_t *type;   /* [n] type code, >= 0 */
    int64_t *line;   /* [n] line of the file, from 1 */
    double *xyz;     /* [n][3] position (um) */
    double *radius;  /* [n] > 0 (um) */
    void *room;      /* of these arrays */
    bosc_swc_counts file;
    bosc_warnings repairs; /* in the order they were made: "file:line: what was
                              wrong, what was done"; section.h appends some */
} bosc_swc;

/* Read a text in memory; 'name' stands for the file in messages.  On success
 * *out is a new forest, freed by bosc_swc_destroy(); on failure *out is
 * untouched and err names the file, the line and the reason.  Returns BOSC_OK,
 * BOSC_EFORMAT or BOSC_ENOMEM. */
bosc_status bosc_swc_parse(const char *text, size_t bytes, const char *name,
                           bool strict, bosc_swc **out, bosc_error *err);

/* Make room for n samples, not set, in an empty forest, which owns the path
 * (NULL: there was no memory for it).  False without memory. */
bool bosc_swc_alloc(bosc_swc *swc, char *path, int32_t n);

/* Free a forest; NULL is allowed. */
void bosc_swc_destroy(bosc_swc *swc);

#endif
