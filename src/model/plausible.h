/* plausible.h - values that are allowed and usually mistakes, most of units.
 *
 * Serial code: no MPI.  A job that has one runs, and is warned of; one that is
 * strict is refused.
 */
#ifndef BOSC_SRC_MODEL_PLAUSIBLE_H
#define BOSC_SRC_MODEL_PLAUSIBLE_H

#include "src/base/warning.h"
#include "src/job/job.h"
#include "src/model/gid_table.h"
#include "src/model/template_table.h"

/* A warning reports values beyond these. */
#define BOSC_MOST_V 200.0      /* mV, from 0 */
#define BOSC_MOST_DENSITY 10.0 /* S/cm2 */
#define BOSC_MOST_CLAMP 100.0  /* nA, from 0 */
#define BOSC_MOST_LENGTH 1e7   /* um, of the sections of a file */
enum { BOSC_MOST_COMPARTMENTS = 1000000 /* of a file */ };

/* Steps between looks at voltages: what lasts less may pass unseen. */
enum { BOSC_WATCH_EVERY = 20 };

/* Add to the warnings the notes of the job, densities of channels, potentials
 * that Nernst's equation replaces, mechanisms and probes that read currents
 * which hh does not give, and clamps, with the lowest gid of their neurons.
 * BOSC_ENOMEM. */
bosc_status bosc_plausible_job(const bosc_job *job,
                               const bosc_gid_table *gid_table,
                               bosc_warnings *warnings, bosc_error *err);

/* Add to the warnings the files that are far longer, or cut far finer, than
 * those of real neurons; all templates have been read.  BOSC_ENOMEM. */
bosc_status bosc_plausible_templates(const bosc_template_table *table,
                                     bosc_warnings *warnings, bosc_error *err);

#endif
