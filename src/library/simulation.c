/* simulation.c - the handle of include/bosc.h: open, set, build, advance,
 * close.
 */
#include "src/library/simulation.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"

/* Of a range of steps, before its results are taken. */
static const double MOST_VALUES = 4e6;

/* --- open and close --------------------------------------------------------
 */

static bosc_status open_job(const char *path, char *text, bosc_simulation **out)
{
    bosc_simulation *s = bosc_alloc(1, sizeof *s);

    *out = s;
    if (s == NULL) {
        free(text);
        return BOSC_ENOMEM;
    }
    s->owner = getpid();
    s->ranks = &bosc_comm_self;
    s->text = text;
    s->path = bosc_strdup(path);
    if (s->path == NULL)
        s->failed = bosc_no_memory(&s->err, path);
    return s->failed;
}

bosc_status bosc_open(const char *path, bosc_simulation **out)
{
    bosc_status st = open_job(path, NULL, out);

    if (st != BOSC_OK)
        return st;
    st = bosc_job_load_text(path, &(*out)->text, &(*out)->err);
    (*out)->failed = st;
    return st;
}

bosc_status bosc_open_text(const char *text, const char *folder,
                           bosc_simulation **out)
{
    char *own = bosc_strdup(text);
    char *path =
        folder != NULL ? bosc_format("%s/job", folder) : bosc_strdup("job");
    bosc_status st = BOSC_ENOMEM;

    *out = NULL;
    if (own != NULL && path != NULL)
        st = open_job(path, own, out);
    else
        free(own);
    free(path);
    return st;
}

void bosc_close(bosc_simulation *s)
{
    if (s == NULL)
        return;
    /* the threads of its engine are its owner's */
    if (s->built && s->owner == getpid())
        bosc_sim_end(&s->sim);
    bosc_recordings_clear(s);
    for (int i = 0; i < s->set.n; ++i)
        free((char *)s->set.text[i]);
    free(s->set.text);
    free(s->path);
    free(s->text);
    free(s);
}

const char *bosc_last_error(const bosc_simulation *s)
{
    return s != NULL ? s->err.text : "out of memory";
}

const char *bosc_warning(const bosc_simulation *s, int i)
{
    return i >= 0 && i < s->sim.warnings.n ? s->sim.warnings.text[i] : NULL;
}

/* --- before it is built ----------------------------------------------------
 */

bosc_status bosc_simulation_enter(bosc_simulation *s)
{
    if (s->owner != getpid())
        return bosc_fail(&s->err, BOSC_EUSAGE,
                         "a simulation stays in the process that has opened "
                         "it: open one after fork(), in a process that has not "
                         "simulated before, or start a new program "
                         "(multiprocessing of Python: method 'spawn')");
    if (s->failed != BOSC_OK)
        return s->failed;
    s->err.text[0] = '\0';
    return BOSC_OK;
}

static bosc_status enter_unbuilt(bosc_simulation *s, const char *what)
{
    const bosc_status st = bosc_simulation_enter(s);

    if (st == BOSC_OK && s->built)
        return bosc_fail(&s->err, BOSC_EUSAGE,
                         "%s: the simulation is built; set what it is made of "
                         "before bosc_build()",
                         what);
    return st;
}

/* Add a setting, which becomes the handle's; NULL: there was no memory. */
static bosc_status add_set(bosc_simulation *s, char *text)
{
    const char **longer =
        realloc(s->set.text, ((size_t)s->set.n + 1) * sizeof *s->set.text);

    if (longer != NULL)
        s->set.text = longer;
    if (text == NULL || longer == NULL) {
        free(text);
        return bosc_no_memory(&s->err, "a setting");
    }
    s->set.text[s->set.n++] = text;
    return BOSC_OK;
}

bosc_status bosc_set(bosc_simulation *s, const char *key, const char *value)
{
    const bosc_status st = enter_unbuilt(s, key);

    return st == BOSC_OK ? add_set(s, bosc_format("%s=%s", key, value)) : st;
}

bosc_status bosc_set_table(bosc_simulation *s, int n_rows, int n_keys,
                           const char *const *keys, const double *values)
{
    bosc_status st = enter_unbuilt(s, "bosc_set_table");
    char *text = NULL;
    size_t size;
    FILE *file;

    if (st != BOSC_OK)
        return st;
    if (n_rows < 1 || n_keys < 1)
        return bosc_fail(&s->err, BOSC_EVALUE,
                         "a table has rows and keys, not %d and %d", n_rows,
                         n_keys);
    for (int i = 0; i < n_rows * n_keys; ++i)
        if (!isfinite(values[i]))
            return bosc_fail(&s->err, BOSC_EVALUE,
                             "the value of %s in row %d of a table is not "
                             "finite",
                             keys[i % n_keys], i / n_keys);
    if ((file = open_memstream(&text, &size)) == NULL)
        return bosc_no_memory(&s->err, "a table");
    fputs("sweep={zip: {", file);
    for (int k = 0; k < n_keys; ++k) {
        fprintf(file, "%s\"%s\": [", k > 0 ? ", " : "", keys[k]);
        for (int i = 0; i < n_rows; ++i)
            fprintf(file, "%s%.17g", i > 0 ? ", " : "",
                    values[(size_t)i * (size_t)n_keys + (size_t)k]);
        fputc(']', file);
    }
    fputs("}}", file);

    const bool whole = !ferror(file);

    if (fclose(file) == 0 && whole)
        return add_set(s, text);
    free(text);
    return bosc_no_memory(&s->err, "a table");
}

bosc_status bosc_set_ranks(bosc_simulation *s, const bosc_comm *ranks)
{
    const bosc_status st = enter_unbuilt(s, "bosc_set_ranks");

    if (st == BOSC_OK)
        s->ranks = ranks;
    return st;
}

bosc_status bosc_set_files(bosc_simulation *s, const bosc_files *files)
{
    const bosc_status st = enter_unbuilt(s, "bosc_set_files");

    if (st == BOSC_OK)
        s->files = files;
    return st;
}

/* --- build -----------------------------------------------------------------
 */

/* The caller's number of OpenMP threads is as before. */
static int begin_threads(const bosc_simulation *s)
{
    const int before = omp_get_max_threads();

    if (s->sim.threads > 0)
        omp_set_num_threads(s->sim.threads);
    return before;
}

static void describe_method(bosc_simulation *s)
{
    const bosc_sim *sim = &s->sim;

    snprintf(s->used, sizeof s->used, "%s %s, chosen by %s, %d thread%s%s%s",
             sim->method->backend->name, sim->method->name, sim->choice.by,
             sim->threads, sim->threads == 1 ? "" : "s",
             sim->gpu[0] != '\0' ? ", " : "", sim->gpu);
}

bosc_status bosc_simulation_make(bosc_simulation *s, bosc_state_setter *set,
                                 const void *state)
{
    const int64_t from = s->sim.from;
    const int before = begin_threads(s);
    bosc_error *err = &s->err;
    bosc_status st;

    if (s->built)
        bosc_sim_end(&s->sim);
    s->sim = bosc_sim_begin(&(bosc_sim_request){.comm = s->ranks,
                                                .files = s->files,
                                                .memory = bosc_sim_memory,
                                                .path = s->path,
                                                .text = s->text,
                                                .set = s->set,
                                                .share = true});
    s->sim.from = s->step = from;
    s->built = true;
    st = bosc_sim_read(&s->sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_prepare(&s->sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_build(&s->sim, err);
    if (st == BOSC_OK && set != NULL)
        st = set(s, state, err);
    if (st == BOSC_OK)
        st = bosc_sim_start(&s->sim, err);
    if (st == BOSC_OK)
        st = bosc_agree(s->ranks, bosc_recordings_create(s, err), err);
    if (st == BOSC_OK)
        describe_method(s);
    omp_set_num_threads(before);
    return s->failed = st;
}

bosc_status bosc_build(bosc_simulation *s)
{
    const bosc_status st = bosc_simulation_enter(s);

    return st == BOSC_OK && !s->built ? bosc_simulation_make(s, NULL, NULL)
                                      : st;
}

/* --- time ------------------------------------------------------------------
 */

/* Steps of a range, so that its results do not fill the memory; all ranks have
 * the same. */
static int64_t steps_of_range(const bosc_simulation *s)
{
    const bosc_sim *sim = &s->sim;
    double values = 1;
    int64_t steps;

    for (int32_t k = 0; k < sim->built->n_sets; ++k)
        values += (double)sim->built->sets[k].n /
                  (double)sim->built->batch.sets[k].every;
    steps = (int64_t)fmin(MOST_VALUES / values,
                          (double)bosc_longest_range(sim->job->n_steps));
    bosc_min_int64(s->ranks, &steps, 1);
    return steps > sim->epoch ? steps - steps % sim->epoch : sim->epoch;
}

/* All ranks learn what one has found. */
static bosc_status follow_up(bosc_simulation *s, const bosc_step_output *record,
                             bosc_status st, bosc_error *err)
{
    int64_t none = record->beyond == NULL;

    st = bosc_agree(s->ranks, st, err);
    if (st == BOSC_EVALUE)
        return bosc_sim_explain(&s->sim, st, err);
    if (st != BOSC_OK)
        return st;
    bosc_min_int64(s->ranks, &none, 1);
    return none == 0 && !s->sim.warned_v_limit
               ? bosc_sim_beyond(&s->sim, record->beyond, err)
               : BOSC_OK;
}

static bosc_status run_until(bosc_simulation *s, int64_t end, bosc_error *err)
{
    const int64_t steps = steps_of_range(s);
    bosc_status st = BOSC_OK;

    while (s->step < end && st == BOSC_OK) {
        const int64_t left = end - s->step;
        const int64_t range[] = {s->step,
                                 s->step + (left < steps ? left : steps)};
        bosc_step_output record = {0};

        st =
            bosc_epochs_run(s->sim.epochs, BOSC_OK, range, false, &record, err);
        if (st == BOSC_OK)
            st = bosc_recordings_take(s, range, &record, err);
        if ((st = follow_up(s, &record, st, err)) == BOSC_OK)
            s->step = range[1];
    }
    return st;
}

/* The step that t is in, or the end of its epoch. */
static bosc_status find_end(bosc_simulation *s, double t, int64_t *end)
{
    const bosc_job *job = s->sim.job;
    const double steps = ceil(t / job->dt - 1e-9);
    const int64_t epoch = s->sim.epoch;

    if (!(steps <= (double)job->n_steps))
        return bosc_fail(
            &s->err, BOSC_EVALUE,
            "%g ms is after tstop, %g ms: set a later tstop before "
            "the simulation is built",
            t, job->tstop);
    *end = steps > 0 ? (int64_t)steps : 0;
    *end = (*end + epoch - 1) / epoch * epoch;
    if (*end > job->n_steps)
        *end = job->n_steps;
    return BOSC_OK;
}

bosc_status bosc_advance(bosc_simulation *s, double t)
{
    bosc_status st = bosc_build(s);
    int64_t end = 0;

    if (st == BOSC_OK)
        st = find_end(s, t, &end);
    if (st != BOSC_OK || end <= s->step)
        return st;

    const int before = begin_threads(s);

    st = run_until(s, end, &s->err);
    if (st == BOSC_OK && end == s->sim.job->n_steps)
        st = bosc_sim_verify(&s->sim, end, &s->err);
    omp_set_num_threads(before);
    return s->failed = st;
}

double bosc_time(const bosc_simulation *s)
{
    return s->sim.job != NULL ? (double)s->step * s->sim.job->dt : NAN;
}

/* --- what there is ---------------------------------------------------------
 */

const char *bosc_method_used(const bosc_simulation *s)
{
    return s->used;
}

int64_t bosc_n_neurons(const bosc_simulation *s)
{
    return s->sim.gid_table != NULL ? s->sim.gid_table->n_neurons : 0;
}

bosc_group bosc_population(const bosc_simulation *s, int i)
{
    const bosc_gid_table *gids = s->sim.gid_table;

    if (gids == NULL || i < 0 || i >= s->sim.job->n_populations)
        return (bosc_group){0};

    const bosc_population_spec *population = &s->sim.job->populations[i];

    return (bosc_group){population->name, gids->first_gid[i],
                        gids->first_gid[i + 1] - gids->first_gid[i],
                        population->member};
}

const char *bosc_probe_name(const bosc_simulation *s, int i)
{
    const bosc_job *job = s->sim.job;

    return job != NULL && i >= 0 && i < job->n_probes ? job->probes[i].name
                                                      : NULL;
}
