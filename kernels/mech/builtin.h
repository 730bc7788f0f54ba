/* builtin.h - the mechanisms that bosc brings along, in the order of their
 * registration: all that is to be changed for one more header. */
#ifndef BOSC_KERNELS_MECH_BUILTIN_H
#define BOSC_KERNELS_MECH_BUILTIN_H

#include "kernels/mech/Exp2Syn.h"
#include "kernels/mech/ExpSyn.h"
#include "kernels/mech/hh.h"
#include "kernels/mech/pas.h"

/* X(name, kind): STATIC has no loops, LOOPS has, POINT receives events, too. */
#define BOSC_BUILTIN_MECHS(X)                                                  \
    X(pas, STATIC) X(hh, LOOPS) X(ExpSyn, POINT) X(Exp2Syn, POINT)

/* Their numbers, for tests. */
#define BOSC_BUILTIN_NUMBER(name, kind) BOSC_MECH_##name,
enum { BOSC_BUILTIN_MECHS(BOSC_BUILTIN_NUMBER) BOSC_N_BUILTIN_MECHS };
#undef BOSC_BUILTIN_NUMBER

#endif
