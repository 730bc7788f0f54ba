/* coupling.h - gap junctions and graded synapses: what neurons feel, in every
 * step, of the voltages that others have at its start.
 *
 *   pairs    each rank makes those of its own targets, and tells them to the
 *            ranks of their sources
 *   halves   a pair is felt at its target, a gap also at its source: a half is
 *            one compartment here and what it feels
 *   meshes   the halves of a coupling are a matrix: a row for each compartment
 *            here that feels, a column for each one anywhere that is felt
 *   step     the voltages that are felt on other ranks travel, matrices times
 *            voltages give the drive of the step
 *
 * A gap's row i gives the conductance sum g_ij and the current sum g_ij v_j:
 * the own voltage is that of the step's end, the others' of its start (NEURON's
 * gap.mod).  A graded synapse gives the conductance g_i = sum w_ij s_j, s_j =
 * 1 / (1 + exp(-(v_j - half) / slope)), and the current g_i e.
 *
 * Rows are summed in the order of the gids of what is felt, so no result
 * depends on ranks, threads or formats.
 */
#ifndef BOSC_SRC_NETWORK_COUPLING_H
#define BOSC_SRC_NETWORK_COUPLING_H

#include <mpi.h>
#include <stdbool.h>

#include "kernels/batch/batch.h"
#include "src/network/network.h"

typedef struct bosc_coupling bosc_coupling;

/* Of the job's couplings; the batch, which has its layout, and the job must
 * outlive it, the files of the network need not.  Collective. */
bosc_status bosc_coupling_create(MPI_Comm comm, const bosc_model *model,
                                 const bosc_batch *batch, int threads,
                                 bosc_coupling **out, bosc_error *err);
void bosc_coupling_destroy(bosc_coupling *couple);

/* Make the drive of the step that begins with batch->v.  Collective where
 * bosc_coupling_talks(), which all ranks agree about: then 'failed' tells all
 * ranks that this one has failed, and all return false where any has. */
bool bosc_coupling_step(bosc_coupling *couple, bool failed);
bool bosc_coupling_talks(const bosc_coupling *couple);

const bosc_injected *bosc_coupling_drive(const bosc_coupling *couple);

/* Pairs whose target is on this rank. */
int64_t bosc_coupling_pairs(const bosc_coupling *couple);

/* Compartments of this rank that coupling number k of the job acts on. */
int64_t bosc_coupling_compartments(const bosc_coupling *couple, int k);

/* The compartments here whose gap junctions together have more conductance than
 * C/dt.  Two such compartments, each of which takes the other's voltage from
 * the step's start, exchange their voltages in every step instead of coming to
 * one.
 */
typedef struct bosc_strong_gaps {
    int64_t neurons;      /* that have one; and of the first of these neurons */
    int32_t neuron, node; /* the compartment with the largest quotient, */
    int coupling;         /* the strongest there, of the job's, */
    double conductance;   /* of all of them (uS), */
    double limit;         /* and C/dt (uS) */
} bosc_strong_gaps;

/* 'batch' is the couplings'.  What has no membrane has no limit.  Not
 * collective.  BOSC_ENOMEM. */
bosc_status bosc_coupling_check(const bosc_coupling *couple,
                                const bosc_job *job, const bosc_batch *batch,
                                bosc_strong_gaps *out, bosc_error *err);

/* Seconds that steps took so far, and of them those spent on messages. */
typedef struct bosc_coupling_times {
    double all, messages;
} bosc_coupling_times;

bosc_coupling_times bosc_coupling_seconds(const bosc_coupling *couple);

#endif
