/* members.h - the members of a sweep, one by one.  Internal to src/sweep/. */
#ifndef BOSC_SRC_SWEEP_MEMBERS_H
#define BOSC_SRC_SWEEP_MEMBERS_H

#include "src/job/job_keys.h"
#include "src/sweep/axes.h"

/* The job of a member alone. */
bosc_status bosc_sweep_member_job(const bosc_sweep_axes *axes,
                                  const bosc_job_tree *tree, const char *path,
                                  int number, bosc_job **out, bosc_error *err);

/* Hand the tree of each member, with its values, to 'visit', until that fails;
 * the tree itself without a sweep.  Trees live until it returns. */
typedef bosc_status bosc_root_visitor(const bosc_yaml *root, void *to,
                                      bosc_error *err);
bosc_status bosc_sweep_visit(const bosc_mechs *mechs, const bosc_job_tree *tree,
                             bosc_root_visitor *visit, void *to,
                             bosc_error *err);

/* Its name and values; what it holds is freed with the sweep, also after a
 * failure. */
bosc_status bosc_sweep_member_describe(const bosc_sweep_axes *axes, int number,
                                       const bosc_swept *keys,
                                       bosc_member *member, bosc_error *err);

/* What members have in common that run in one time loop, as a text that is the
 * caller's; NULL without memory. */
char *bosc_sweep_common(const bosc_job *job, const char *values);

/* The keys of all members, with names and units; 'keys' is [axes->n_keys], and
 * freed with the sweep. */
bosc_status bosc_sweep_keys(const bosc_sweep_axes *axes, bosc_swept *keys,
                            bosc_error *err);

/* Put jobs together (join.c): 'own' [n] of one group become '*out', and are
 * gone, whatever is returned. */
bosc_status bosc_sweep_join(int n, bosc_job **own, bosc_job **out,
                            bosc_error *err);

#endif
