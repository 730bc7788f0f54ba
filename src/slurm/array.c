#include "config.h" /* first: it asks for extensions */

#include "src/slurm/array.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/lock.h"
#include "src/base/mem.h"
#include "src/io/result.h"
#include "src/slurm/command.h"
#include "src/text/path.h"

enum { MOST_NAMED = 20 };

/* What 'bosc submit' keeps is the log of element 0: "DIR/run-701_0.log". */
static const char first[] = "_0.log";

bool bosc_is_array(const bosc_record *record)
{
    const size_t n = strlen(record->log), m = strlen(first);

    return n > m && strcmp(record->log + n - m, first) == 0;
}

/* The length of "DIR/run-701_". */
static int stem(const bosc_record *record)
{
    return (int)(strlen(record->log) - strlen("0.log"));
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* The elements that have a log in the folder, by number; *number is to be
 * freed.  A folder that cannot be read has none. */
static bosc_status list_begun(const bosc_record *record, int **number, int *n,
                              bosc_error *err)
{
    char *folder = bosc_path_folder(record->log);
    const char *name = strrchr(record->log, '/');
    const size_t begin = name != NULL ? (size_t)(++name - record->log) : 0;
    const size_t length = (size_t)stem(record) - begin;
    DIR *dir = folder != NULL ? opendir(folder) : NULL;
    bosc_status st =
        folder != NULL ? BOSC_OK : bosc_no_memory(err, record->log);
    const struct dirent *entry;
    size_t room = 0;

    *number = NULL;
    *n = 0;
    while (st == BOSC_OK && dir != NULL && (entry = readdir(dir)) != NULL) {
        char *end;
        long k;

        if (strncmp(entry->d_name, record->log + begin, length) != 0)
            continue;
        k = strtol(entry->d_name + length, &end, 10);
        if (end == entry->d_name + length || strcmp(end, ".log") != 0)
            continue;
        if (!bosc_grow(number, &room, (size_t)*n + 1, sizeof **number))
            st = bosc_no_memory(err, record->log);
        else
            (*number)[(*n)++] = (int)k;
    }
    if (dir != NULL)
        closedir(dir);
    free(folder);
    if (*n > 0)
        qsort(*number, (size_t)*n, sizeof **number, by_number);
    return st;
}

/* The elements that wait or run, a line each; "" without SLURM.  *text is to be
 * freed. */
static bosc_status list_queued(const bosc_record *record, char **text,
                               bosc_error *err)
{
    const char *const squeue[] = {"squeue",   "-h", "-r", "-j",
                                  record->id, "-o", "%K", NULL};
    int code = 0;
    bosc_status st = bosc_command(squeue, true, text, &code, err);

    if (st == BOSC_OK && code != 0)
        (*text)[0] = '\0';
    return st;
}

static bool is_queued(const char *text, int k)
{
    char *end;

    for (; *text != '\0'; text = *end == '\n' ? end + 1 : end)
        if (strtol(text, &end, 10) == k && end > text)
            return true;
        else
            end += strcspn(end, "\n");
    return false;
}

/* Has the group a run that writes its result, or a result without members that
 * have failed? */
static bool is_well(const char *result)
{
    const bosc_lock_words lock = bosc_lock_read(result);
    bosc_result_found found;
    bool well;

    if (lock.there && !lock.gone && lock.age < BOSC_LOCK_STALE)
        return true;
    found = bosc_result_look(result);
    well = found.finished;
    for (int i = 0; found.status != NULL && i < found.n_members; ++i)
        well = well && found.status[i] == 0;
    bosc_result_found_clear(&found);
    return well;
}

/* 'whole': the result that the groups are merged into. */
static bosc_status has_failed(const char *whole, const char *queued, int k,
                              bool *failed, bosc_error *err)
{
    char group[24], *result;

    *failed = false;
    if (is_queued(queued, k))
        return BOSC_OK;
    snprintf(group, sizeof group, "group%d", k);
    if ((result = bosc_path_insert(whole, group)) == NULL)
        return bosc_no_memory(err, whole);
    *failed = !is_well(result);
    free(result);
    return BOSC_OK;
}

bosc_status bosc_array_print(const bosc_record *record, bosc_error *err)
{
    char *whole = bosc_path_target(record->result), *queued = NULL;
    int *number = NULL, n = 0, failed = 0;
    bosc_status st = whole == NULL ? bosc_no_memory(err, record->result)
                                   : list_begun(record, &number, &n, err);

    if (st == BOSC_OK)
        printf("  log              %.*s*.log%s\n", stem(record), record->log,
               n > 0 ? "" : " are not there yet");
    if (st == BOSC_OK && n > 0)
        st = list_queued(record, &queued, err);
    for (int i = 0; i < n && st == BOSC_OK; ++i) {
        bool this;

        st = has_failed(whole, queued, number[i], &this, err);
        if (this && failed++ < MOST_NAMED)
            printf("  failed           group %d, see %.*s%d.log\n", number[i],
                   stem(record), record->log, number[i]);
    }
    if (failed > MOST_NAMED)
        printf("  failed           %d more groups\n", failed - MOST_NAMED);
    free(queued);
    free(number);
    free(whole);
    return st;
}
