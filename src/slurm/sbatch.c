#include "src/slurm/sbatch.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/slurm/command.h"

bosc_status bosc_sbatch_send(const char *path,
                             void (*print)(FILE *, const void *),
                             const void *what, bosc_pool *pool, const char **id,
                             bosc_error *err)
{
    const char *const argv[] = {"sbatch", "--parsable", path, NULL};
    FILE *file = fopen(path, "w");
    char *said = NULL;
    int code = 0;
    bosc_status st = BOSC_OK;

    if (file != NULL) {
        print(file, what);
        if (fflush(file) != 0 || ferror(file))
            code = errno;
        if (fclose(file) != 0 && code == 0)
            code = errno;
        if (code != 0)
            unlink(path); /* a part of it */
    } else {
        code = errno;
    }
    if (code != 0)
        return bosc_fail(err, BOSC_EIO, "%s: %s%s", path, strerror(code),
                         code == ENOSPC ? "; free some space" : "");
    st = bosc_command(argv, false, &said, &code, err);
    if (said != NULL && (*id = bosc_pool_own(pool, said)) == NULL)
        return bosc_no_memory(err, path);
    if (st == BOSC_OK && code == 127)
        return bosc_fail(err, BOSC_ENOSUP,
                         "there is no sbatch here; submit where SLURM is, or "
                         "take the script there: %s (--dry-run prints it)",
                         path);
    if (st == BOSC_OK && (code != 0 || said[0] == '\0'))
        return bosc_fail(err, BOSC_ENOSUP,
                         "sbatch refuses %s; see its message, and change the "
                         "options (bosc submit --help) or the site's defaults",
                         path);
    if (st == BOSC_OK)
        said[strcspn(said, ";\n")] = '\0'; /* of a cluster of several */
    return st;
}

/* --- jobs that follow ---------------------------------------------------- */

typedef struct script {
    const bosc_follower *f;
    bosc_script_header header;
    int n;
    const char **words;
} script;

static void print_command(FILE *file, const void *what)
{
    const script *s = what;

    bosc_script_print_command(file, &s->header, s->f->site, s->f->program, s->n,
                              s->words);
}

bosc_status bosc_sbatch_follow(const bosc_follower *f, bosc_pool *pool,
                               const char **id, bosc_error *err)
{
    enum { HALF_HOUR = 1800 };
    const char *command = f->command,
               *path = bosc_pool_text(pool, "%s.%s.sbatch", f->output, command),
               **words = bosc_pool_own(
                   pool, bosc_alloc((size_t)f->n + 2, sizeof *words));
    const script s = {
        .f = f,
        .header = {.name =
                       bosc_pool_text(pool, "%s-%s", f->before->name, command),
                   .log = bosc_pool_text(pool, "%s-%s.log", f->log, command),
                   .partition = f->before->partition,
                   .account = f->before->account,
                   .dependency =
                       bosc_pool_text(pool, "%s:%s", f->when, f->after),
                   .ranks = 1,
                   .threads = 1,
                   .seconds = HALF_HOUR},
        .n = f->n + 2,
        .words = words};

    if (pool->failed)
        return bosc_no_memory(err, "a script");
    words[0] = command;
    words[1] = f->output;
    for (int i = 0; i < f->n; ++i)
        words[2 + i] = f->more[i];
    return bosc_sbatch_send(path, print_command, &s, pool, id, err);
}
