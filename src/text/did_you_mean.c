#include "src/text/did_you_mean.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40, SHORT = 3 };

bool bosc_is_among(const char *word, size_t n, const char *const *names)
{
    for (size_t i = 0; i < n; ++i)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance of two words of at most LONGEST bytes. */
static int distance(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    int d[LONGEST + 1][LONGEST + 1];

    for (int i = 0; i <= n; ++i)
        d[i][0] = i;
    for (int j = 0; j <= m; ++j)
        d[0][j] = j;
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j) {
            const int differ = lower(a[i - 1]) != lower(b[j - 1]);

            d[i][j] = least(d[i - 1][j - 1] + differ,
                            least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *bosc_suggest(const char *word, size_t n, const char *const *names)
{
    const size_t length = strlen(word);
    const char *best = NULL;
    int nearest = length < 3 ? 1 : (int)length / 3;

    if (length > LONGEST)
        return NULL;
    for (size_t i = 0; i < n; ++i) {
        if (strlen(names[i]) > LONGEST)
            continue;
        const int away = distance(word, names[i]);

        /* Of a short word something must be left, its beginning at least. */
        if (away < (int)strlen(names[i]) &&
            (length > SHORT || lower(word[0]) == lower(names[i][0])) &&
            (away < nearest || (best == NULL && away == nearest))) {
            nearest = away;
            best = names[i];
        }
    }
    return best;
}

const char *bosc_join_names(const char *intro, size_t n,
                            const char *const *names, char *buffer, size_t size)
{
    size_t used = (size_t)snprintf(buffer, size, "%s", intro);

    for (size_t i = 0; i < n && used < size; ++i)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                 i > 0 ? ", " : " ", names[i]);
    if (used >= size && size > 4)
        strcpy(buffer + size - 4, "...");
    return buffer;
}

const char *bosc_did_you_mean(const char *word, size_t n,
                              const char *const *names, const char *intro,
                              char *buffer, size_t size)
{
    const char *meant = bosc_suggest(word, n, names);

    if (meant == NULL)
        return bosc_join_names(intro, n, names, buffer, size);
    snprintf(buffer, size, "did you mean '%s'?", meant);
    return buffer;
}
