/* status.h - one status code for the program, one sentence for the person.
 *
 * Whoever finds a failure writes the message, once, with the values in it;
 * callers pass the status on.  Serial code, included by every layer.
 */
#ifndef BOSC_SRC_BASE_STATUS_H
#define BOSC_SRC_BASE_STATUS_H

#include "include/bosc.h" /* bosc_status */

#ifdef __cplusplus
extern "C" {
#endif

#define BOSC_LEN(array) (sizeof(array) / sizeof(array)[0])

#if defined(__GNUC__)
#define BOSC_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define BOSC_PRINTF(text, args)
#endif

/* The sentence.  Files and lines come first: "file:line: reason; remedy". */
typedef struct bosc_error {
    char text[1024];
} bosc_error;

/* Write the message into err (NULL allowed; too long is cut with "...", control
 * characters become blanks) and return st, so that failing reads
 * 'return bosc_fail(err, ...)'. */
bosc_status bosc_fail(bosc_error *err, bosc_status st, const char *format, ...)
    BOSC_PRINTF(3, 4);

/* The same about a line of a file, "file:line: reason"; line 0: "file: reason".
 */
bosc_status bosc_fail_at(bosc_error *err, bosc_status st, const char *file,
                         long long line, const char *format, ...)
    BOSC_PRINTF(5, 6);

/* BOSC_ENOMEM with "out of memory for 'what'". */
bosc_status bosc_no_memory(bosc_error *err, const char *what);

/* The exit code of the program for a status, as bosc(1) lists them. */
int bosc_exit_code(bosc_status st);

#ifdef __cplusplus
}
#endif

#endif
