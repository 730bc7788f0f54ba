/* coupling.h - gap junctions and graded synapses: the currents that the
 * voltages of other neurons at the start of a step drive in it.
 *
 *   pairs    each rank makes those of its own targets, and sends them to the
 *            ranks of their sources
 *   ends     a pair drives a current at its target, a gap also at its source:
 *            an end is one compartment here and its partner
 *   matrix   the ends of a coupling are a matrix: a row for each compartment
 *            here that receives current, a column for each partner anywhere
 *   step     the ranks exchange the voltages of partners; matrices times
 *            voltages give the injected currents and conductances
 *
 * The voltages of a step's end, which the next one begins with, are sent as
 * soon as the engine has those that other ranks need (bosc_step_input.sent),
 * and travel while it computes all else.
 *
 * A gap's row i gives the conductance sum g_ij and the current sum g_ij v_j:
 * the own voltage is that of the step's end, the others' of its start (NEURON's
 * gap.mod).  A graded synapse gives the conductance g_i = sum w_ij s_j, s_j =
 * 1 / (1 + exp(-(v_j - half) / slope)), and the current g_i e.
 *
 * Rows are summed in the order of the partners' gids, so no result
 * depends on ranks, threads or formats.
 */
#ifndef BOSC_SRC_NETWORK_COUPLING_H
#define BOSC_SRC_NETWORK_COUPLING_H

#include <stdbool.h>

#include "kernels/batch/batch.h"
#include "kernels/batch/link.h"
#include "src/comm/comm.h"
#include "src/comm/voltage_exchange.h"
#include "src/network/network.h"

typedef struct bosc_coupling bosc_coupling;

/* Of the job's couplings; the batch, which has its layout, and the job must
 * outlive it, the files of the network need not.  Collective. */
bosc_status bosc_coupling_create(const bosc_comm *comm, const bosc_model *model,
                                 const bosc_batch *batch, int threads,
                                 bosc_coupling **out, bosc_error *err);
void bosc_coupling_destroy(bosc_coupling *couplings);

/* An engine that computes what is injected by itself
 * (kernels/step/engine.h). */
struct bosc_engine;
typedef struct bosc_coupling_device {
    bosc_status (*voltages)(struct bosc_engine *engine, double *to,
                            bosc_error *err); /* NULL: it does not */
    struct bosc_engine *engine;
} bosc_coupling_device;

/* Where the couplings talk: send the voltages of now that other ranks need,
 * with which the next step begins, and whether this rank has failed, which *st
 * says, also of taking them from the device.  Returns at once; once for each
 * step at most.  Collective. */
void bosc_coupling_send(bosc_coupling *couplings,
                        const bosc_coupling_device *device, bosc_status *st,
                        bosc_error *err);

/* Let messages move on, if any are on their way, without waiting. */
void bosc_coupling_poll(bosc_coupling *couplings);

/* Before a step: wait for the voltages of other ranks, which are sent here if
 * they have not been, and compute what is injected in the step that begins with
 * batch->v, if the device does not.  Collective where the couplings talk, which
 * is the same on all ranks: then all return false where any had failed when it
 * sent. */
bool bosc_coupling_step(bosc_coupling *couplings,
                        const bosc_coupling_device *device, bosc_status *st,
                        bosc_error *err);

/* Compartments of this rank that coupling number k of the job acts on. */
int64_t bosc_coupling_compartments(const bosc_coupling *couplings, int k);

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
bosc_status bosc_coupling_check(const bosc_coupling *couplings,
                                const bosc_network_spec *network,
                                const bosc_batch *batch, bosc_strong_gaps *out,
                                bosc_error *err);

/* What couplings know; pointers are into them. */
typedef struct bosc_coupling_view {
    bool talks;                    /* ranks exchange voltages in a step */
    const bosc_injected *injected; /* in the step that was computed */
    int64_t n_pairs;               /* whose target is on this rank */
    const struct bosc_coupling_matrix *matrix; /* [n_couplings] of the job */
    double injecting;             /* s, computing what is injected, so far */
    bosc_exchange_times exchange; /* of voltages, so far */
} bosc_coupling_view;

bosc_coupling_view bosc_coupling_look(const bosc_coupling *couplings);

#endif
