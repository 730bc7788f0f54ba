/* swc_reader.h - what the phases of the SWC reader share; for swc*.c only.
 *
 * swc_parse.c turns lines into samples, swc_link.c finds parents and counts
 * what the file says, swc_read.c puts parents first, swc_radius.c mends radii.
 * swc_kind.c names the format of a file that is not SWC.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SWC_SWC_READER_H
#define BOSC_SRC_MORPHOLOGY_SWC_SWC_READER_H

#include "src/morphology/read/mend.h"
#include "src/morphology/swc.h"

/* Values of bosc_swc_sample.parent that are no index. */
enum { BOSC_SWC_NO_PARENT = -1, BOSC_SWC_DROPPED = -2 };

/* One line of the file. */
typedef struct bosc_swc_sample {
    int64_t id, parent_id, line;
    double xyz[3], radius;
    int32_t type, parent; /* parent: index among the samples, or see above */
} bosc_swc_sample;

typedef struct bosc_swc_reader {
    bosc_mending mending; /* into 'repairs' */
    int32_t n;
    size_t capacity;
    bosc_swc_sample *sample; /* [n], in file order */
    int64_t unreadable;      /* lines that are no samples */
    int64_t unreadable_line; /* the first of them, from 1 */
    int64_t cut_line;        /* the last line, if the file ends in it, or 0 */
    bosc_warnings repairs;
} bosc_swc_reader;

/* Append the samples of a text. */
bosc_status bosc_swc_parse_lines(bosc_swc_reader *r, const char *text,
                                 size_t bytes);

/* Of a file refused before its first sample: write the kind of the file over
 * err, where its content or its name shows it.  Returns BOSC_EFORMAT. */
bosc_status bosc_swc_name_kind(const char *text, size_t bytes, const char *name,
                               bosc_error *err);

/* Set the samples' parents, count what the file says, mend or refuse what
 * makes it no forest.  Afterwards each sample is dropped, a root, or leads to
 * a root. */
bosc_status bosc_swc_link(bosc_swc_reader *r, bosc_swc_counts *counts);

/* Make every radius of the finished forest positive. */
bosc_status bosc_swc_mend_radii(bosc_swc_reader *r, bosc_swc *swc);

#endif
