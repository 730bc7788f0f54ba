#include "bench/solve/csv.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The list from its next word on; NULL after the last. */
static const char *next(const char *list)
{
    list += strcspn(list, ",");
    return *list == ',' ? list + 1 : NULL;
}

bool bosc_csv_at(const char *list, int k, char *word, size_t size)
{
    for (; k > 0 && list != NULL; --k)
        list = next(list);
    if (list == NULL)
        return false;
    snprintf(word, size, "%.*s", (int)strcspn(list, ","), list);
    return true;
}

bool bosc_csv_has(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (; list != NULL; list = next(list))
        if (strcspn(list, ",") == length &&
            strncasecmp(list, word, length) == 0)
            return true;
    return false;
}
