#include "src/base/history.h"

#include <stdlib.h>
#include <time.h>

#include "src/base/mem.h"

char *bosc_history_line(const char *command)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    const time_t now =
        fixed != NULL ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm utc = {0};
    char date[64] = "";

    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return bosc_format("%s: %s", date, command);
}
