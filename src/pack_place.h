/* pack_place.h - which neurons and nodes a selection and a place mean; the
 * probes.  Internal to pack.c and pack_probes.c.
 */
#ifndef BOSC_SRC_PACK_PLACE_H
#define BOSC_SRC_PACK_PLACE_H

#include "src/pack.h"

/* Is neuron i of this rank selected? */
bool bosc_place_selects(const bosc_job *job, const bosc_roster *roster,
                        const bosc_forest *forest,
                        const bosc_selection *selection, int32_t i);

/* Nodes first..last of neuron i are meant.  'line' is the job file's. */
bosc_status bosc_place_nodes(const bosc_job *job, const bosc_forest *forest,
                             const bosc_place *at, int line, int32_t i,
                             int32_t *first, int32_t *last, bosc_error *err);

/* Columns and sets of all probes. */
bosc_status bosc_pack_probes(const bosc_job *job, const bosc_roster *roster,
                             const bosc_forest *forest, bosc_packed *packed,
                             bosc_error *err);

#endif
