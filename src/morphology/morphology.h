/* morphology.h - the one door for files of morphologies: a path to sections.
 *
 * Serial code: no MPI.  The format is that of the ending of the name
 * (ending.h); a file with an ending that is none of them is read as SWC.
 *
 *   .swc     samples (swc.h, section.h)
 *   .asc     Neurolucida in ASCII: outlines of somata and trees of sections
 *            (read/asc.c)
 *   .nml     NeuroML 2: segments and groups of a <morphology> (read/nml.c)
 *   .cylinders.tsv
 *            a table of sections without coordinates (read/cylinders.c)
 *
 * Behind each of these, .gz: compressed by gzip, up to 1 GiB when expanded.
 */
#ifndef BOSC_SRC_MORPHOLOGY_MORPHOLOGY_H
#define BOSC_SRC_MORPHOLOGY_MORPHOLOGY_H

#include "src/base/status.h"
#include "src/base/warning.h"
#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "src/morphology/swc.h"

typedef struct bosc_morphology {
    bosc_sections *sections;
    bosc_swc_counts file;  /* of the file as it stands */
    bosc_warnings repairs; /* in the order they were made: "file:line: what was
                              wrong, what was done" */
} bosc_morphology;

/* Read 'path'.  'strict' refuses what would otherwise be repaired while the
 * text is read; repairs of sections are listed nevertheless, so whoever is
 * strict looks at 'repairs' too.  On success *out is new, freed by
 * bosc_morphology_destroy(); on failure *out is untouched and err names the
 * file, the line where there is one, and the reason.  Returns BOSC_OK,
 * BOSC_ENOINPUT, BOSC_EFORMAT or BOSC_ENOMEM. */
bosc_status bosc_morphology_read(const char *path, bool strict,
                                 bosc_morphology **out, bosc_error *err);

/* The same from a text in memory with a NUL behind it, in the format of the
 * ending of 'name', which stands for the file in messages. */
bosc_status bosc_morphology_parse(const char *text, size_t bytes,
                                  const char *name, bool strict,
                                  bosc_morphology **out, bosc_error *err);

/* Read 'path' and cut its sections (cable.h).  BOSC_EVALUE besides. */
bosc_status bosc_morphology_cut(const char *path, bool strict,
                                const bosc_cable_spec *spec, bosc_cable **out,
                                bosc_error *err);

/* Free it; NULL is allowed. */
void bosc_morphology_destroy(bosc_morphology *morphology);

#endif
