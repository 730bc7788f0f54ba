#include "config.h" /* first: it asks for extensions */

#include "src/slurm/record.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/mem.h"
#include "src/text/path.h"

static char *file_path(void)
{
    return bosc_path_of_user("XDG_STATE_HOME", ".local/state", "jobs.tsv");
}

char *bosc_record_path(const char *path)
{
    char *folder = bosc_path_folder(path), *full, *all = NULL;
    const char *slash = strrchr(path, '/');

    full = folder != NULL ? realpath(folder, NULL) : NULL;
    if (folder != NULL)
        all = bosc_format("%s/%s", full != NULL ? full : folder,
                          slash != NULL ? slash + 1 : path);
    free(folder);
    free(full);
    return all;
}

/* Split a line at its tabs; false for one that is not ours.  bosc 0.1 has kept
 * no followers. */
static bool split(char *line, bosc_record *r)
{
    static char none[] = "";
    char **const fields[BOSC_RECORD_FIELDS] = {
        &r->id, &r->date, &r->result, &r->log, &r->job, &r->followers};
    char *at = line;

    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < BOSC_RECORD_FIELDS; ++i) {
        if (at == NULL && fields[i] != &r->followers)
            return false;
        *fields[i] = at != NULL ? strsep(&at, "\t") : none;
    }
    r->line = line;
    return at == NULL;
}

static bool fits(const char *wanted, const char *value)
{
    return wanted == NULL || strcmp(wanted, value) == 0;
}

/* Is it the number of the job, or of one that follows it? */
static bool has_id(const bosc_record *r, const char *id)
{
    const size_t n = id != NULL ? strlen(id) : 0;
    const char *at = r->followers;

    if (fits(id, r->id))
        return true;
    while ((at = strchr(at, ' ')) != NULL)
        if (strncmp(++at, id, n) == 0 && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* The latest first. */
static void turn_round(int n, bosc_record *records)
{
    for (int i = 0; i < n / 2; ++i) {
        const bosc_record other = records[i];

        records[i] = records[n - 1 - i];
        records[n - 1 - i] = other;
    }
}

bosc_status bosc_record_find(const char *id, const char *result,
                             const char *job, int *n, bosc_record **out,
                             bosc_error *err)
{
    const int most = *n;
    bosc_record *records = bosc_alloc((size_t)most + 1, sizeof *records);
    char *path = file_path(), *line = NULL;
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    size_t room = 0;

    free(path);
    *n = 0;
    if (records == NULL) {
        if (file != NULL)
            fclose(file);
        return bosc_no_memory(err, "the jobs submitted");
    }
    while (file != NULL && getline(&line, &room, file) > 0) {
        bosc_record r;

        if (!split(line, &r) || !has_id(&r, id) || !fits(result, r.result) ||
            !fits(job, r.job))
            continue;
        records[(*n)++] = r;
        line = NULL;
        if (*n > most) {
            free(records[0].line);
            memmove(records, records + 1, (size_t)-- * n * sizeof *records);
        }
    }
    free(line);
    if (file != NULL)
        fclose(file);
    turn_round(*n, records);
    *out = records;
    return BOSC_OK;
}

void bosc_record_free(int n, bosc_record *records)
{
    for (int i = 0; i < n; ++i)
        free(records[i].line);
    free(records);
}

bosc_status bosc_record_add(const bosc_record *r, bosc_error *err)
{
    const time_t now = time(NULL);
    struct tm local = {0};
    char *path = file_path(), date[64] = "";
    FILE *file;
    bool written = false;

    if (path == NULL)
        return bosc_no_memory(err, "the jobs submitted");
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local);
    bosc_path_make_folders(path, 0777);
    errno = 0;
    if ((file = fopen(path, "a")) != NULL) {
        fprintf(file, "%s\t%s\t%s\t%s\t%s\t%s\n", r->id, date, r->result,
                r->log, r->job, r->followers);
        written = fclose(file) == 0;
    }

    const bosc_status st =
        written ? BOSC_OK
                : bosc_fail(err, BOSC_EIO, "%s: %s", path, strerror(errno));

    free(path);
    return st;
}
