/* component.h - the neurons that some neurons are coupled with, directly and
 * through others.
 */
#ifndef BOSC_SRC_VERIFY_COMPONENT_H
#define BOSC_SRC_VERIFY_COMPONENT_H

#include "src/comm/comm.h"
#include "src/model/model.h"

/* Neurons of a component, at most. */
enum { BOSC_COMPONENT_MOST = 64 };

/* chosen: [all neurons] by gid, the same on all ranks; those that the chosen
 * ones are coupled with become chosen, too.  BOSC_ENOSUP for a component of
 * more than BOSC_COMPONENT_MOST, BOSC_ENOMEM.  Collective. */
bosc_status bosc_component_complete(const bosc_comm *comm,
                                    const bosc_model *model, bool *chosen,
                                    bosc_error *err);

#endif
