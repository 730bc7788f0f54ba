/* fuzz.h - what the fuzzing harnesses share.
 *
 * Serial code: no MPI.  A harness takes any bytes for one kind of input, lets
 * the program read them, and checks what must hold whatever they are.
 * CONTRIBUTING.md says how to run one.
 */
#ifndef BOSC_TESTS_FUZZ_FUZZ_H
#define BOSC_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

/* libFuzzer calls it with each input; -1: not worth keeping. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Longer inputs only take longer. */
enum { FUZZ_LONGEST = 100000 };

/* End the process, a finding, where this does not hold. */
#define must(condition)                                                        \
    ((condition) ? (void)0 : fuzz_found(__FILE__, __LINE__, #condition))
void fuzz_found(const char *file, int line, const char *condition);

/* A failure has a message of one line, a success none. */
void fuzz_must_explain(bosc_status st, const bosc_error *err);

/* A folder of this process; it has one file under the names input, list.tsv,
 * a.swc and b.swc, which holds what was put last. */
const char *fuzz_folder(void);
void fuzz_put(const void *bytes, size_t n);

/* The path of a name in that folder; the same buffer at each call. */
const char *fuzz_path(const char *name);

/* One byte after the other; 0 behind the last. */
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;
int fuzz_take(fuzz_bytes *from);

#endif
