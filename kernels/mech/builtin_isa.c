/* builtin_isa.c - the loops of the built-in mechanisms.
 *
 * Compiled once for each instruction set with its -march and -DBOSC_ISA=NAME;
 * kernels/step/cpu.c chooses at run time.
 */
#define BOSC_MECH_LOOPS

#include "kernels/mech/builtin.h"
