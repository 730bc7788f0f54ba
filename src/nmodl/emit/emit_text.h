/* emit_text.h - pieces of what is printed for GPUs, between emit_cuda.c and
 * emit_point.c. */
#ifndef BOSC_SRC_NMODL_EMIT_EMIT_TEXT_H
#define BOSC_SRC_NMODL_EMIT_EMIT_TEXT_H

#include "src/nmodl/emit/emit.h"

bool bosc_nm_is_point(const bosc_nm_program *p);

/* States, and of a full mechanism what is kept of a connection. */
int bosc_nm_n_kept(const bosc_nm_program *p);

/* The name of ion[j]. */
const char *bosc_nm_ion_name(const bosc_nm_program *p, int j);

/* A text in which '@' stands for the name of the mechanism. */
void bosc_nm_write_named(FILE *out, const bosc_nm_program *p, const char *text);

/* A comment: what a function does, and the blocks that this comes from. */
void bosc_nm_write_comment(FILE *out, const bosc_nm_program *p,
                           const char *text, bosc_nm_entry_kind kind);

/* Declare the arrays p, k, s and ion of an instance, where they have a size,
 * and 'more'. */
void bosc_nm_write_arrays(FILE *out, int p, int k, int s, int ion,
                          const char *more);

/* Fill ion[] of what 'to' is before, "one->" or "", at a slot. */
void bosc_nm_write_ion_loads(FILE *out, const bosc_nm_program *p,
                             const char *to, const char *slot);

/* --- calls of formulas ----------------------------------------------------
 *
 * A call goes on in the next line where a line is full.  It ends with what the
 * caller prints behind the last argument. */
typedef struct bosc_nm_call_text {
    FILE *out;
    int column, begin;
} bosc_nm_call_text;

bosc_nm_call_text bosc_nm_call_begin(FILE *out, int depth, const char *before,
                                     const bosc_nm_program *p,
                                     const char *function);
void bosc_nm_call_add(bosc_nm_call_text *c, const char *of, const char *name);

/* All arguments of an entry of the full form; what an instance has is called by
 * its names, with 'of' before them. */
void bosc_nm_call_add_full(bosc_nm_call_text *c, const bosc_nm_program *p,
                           bosc_nm_entry_kind kind, const char *of,
                           const char *states);

/* Of CURRENT or ADVANCE of any form; in the plain one the voltage is 'v'. */
void bosc_nm_call_add_step(bosc_nm_call_text *c, const bosc_nm_program *p,
                           bosc_nm_entry_kind kind, const char *v,
                           const char *states);

/* In emit_point.c: of the job's own, a full point process. */
void bosc_nm_emit_point(FILE *out, const bosc_nm_program *p);

#endif
