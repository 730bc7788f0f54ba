#include "src/select/streamed.h"

#include <stdio.h>

#include "src/base/progress.h"

const char *bosc_streamed_say_all(const bosc_limit *limit,
                                  char text[BOSC_STREAMED_TEXT])
{
    text[0] = '\0';
    if (limit != NULL)
        snprintf(text, BOSC_STREAMED_TEXT, "all neurons streamed (%s)",
                 limit->what);
    return text;
}

const char *bosc_streamed_say(const bosc_streamed *streamed,
                              char text[BOSC_STREAMED_TEXT])
{
    char a[32], b[32];

    if (streamed->limit == NULL || streamed->n == streamed->of)
        return bosc_streamed_say_all(streamed->limit, text);
    snprintf(text, BOSC_STREAMED_TEXT, "%s of %s neurons streamed (%s)",
             bosc_human_count(streamed->n, a),
             bosc_human_count(streamed->of, b), streamed->limit->what);
    return text;
}
