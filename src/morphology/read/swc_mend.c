/* swc_mend.c - note a repair, or refuse the file where 'strict' asks for it. */
#include "src/morphology/read/swc_reader.h"

#include <stdarg.h>

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
    if (r->strict)
        return bosc_fail(r->err, BOSC_EFORMAT, "%s:%lld: %s; %s", r->name,
                         (long long)line, what, remedy);
    return bosc_warn(&r->repairs, NULL, "%s:%lld: %s, %s", r->name,
                     (long long)line, what, done) == BOSC_OK
               ? BOSC_OK
               : bosc_swc_no_memory(r);
}
