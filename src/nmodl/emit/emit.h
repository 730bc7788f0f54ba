/* emit.h - a program as C text, the same for CPU and CUDA.
 *
 * Serial code: no MPI.  The text is a header like those in kernels/mech.  Where
 * the mechanism is static or plain, it is one: describe.h makes loops and a
 * description of it.  A full one has functions of the same names that take
 * more:
 *
 *     here[]    v (mV), t (ms), diam (um) and area (um2) of the compartment
 *     ion[]     the variables of its ions, in the order of bosc_NAME_ions
 *     weight[]  of an event, and what NET_RECEIVE keeps beside it
 *     flag      of an event: 0 from outside, else as the instance sent it
 *     sent      where an instance puts events to itself and spikes
 *
 * ABI.  For mechanisms that are built by themselves and loaded, a description
 * must have: its version and size first; name, file and hash of all sources
 * with their INCLUDEs; kind; params {name, unit, RANGE or GLOBAL, default,
 * limits}; states {name, unit, hidden}; ions {name, reads, writes, valence};
 * weights; flags (the current is linear in v; its g and g E never change; it
 * writes concentrations; it is a point process or an electrode); prepare, init,
 * receive for one instance, current and advance as loops for each instruction
 * set; and the text for CUDA.
 */
#ifndef BOSC_SRC_NMODL_EMIT_EMIT_H
#define BOSC_SRC_NMODL_EMIT_EMIT_H

#include <stdio.h>

#include "src/nmodl/passes/program.h"

enum { BOSC_NM_HERE_V, BOSC_NM_HERE_T, BOSC_NM_HERE_DIAM, BOSC_NM_HERE_AREA };

/* Write the header.  Takes no memory of the arena, so that a file may be open.
 */
void bosc_nm_emit(FILE *out, const bosc_nm_program *p);

/* --- between the files of emit --- */

/* The shortest decimal number that is this one. */
void bosc_nm_emit_number(FILE *out, double value);

/* What the text calls a symbol: its place in k[], or a variable. */
void bosc_nm_emit_name(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_symbol *s);
void bosc_nm_emit_expr(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_expr *e);

/* The body of an entry's function, without its braces. */
void bosc_nm_emit_entry(FILE *out, const bosc_nm_program *p,
                        bosc_nm_entry_kind kind);

#endif
