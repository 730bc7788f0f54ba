/* job_set.c - what '--set' says: assignments to a job's tree, and comments
 * in the text that the result keeps. */
#include "src/job/job_keys.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/yaml_line.h"

enum { LONGEST_SHOWN = 120 };

/* A line break would end a comment; the last byte is one that should. */
static void join_lines(char *comment)
{
    char *p = comment + bosc_yaml_rest(comment);

    for (size_t n; (n = bosc_yaml_break(p)) > 0 && p[n] != '\0';
         p += bosc_yaml_rest(p))
        memset(p, ' ', n);
}

char *bosc_set_text(const char *text, int n_set, const char *const *set)
{
    char *all = bosc_strdup(text);

    for (int i = 0; all != NULL && i < n_set; ++i) {
        const size_t n = strlen(all);
        const char *apart = n > 0 && all[n - 1] != '\n' ? "\n" : "";
        char *longer = bosc_format("%s%s# --set %s\n", all, apart, set[i]);

        if (longer != NULL)
            join_lines(longer + n + strlen(apart));
        free(all);
        all = longer;
    }
    return all;
}

/* "--set key=value" in one line, cut where it is long. */
static char *name_source(const char *set)
{
    const bool longer = strlen(set) > LONGEST_SHOWN;
    char *source =
        bosc_format("--set %.*s%s", LONGEST_SHOWN, set, longer ? "..." : "");

    for (char *p = source; p != NULL && *p != '\0'; ++p)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = ' ';
    return source;
}

bosc_status bosc_set_all(bosc_yaml *root, int n_set, const char *const *set,
                         char **sources, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; st == BOSC_OK && i < n_set; ++i) {
        if ((sources[i] = name_source(set[i])) == NULL)
            return bosc_no_memory(err, "--set");
        st = bosc_yaml_assign(root, set[i], sources[i], bosc_entry_name, err);
    }
    return st;
}
