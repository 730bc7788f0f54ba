#include "src/morphology/read/mend.h"

#include <stdarg.h>
#include <stdio.h>

bosc_status bosc_mend_no_memory(const bosc_mending *m)
{
    return bosc_fail(m->err, BOSC_ENOMEM, "%s: out of memory", m->name);
}

bosc_status bosc_mend(const bosc_mending *m, int64_t line, const char *done,
                      const char *remedy, const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (m->strict)
        return bosc_fail(m->err, BOSC_EFORMAT, "%s:%lld: %s; %s", m->name,
                         (long long)line, what, remedy);
    return bosc_warn(m->repairs, NULL, "%s:%lld: %s, %s", m->name,
                     (long long)line, what, done) == BOSC_OK
               ? BOSC_OK
               : bosc_mend_no_memory(m);
}
