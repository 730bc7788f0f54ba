/* network_load.h - what files say about the network, read by rank 0 and sent to
 * all, block by block: each rank keeps what concerns its own neurons.
 */
#ifndef BOSC_SRC_NETWORK_NETWORK_LOAD_H
#define BOSC_SRC_NETWORK_NETWORK_LOAD_H

#include "src/comm/comm.h"
#include "src/network/network.h"
#include "src/network/source.h"

/* Read the lists of projections and the positions of populations.  Collective.
 * *files is to be cleared, whatever is returned. */
bosc_status bosc_network_files_read(const bosc_comm *comm,
                                    const bosc_model *model,
                                    bosc_network_files *files, bosc_error *err);
void bosc_network_files_clear(const bosc_job *job, bosc_network_files *files);

/* Give the times in the files of the job's sources to 'sources', whose source
 * number i of spec s has the id first_id[s] + i; n_times[s] is how many of
 * these are before the end of the run, 0 for a spec without a file. Collective.
 */
bosc_status bosc_network_times_read(const bosc_comm *comm, const bosc_job *job,
                                    const int64_t *first_id,
                                    bosc_sources *sources, int64_t *n_times,
                                    bosc_error *err);

#endif
