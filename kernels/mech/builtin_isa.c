/* builtin_isa.c - the loops of the built-in mechanisms.
 *
 * Compiled once for each instruction set with its -march and -DBOSC_ISA=NAME;
 * kernels/step/cpu.c chooses at run time.
 */
#include "kernels/mech/builtin.h"

#define LOOPS(name) BOSC_##name##_LOOPS
#define POINT(name) BOSC_MECH_LOOPS(name)
#define STATIC(name)
#define MAKE(name, kind) kind(name)

BOSC_BUILTIN_MECHS(MAKE)
