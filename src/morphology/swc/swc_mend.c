/* mend.h for the reader of SWC. */
#include "src/morphology/swc/swc_reader.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/morphology/read/mend.h"

bosc_status bosc_swc_no_memory(bosc_swc_reader *r)
{
    return bosc_fail(r->err, BOSC_ENOMEM, "%s: out of memory", r->name);
}

bosc_status bosc_swc_mend(bosc_swc_reader *r, int64_t line, const char *done,
                          const char *remedy, const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return bosc_mend(&(bosc_mending){r->name, r->strict, r->err, &r->repairs},
                     line, done, remedy, "%s", what);
}
