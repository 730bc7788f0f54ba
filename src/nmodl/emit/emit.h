/* emit.h - a program as C text, the same for CPU and CUDA.
 *
 * Serial code: no MPI.  The text is a header with tables, formulas, loops for
 * CPUs and a description (kernels/mech/mech.h); it needs
 * kernels/mech/emitted.h. Formulas of a mechanism that is not plain take more
 * than p, k, s and v:
 *
 *     here[]    v (mV), t (ms), diam (um) and area (um2) of the compartment
 *     ion[]     the variables of its ions, in the order of bosc_NAME_ions
 *     weight[]  of an event, and what NET_RECEIVE keeps beside it
 *     flag      of an event: 0 from outside, else as the instance sent it
 *     stream[4] of all functions of a mechanism that draws random numbers,
 *               which ones are the instance's (kernels/base/random.h): three
 *               ids, the same on any number of ranks, and the job's seed.  How
 *               many it drew is its hidden state "drawn".  Of one that reads a
 *               table, where that is (bosc_block_play()).
 *     connection[n_connections]
 *               the weight[] of each connection to the instance, also that of
 *               the event itself, of a receive with FOR_NETCONS
 *     sent      where an instance puts events to itself and spikes
 *
 * Who calls them must further know:
 *
 *     receive   may change here[0], the voltage of the compartment, where its
 *               argument says 'double *here': the compartment goes on with that
 *     watch     of a mechanism with WATCH: is to be called for each instance at
 *               the beginning of each step, with that v and t, before events
 *               are delivered; what it leaves in sent is delivered at once
 */
#ifndef BOSC_SRC_NMODL_EMIT_EMIT_H
#define BOSC_SRC_NMODL_EMIT_EMIT_H

#include <stdio.h>

#include "src/nmodl/passes/program.h"

enum { BOSC_NM_HERE_V, BOSC_NM_HERE_T, BOSC_NM_HERE_DIAM, BOSC_NM_HERE_AREA };

/* Write the header: formulas, and behind them what GPUs call, for __CUDACC__.
 * Takes no memory of the arena, so that a file may be open. */
void bosc_nm_emit(FILE *out, const bosc_nm_program *p);

/* The two parts by themselves, of what is built in: formulas, and the functions
 * of a GPU for an instance of a block (emit_cuda.c). */
void bosc_nm_emit_formulas(FILE *out, const bosc_nm_program *p);
void bosc_nm_emit_blocks(FILE *out, const bosc_nm_program *p);

/* --- between the files of emit --- */

/* The shortest decimal number that is this one. */
void bosc_nm_emit_number(FILE *out, double value);

/* What the text calls a symbol: its place in k[], or a variable. */
void bosc_nm_emit_name(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_symbol *s);
void bosc_nm_emit_expr(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_expr *e);

/* A text in which '@' stands for a name, as it is printed for each mechanism;
 * in emit_text.c. */
void bosc_nm_emit_named(FILE *out, const char *name, const char *text);

/* "from BREAKPOINT, line 31", within a comment, and a text of the file there;
 * in emit_origin.c. */
void bosc_nm_emit_origin(FILE *out, const bosc_nm_program *p,
                         bosc_nm_entry_kind kind);
void bosc_nm_emit_plain(FILE *out, const char *text);

/* What GPUs call, for __CUDACC__; in emit_cuda.c. */
void bosc_nm_emit_cuda(FILE *out, const bosc_nm_program *p);

/* What the formulas use, as the members of bosc_mech of these names; in
 * emit_describe.c. */
typedef struct bosc_nm_uses {
    unsigned reads, in_current, in_advance; /* bits of ion[] */
    unsigned currents, advances;
    bool geometry, current_states, flows, evolves, stimulus;
} bosc_nm_uses;

bosc_nm_uses bosc_nm_uses_of(const bosc_nm_program *p);

/* Is it what a probe records of an electrode (variables.c)?  That of a
 * mechanism at every compartment, or with NET_RECEIVE, is membrane current; in
 * emit_describe.c. */
bool bosc_nm_is_injected(const bosc_nm_program *p, const bosc_nm_symbol *s);

/* How the mechanism uses each of the variables in ion[]; in emit_describe.c. */
void bosc_nm_emit_uses(FILE *out, const bosc_nm_program *p);

/* Which of the states are POINTERs; in emit_describe.c. */
void bosc_nm_emit_pointers(FILE *out, const bosc_nm_program *p);

/* The functions of one instance, and bosc_NAME; in emit_describe.c. */
void bosc_nm_emit_description(FILE *out, const bosc_nm_program *p);

/* Loops over instances for CPUs; in emit_loops.c. */
void bosc_nm_emit_loops(FILE *out, const bosc_nm_program *p);

/* ns of an instance's step, for estimates; in emit_cost.c. */
int bosc_nm_cost(const bosc_nm_program *p);

/* The body of an entry's function, without its braces; of ADVANCE also of its
 * forms, where one is given. */
void bosc_nm_emit_entry(FILE *out, const bosc_nm_program *p,
                        bosc_nm_entry_kind kind, const bosc_nm_list *form);

/* The body of a part of ADVANCE, which has number j of kept[][j], what parts
 * pass on, and of rounds whether they 'go' on for the instance. */
void bosc_nm_emit_part(FILE *out, const bosc_nm_program *p, int k);

#endif
