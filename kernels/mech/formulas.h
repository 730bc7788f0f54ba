/* formulas.h - the inline formulas of all mechanisms (mech.h). */
#ifndef BOSC_KERNELS_MECH_FORMULAS_H
#define BOSC_KERNELS_MECH_FORMULAS_H

#include "kernels/mech/Exp2Syn.h"
#include "kernels/mech/ExpSyn.h"
#include "kernels/mech/hh.h"
#include "kernels/mech/pas.h"

#endif
