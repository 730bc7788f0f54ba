/* post.h - the spikes of an epoch travel to all ranks while the next epoch
 * is computed.
 *
 * Two non-blocking collectives, on a communicator of their own: how many spikes
 * each rank has, then the spikes.  A failure travels with the count, so that
 * no other agreement is needed inside the time loop.
 *
 * Every rank starts, and finishes, the same exchanges in the same order; one at
 * a time.
 */
#ifndef BOSC_SRC_POST_H
#define BOSC_SRC_POST_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/inbox.h"

typedef struct bosc_post bosc_post;

/* Collective. */
bosc_status bosc_post_create(MPI_Comm comm, bosc_post **out, bosc_error *err);
void bosc_post_destroy(bosc_post *post);

/* Send n spikes, which are copied, and whether this rank has failed.  A rank
 * without memory for them fails, which bosc_post_status() tells. */
void bosc_post_start(bosc_post *post, size_t n, const bosc_heard *spikes,
                     bool failed);

/* Move on as far as possible without waiting; true when it is over. */
bool bosc_post_poll(bosc_post *post);

/* Wait until it is over, without holding the core. */
void bosc_post_finish(bosc_post *post);

/* When it is over: has any rank failed, and has this one in the exchange itself
 * (BOSC_ENOMEM)?  If none has, the spikes of all ranks. */
bool bosc_post_failed(const bosc_post *post);
bosc_status bosc_post_status(const bosc_post *post, bosc_error *err);
const bosc_heard *bosc_post_spikes(const bosc_post *post, size_t *n);

#endif
