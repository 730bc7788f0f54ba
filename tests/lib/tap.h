/* tap.h - print TAP from C: ok(), is-close, skip, and the plan at the end. */
#ifndef BOSC_TESTS_LIB_TAP_H
#define BOSC_TESTS_LIB_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3))) static inline bool
ok(bool passed, const char *format, ...)
{
    va_list args;

    printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    tap_failed += !passed;
    return passed;
}

/* A line of diagnosis after a failed test. */
__attribute__((format(printf, 1, 2))) static inline void
diag(const char *format, ...)
{
    va_list args;

    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

__attribute__((format(printf, 1, 2))) static inline void
skip(const char *format, ...)
{
    va_list args;

    printf("ok %d # SKIP ", ++tap_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout); /* or a fork prints it again */
}

/* The plan, and main's exit code. */
static inline int done_testing(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
