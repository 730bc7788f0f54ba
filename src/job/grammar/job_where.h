/* job_where.h - 'where' of a region: which compartments it holds, in YAML.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_JOB_GRAMMAR_JOB_WHERE_H
#define BOSC_SRC_JOB_GRAMMAR_JOB_WHERE_H

#include "src/job/job_keys.h"
#include "src/morphology/where/where.h"

/* Groups within each other, at most. */
enum { BOSC_WHERE_DEPTH = 16 };

/* The regions of the user's own that a population has, in the order of the job;
 * those that stand before the one that is read come first. */
typedef struct bosc_own_regions {
    size_t n, n_before;
    const char *const *name; /* [n] */
} bosc_own_regions;

/* Read a group of keys below BOSC_WHERE_PATH into *out, which holds nothing;
 * 'index' of a BOSC_WHERE_REGION is that of its name in 'own'.  Whatever keys
 * and values mean the same in one order gives the same predicate.  On failure
 * *out still holds nothing. */
bosc_status bosc_where_read(const bosc_schema *schema, const bosc_yaml *node,
                            const bosc_own_regions *own, bosc_where *out,
                            bosc_error *err);

/* With the populations: read what bosc_places_read() has left, a group as above
 * or a list of such and of points, into to->holds. */
bosc_status bosc_places_complete(const bosc_schema *schema,
                                 const bosc_yaml *node,
                                 const bosc_own_regions *own, bosc_location *to,
                                 bosc_error *err);

/* The words of a key that names several regions, "apical, dendrite", each once
 * and a name as bosc_name_read() has them: handed to 'read' with the key's
 * node.
 */
bosc_status bosc_region_key_read(const bosc_yaml *node, bosc_word_reader *read,
                                 void *to, bosc_error *err);

#endif
