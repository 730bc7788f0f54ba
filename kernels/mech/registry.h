/* registry.h - the mechanisms of a job: the built-in ones
 * (kernels/mech/builtin.h), and those that the job brings along.
 *
 * A leaf: no MPI, no files.  A set begins with the built-in mechanisms; others
 * are added before a job is read, by one thread.  After that nothing changes,
 * and any number of threads may read it.  Sets share no state: two of them may
 * have different mechanisms of one name.  The order in which mechanisms are
 * added is that of the sums of conductances and currents.
 */
#ifndef BOSC_KERNELS_MECH_REGISTRY_H
#define BOSC_KERNELS_MECH_REGISTRY_H

#include "kernels/mech/mech.h"

/* Of a program for GPUs, instead of a width of groups: its kernel does a part
 * of a composed step at a time, of groups of any width. */
enum { BOSC_PROGRAM_PARTS = 1 };

/* The kernels that a job may have: one of those, and a kernel for each class of
 * cell blocks (kernels/gpu/chip/chip.h). */
enum { BOSC_PROGRAM_KERNELS = 6 };

typedef struct bosc_mechs {
    int n;
    const bosc_mech *mech[BOSC_MAX_MECHS]; /* [n] */
    struct bosc_mech_refusal *refusals;    /* a list, bosc_mechs_refuse() */
    struct bosc_mech_owned *owned;         /* a list, bosc_mechs_own() */
} bosc_mechs;

/* The built-in mechanisms (kernels/mech/builtin.c), and NULL. */
extern const bosc_mech *const bosc_mechs_builtin[];

/* Refuse parameters p[n_params] of a built-in mechanism that do not go
 * together: err says why, *param which of them is to be changed.  BOSC_EVALUE.
 */
bosc_status bosc_builtin_check(const bosc_mech *mech, const double *p,
                               int *param, bosc_error *err);

/* A set of these.  BOSC_ENOMEM. */
bosc_status bosc_mechs_create(bosc_mechs **out, bosc_error *err);

/* Free a set and what it owns; jobs, batches and engines that use it are gone
 * by then.  NULL is allowed. */
void bosc_mechs_destroy(bosc_mechs *mechs);

/* Give a set what its mechanisms are made of: release(what) is called when the
 * set is destroyed, the last one given first; at once where there is no memory.
 * BOSC_ENOMEM. */
bosc_status bosc_mechs_own(bosc_mechs *mechs, void *what,
                           void (*release)(void *what), bosc_error *err);

/* Add a mechanism, which lives as long as the set.  BOSC_EVALUE with the
 * reason: its name is taken, its description is not complete, or there are
 * BOSC_MAX_MECHS.  BOSC_ENOSUP: it is too large. */
bosc_status bosc_mechs_add(bosc_mechs *mechs, const bosc_mech *mech,
                           bosc_error *err);

/* Put a mechanism in the place of the built-in one of its name. */
void bosc_mechs_replace(bosc_mechs *mechs, const bosc_mech *mech);

/* Keep why there is no mechanism of that name.  BOSC_ENOMEM. */
bosc_status bosc_mechs_refuse(bosc_mechs *mechs, const char *name,
                              const char *why, bosc_error *err);

/* Why there is no mechanism of that name, where somebody knows; or NULL. */
const char *bosc_mechs_refused(const bosc_mechs *mechs, const char *name);

/* The number of the mechanism of that name, or -1. */
int bosc_mechs_find(const bosc_mechs *mechs, const char *name);

#endif
