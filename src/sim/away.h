/* away.h - the voltages of other neurons that POINTERs of mechanisms stand for:
 * which rank has them, and the messages that bring them.
 *
 * All of them go to all ranks.  They are brought when a step has found its
 * voltages and before it advances the states: so a state is advanced with the
 * new voltage of the other neuron, and the current of the next step has the
 * same, as in NEURON.
 */
#ifndef BOSC_SRC_SIM_AWAY_H
#define BOSC_SRC_SIM_AWAY_H

#include "src/batch/batch_build.h"
#include "src/comm/comm.h"

typedef struct bosc_away_exchange bosc_away_exchange;

/* Of what all ranks want (built->away); 'built' must outlive it.  Collective.
 * BOSC_ENOMEM, or BOSC_EVALUE where a neuron has no such place. */
bosc_status bosc_away_create(const bosc_comm *comm, const bosc_model *model,
                             bosc_built_batch *built, bosc_away_exchange **out,
                             bosc_error *err);
void bosc_away_destroy(bosc_away_exchange *away);

/* Bring the voltages of now; 'failed' announces that this rank has.  False
 * where any rank has.  Collective. */
bool bosc_away_bring(bosc_away_exchange *away, bool failed);

/* Seconds that it took so far. */
double bosc_away_seconds(const bosc_away_exchange *away);

#endif
