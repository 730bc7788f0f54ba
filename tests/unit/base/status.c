/* status.c - the message of a failure. */
#include <string.h>

#include "src/base/status.h"
#include "tests/lib/tap.h"

int main(void)
{
    char longer[2 * sizeof((bosc_error *)0)->text];
    bosc_error err = {""};
    size_t n;

    ok(bosc_fail(NULL, BOSC_EIO, "%s", "") == BOSC_EIO,
       "a failure that nobody asks about keeps its status");
    ok(bosc_fail(&err, BOSC_EFORMAT, "job.yaml:%d: '%s'", 12,
                 "a\r\nb\tc\x1b[2Jd\x7f") == BOSC_EFORMAT &&
           strcmp(err.text, "job.yaml:12: 'a  b c [2Jd '") == 0,
       "a message is one line, whatever the value in it: %s", err.text);
    bosc_fail(&err, BOSC_EIO, "%s", "caf\u00e9.swc");
    ok(strcmp(err.text, "caf\u00e9.swc") == 0, "letters beyond ASCII stay");
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    bosc_fail(&err, BOSC_EIO, "%s", longer);
    n = strlen(err.text);
    ok(n == sizeof err.text - 1 && strcmp(err.text + n - 4, "x...") == 0,
       "one that is too long ends in dots");
    return done_testing();
}
