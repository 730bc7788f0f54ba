#include "src/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A value that the message shows may hold line ends, or what moves a terminal's
 * cursor. */
static void keep_one_line(char *text)
{
    for (; *text != '\0'; ++text)
        if ((unsigned char)*text < ' ' || *text == '\x7f')
            *text = ' ';
}

bosc_status bosc_fail(bosc_error *err, bosc_status st, const char *format, ...)
{
    if (err != NULL) {
        va_list args;

        va_start(args, format);
        const int n = vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        if (n >= (int)sizeof err->text)
            strcpy(err->text + sizeof err->text - 4, "...");
        keep_one_line(err->text);
    }
    return st;
}

bosc_status bosc_fail_at(bosc_error *err, bosc_status st, const char *file,
                         long long line, const char *format, ...)
{
    bosc_error why;
    va_list args;

    va_start(args, format);
    vsnprintf(why.text, sizeof why.text, format, args);
    va_end(args);
    return line == 0 ? bosc_fail(err, st, "%s: %s", file, why.text)
                     : bosc_fail(err, st, "%s:%lld: %s", file, line, why.text);
}

bosc_status bosc_no_memory(bosc_error *err, const char *what)
{
    return bosc_fail(err, BOSC_ENOMEM, "out of memory for %s", what);
}

int bosc_exit_code(bosc_status st)
{
    /* The BSDs' numbers, but for what shells and their programs agree on. */
    static const int codes[BOSC_N_STATUSES] = {
        [BOSC_OK] = 0,       [BOSC_EUSAGE] = 2,    [BOSC_ENOINPUT] = 66,
        [BOSC_EFORMAT] = 65, [BOSC_EVALUE] = 65,   [BOSC_EOUTPUT] = 73,
        [BOSC_EIO] = 74,     [BOSC_ENOMEM] = 71,   [BOSC_ENOSUP] = 69,
        [BOSC_EINTR] = 130,  [BOSC_EREQUEUE] = 75, [BOSC_EINTERNAL] = 70,
    };

    return codes[st];
}
