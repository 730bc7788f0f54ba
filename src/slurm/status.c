#include "config.h" /* first: it asks for extensions */

#include "src/slurm/status.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "src/base/lock.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/checkpoint/state_file.h"
#include "src/io/result.h"
#include "src/job/job.h"
#include "src/slurm/array.h"
#include "src/slurm/command.h"
#include "src/slurm/record.h"
#include "src/text/did_you_mean.h"
#include "src/text/path.h"
#include "src/text/wrap.h"

enum { TEXT = 19, LISTED = 20 };

/* --- the queue ----------------------------------------------------------- */

/* What SLURM says of a job; "": nothing. */
typedef struct queued {
    char state[40], reason[80], spent[40], left[40], nodes[200], start[40];
    int others; /* of an array, in the queue */
} queued;

static const queued unknown = {.state = ""};

static void copy_field(char *to, size_t size, char **rest)
{
    const char *field = strsep(rest, "|");

    snprintf(to, size, "%s", field != NULL ? field : "");
}

/* The value of NAME=value in the words of scontrol. */
static void find_word(const char *text, const char *name, char *to, size_t size)
{
    const char *at = strstr(text, name);

    to[0] = '\0';
    if (at != NULL)
        snprintf(to, size, "%.*s", (int)strcspn(at + strlen(name), " \n"),
                 at + strlen(name));
}

/* Ask squeue, and scontrol of a job that has left the queue. */
static bosc_status ask(const char *id, queued *q, bosc_error *err)
{
    const char *const squeue[] = {
        "squeue", "-h", "-j", id, "-o", "%T|%r|%M|%L|%N|%S", NULL};
    const char *const scontrol[] = {"scontrol", "show", "job", id, NULL};
    char *text = NULL, *rest;
    int code = 0;
    bosc_status st = bosc_command(squeue, true, &text, &code, err);

    *q = unknown;
    if (st == BOSC_OK && code == 0 && text[0] != '\0') {
        for (const char *p = text; (p = strchr(p, '\n')) != NULL; ++p)
            q->others += p[1] != '\0';
        rest = text;
        rest[strcspn(rest, "\n")] = '\0'; /* of an array: one of them */
        copy_field(q->state, sizeof q->state, &rest);
        copy_field(q->reason, sizeof q->reason, &rest);
        copy_field(q->spent, sizeof q->spent, &rest);
        copy_field(q->left, sizeof q->left, &rest);
        copy_field(q->nodes, sizeof q->nodes, &rest);
        copy_field(q->start, sizeof q->start, &rest);
    } else if (st == BOSC_OK && code != 127) {
        free(text);
        text = NULL;
        st = bosc_command(scontrol, true, &text, &code, err);
        if (st == BOSC_OK && code == 0) {
            find_word(text, "JobState=", q->state, sizeof q->state);
            find_word(text, "Reason=", q->reason, sizeof q->reason);
            find_word(text, "RunTime=", q->spent, sizeof q->spent);
        }
    }
    free(text);
    return st;
}

static bool is_state(const queued *q, const char *state)
{
    return strcmp(q->state, state) == 0;
}

static bool tells(const char *text)
{
    return text[0] != '\0' && strcmp(text, "N/A") != 0 &&
           strcmp(text, "None") != 0;
}

/* 'what': "job" or what else the line is about. */
static void print_queue(const char *what, const char *id, const queued *q)
{
    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "%s %s", what, id);
    char small[sizeof q->state];

    snprintf(small, sizeof small, "%s", q->state);
    for (char *p = small; *p != '\0'; ++p)
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    if (small[0] == '\0')
        bosc_wrap_add(&w, "no longer in the queue");
    else
        bosc_wrap_add(&w, "%s", small);
    if (tells(q->reason))
        bosc_wrap_add(&w, " (%s)", q->reason);
    if (is_state(q, "RUNNING"))
        bosc_wrap_add(&w, " on %s for %s, %s left of its time limit", q->nodes,
                      q->spent, q->left);
    else if (is_state(q, "PENDING") && tells(q->start))
        bosc_wrap_add(&w, ", expected to start at %s", q->start);
    if (q->others > 0)
        bosc_wrap_add(&w, "; %d more of its array %s in the queue", q->others,
                      q->others == 1 ? "is" : "are");
    bosc_wrap_end(&w);
}

/* --- the files ----------------------------------------------------------- */

static const char *show_time(time_t when, char text[40])
{
    struct tm local;

    if (localtime_r(&when, &local) == NULL ||
        strftime(text, 40, "%Y-%m-%d %H:%M", &local) == 0)
        strcpy(text, "?");
    return text;
}

/* The time (ms) that a checkpoint is of, or NAN. */
static double find_time(const char *path)
{
    bosc_state_file *file = NULL;
    bosc_error ignored;
    int64_t step = 0;
    char *values = NULL;
    const char *dt;
    double t = NAN;

    if (bosc_state_peek(path, &file, &ignored) != BOSC_OK)
        return NAN;
    if (bosc_state_get_number(file, "step", &step, &ignored) == BOSC_OK &&
        bosc_state_get_text(file, "job_values", &values, &ignored) == BOSC_OK &&
        (dt = strstr(values, "\ndt: ")) != NULL)
        t = (double)step * strtod(dt + sizeof "\ndt: " - 1, NULL);
    bosc_state_close(file);
    free(values);
    return t;
}

static bool print_checkpoint(const char *output)
{
    char *path = bosc_format("%s" BOSC_CHECKPOINT, output), date[40], bytes[32];
    struct stat s;
    const bool there = path != NULL && stat(path, &s) == 0;

    if (there) {
        const double t = find_time(path);

        if (isnan(t))
            printf("  checkpoint       %s cannot be read\n", path);
        else
            printf("  checkpoint       t = %.10g ms, %s, of %s\n", t,
                   bosc_human_bytes((double)s.st_size, bytes),
                   show_time(s.st_mtime, date));
    }
    free(path);
    return there;
}

/* "t = 12.5 of 100 ms, 3.2 s left", the seconds as of 'age' seconds ago. */
static void print_progress(const bosc_lock_words *lock)
{
    double t, tstop, left;
    char time_left[32], date[40];

    if (sscanf(lock->note, "t = %lf of %lf ms, %lf s left", &t, &tstop,
               &left) != 3 ||
        !(tstop > 0)) {
        puts("  progress         set-up, before the first step");
        return;
    }
    printf("  progress         t = %.6g of %.6g ms, %d %%\n", t, tstop,
           (int)(100 * t / tstop));
    printf("  end              in %s, about %s\n",
           bosc_human_seconds(left, time_left),
           show_time(time(NULL) + (time_t)left, date));
}

/* What is there of a result that no run writes. */
static bool print_unfinished(const char *output, bool checkpoint, bool waits)
{
    char *partial = bosc_format("%s.partial", output);
    bosc_result_found found = bosc_result_look(partial != NULL ? partial : "");
    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "  result");

    if (!found.there)
        bosc_wrap_add(&w, "%s is not there yet", output);
    else if (isnan(found.reached))
        bosc_wrap_add(&w, "%s is unfinished", partial);
    else
        bosc_wrap_add(&w, "%s is unfinished, with t up to %.6g of %.6g ms",
                      partial, found.reached, found.tstop);
    if (found.there)
        bosc_wrap_add(&w, checkpoint && waits ? ""
                          : checkpoint
                              ? "; submit or run it again to go on"
                              : "; there is no checkpoint to go on from");
    bosc_wrap_end(&w);
    bosc_result_found_clear(&found);
    free(partial);
    return found.there;
}

static int count_failed(const bosc_result_found *found)
{
    int n = 0;

    for (int i = 0; i < found->n_members; ++i)
        n += found->status[i] != 0;
    return n;
}

static void print_finished(const char *output, const bosc_result_found *found)
{
    const int failed = count_failed(found);
    char date[40], bytes[32];
    struct stat s;

    if (stat(output, &s) != 0)
        return;
    printf("  result           %s is finished: %s, of %s\n", output,
           bosc_human_bytes((double)s.st_size, bytes),
           show_time(s.st_mtime, date));
    if (failed > 0)
        printf("  failed           %d of %d members (member_status)\n", failed,
               found->n_members);
}

/* Is a run under way?  SLURM knows better than the lock of another machine,
 * which may be as young as the end of the run. */
static bool is_alive(const bosc_lock_words *lock, const queued *q)
{
    static const char *const alive[] = {"", "RUNNING", "COMPLETING",
                                        "SUSPENDED", "CONFIGURING"};

    return lock->there && !lock->gone && lock->age < BOSC_LOCK_STALE &&
           bosc_is_among(q->state, BOSC_LEN(alive), alive);
}

/* 'q': what SLURM says of the job.  False where there is nothing at all. */
static bool print_files_at(const char *output, const queued *q)
{
    const bosc_lock_words lock = bosc_lock_read(output);
    bosc_result_found found = bosc_result_look(output);
    const bool runs = is_alive(&lock, q);

    if (runs) {
        bosc_wrap_print(stdout, TEXT, "  running", "%s", lock.run);
        print_progress(&lock);
    } else if (lock.there) {
        char since[32];

        bosc_wrap_print(stdout, TEXT, "  killed", "%s; not heard of for %s",
                        lock.run, bosc_human_seconds(lock.age, since));
    }
    const bool checkpoint = print_checkpoint(output);
    bool partial = false;

    if (found.finished)
        print_finished(output, &found);
    else if (runs)
        printf("  result           %s.partial until it is finished\n", output);
    else if (found.there)
        printf("  result           %s is there, but no result of bosc\n",
               output);
    else
        partial = print_unfinished(output, checkpoint, is_state(q, "PENDING"));
    bosc_result_found_clear(&found);
    return found.finished || partial || lock.there || checkpoint;
}

/* The same; 'output' may be a link to where they are. */
static bool print_files(const char *output, const queued *q)
{
    char *target = bosc_path_target(output);
    const bool any = print_files_at(target != NULL ? target : output, q);

    free(target);
    return any;
}

/* --- one job ------------------------------------------------------------- */

/* "  merge 124        pending (Dependency)" */
static bosc_status print_followers(const bosc_record *r, bosc_error *err)
{
    char command[20], id[40];
    int used = 0;
    bosc_status st = BOSC_OK;

    for (const char *at = r->followers;
         st == BOSC_OK && sscanf(at, "%19s %39s%n", command, id, &used) == 2;
         at += used) {
        char what[24];
        queued q;

        snprintf(what, sizeof what, "  %s", command);
        if ((st = ask(id, &q, err)) == BOSC_OK)
            print_queue(what, id, &q);
    }
    return st;
}

static bosc_status print_record(const bosc_record *r, bosc_error *err)
{
    struct stat s;
    queued q;
    bosc_status st = ask(r->id, &q, err);

    if (st != BOSC_OK)
        return st;
    print_queue("job", r->id, &q);
    printf("  submitted        %s, %s\n", r->date, r->job);
    print_files(r->result, &q);
    if ((st = print_followers(r, err)) != BOSC_OK)
        return st;
    if (bosc_is_array(r))
        return bosc_array_print(r, err);
    printf("  log              %s%s\n", r->log,
           stat(r->log, &s) == 0 ? "" : " is not there yet");
    return BOSC_OK;
}

/* A batch job that 'bosc submit' has not submitted. */
static bosc_status print_unknown(const char *id, bosc_error *err)
{
    queued q;
    const bosc_status st = ask(id, &q, err);

    if (st != BOSC_OK)
        return st;
    if (q.state[0] == '\0')
        return bosc_fail(err, BOSC_ENOINPUT,
                         "%s: no such batch job is known here; name its "
                         "result, or see the jobs submitted: bosc status",
                         id);
    print_queue("job", id, &q);
    puts("  result           not submitted by 'bosc submit' here: name the "
         "file");
    return BOSC_OK;
}

/* The result that a job file names; *path is to be freed. */
static bosc_status find_output(const char *job, char **path, bosc_error *err)
{
    char *text = NULL;
    bosc_status st = bosc_job_load_text(job, &text, err);

    if (st == BOSC_OK)
        st = bosc_job_output(job, text, path, err);
    free(text);
    return st;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

/* The result that a file belongs to; NULL without memory. */
static char *base_of(const char *what)
{
    static const char *const endings[] = {".partial", ".lock", ".sbatch",
                                          BOSC_CHECKPOINT, BOSC_CHECKPOINT_OLD};

    for (size_t i = 0; i < BOSC_LEN(endings); ++i)
        if (ends_with(what, endings[i]))
            return bosc_format("%.*s", (int)(strlen(what) - strlen(endings[i])),
                               what);
    return bosc_strdup(what);
}

static bosc_status print_file(const char *what, bosc_error *err)
{
    const bool is_job = ends_with(what, ".yaml") || ends_with(what, ".yml");
    char *base = base_of(what), *output = NULL;
    char *full = base != NULL ? bosc_record_path(base) : NULL;
    bosc_record *records = NULL;
    int n = 1;
    bosc_status st = full == NULL ? bosc_no_memory(err, what)
                                  : bosc_record_find(NULL, is_job ? NULL : full,
                                                     is_job ? full : NULL, &n,
                                                     &records, err);

    if (st == BOSC_OK && n == 1) {
        st = print_record(&records[0], err);
    } else if (st == BOSC_OK && is_job) {
        if ((st = find_output(what, &output, err)) == BOSC_OK) {
            printf("%s, not submitted from here\n", what);
            print_files(output, &unknown);
        }
    } else if (st == BOSC_OK) {
        printf("%s\n", base);
        if (!print_files(base, &unknown))
            st = bosc_fail(err, BOSC_ENOINPUT,
                           "%s: neither a result nor anything of a run is "
                           "there; check the path",
                           base);
    }
    bosc_record_free(n, records);
    free(base);
    free(full);
    free(output);
    return st;
}

/* --- all of them --------------------------------------------------------- */

/* How far it is, in a few words. */
static void sum_up(const bosc_record *r, const queued *q, char *text,
                   size_t size)
{
    const bosc_lock_words lock = bosc_lock_read(r->result);
    bosc_result_found found = bosc_result_look(r->result);
    char *checkpoint = bosc_format("%s" BOSC_CHECKPOINT, r->result);
    double t, tstop;
    struct stat s;

    if (found.finished)
        snprintf(text, size, "finished");
    else if (is_alive(&lock, q) &&
             sscanf(lock.note, "t = %lf of %lf", &t, &tstop) == 2)
        snprintf(text, size, "%d %%", (int)(100 * t / tstop));
    else if (checkpoint != NULL && stat(checkpoint, &s) == 0)
        snprintf(text, size, "checkpoint at %.6g ms", find_time(checkpoint));
    else
        snprintf(text, size, "-");
    free(checkpoint);
    bosc_result_found_clear(&found);
}

static bosc_status print_all(bosc_error *err)
{
    bosc_record *records = NULL;
    int n = LISTED;
    bosc_status st = bosc_record_find(NULL, NULL, NULL, &n, &records, err);

    if (st == BOSC_OK && n == 0)
        puts("no jobs submitted yet: bosc submit JOB.yaml");
    else if (st == BOSC_OK)
        printf("%-10s %-16s  %-11s %-24s %s\n", "job", "submitted", "queue",
               "progress", "result");
    for (int i = 0; i < n && st == BOSC_OK; ++i) {
        char far[60];
        queued q;

        if ((st = ask(records[i].id, &q, err)) != BOSC_OK)
            break;
        sum_up(&records[i], &q, far, sizeof far);
        printf("%-10s %-16s  %-11s %-24s %s\n", records[i].id, records[i].date,
               q.state[0] != '\0' ? q.state : "-", far, records[i].result);
    }
    bosc_record_free(n, records);
    return st;
}

bosc_status bosc_status_print(const char *what, bosc_error *err)
{
    bosc_record *records = NULL;
    int n = 1;
    bosc_status st;

    if (what == NULL)
        return print_all(err);
    if (what[0] == '\0' || what[strspn(what, "0123456789_")] != '\0')
        return print_file(what, err);
    if ((st = bosc_record_find(what, NULL, NULL, &n, &records, err)) != BOSC_OK)
        return st;
    st = n == 1 ? print_record(&records[0], err) : print_unknown(what, err);
    bosc_record_free(n, records);
    return st;
}
