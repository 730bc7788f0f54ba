/* run_checkpoint.c - a checkpoint while a run goes on.
 *
 * Between two ranges of steps rank 0 gathers the state of all ranks, and hands
 * it to the thread that writes the results, through the same queue: as much as
 * that has room for is written while the time loop goes on.  When all of it and
 * all results before it are on the disk, the new file gets its name, and the
 * one before is kept beside it.  Where several ranks write the results, the
 * threads of all put these on the disk together.
 */
#include "src/run/run.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/checkpoint/resume.h"
#include "src/comm/comm.h"
#include "src/io/writer.h"
#include "src/text/pool.h"

/* The names of the output's checkpoints. */
typedef struct names {
    const char *fresh, *latest, *old;
    bosc_pool pool; /* that has them */
} names;

static bosc_status name_all(const char *output, names *n, bosc_error *err)
{
    *n = (names){0};
    n->latest = bosc_pool_text(&n->pool, "%s" BOSC_CHECKPOINT, output);
    n->old = bosc_pool_text(&n->pool, "%s" BOSC_CHECKPOINT_OLD, output);
    n->fresh = bosc_pool_text(&n->pool, "%s" BOSC_CHECKPOINT ".new", output);
    return n->pool.failed ? bosc_no_memory(err, "a checkpoint") : BOSC_OK;
}

void bosc_run_remove_checkpoints(const bosc_run *run)
{
    bosc_error why;
    names n;

    if (run->sim.comm->rank != 0)
        return;
    if (name_all(run->output, &n, &why) == BOSC_OK) {
        if (!run->sim.job->checkpoint.at_end)
            unlink(n.latest);
        unlink(n.old);
        unlink(n.fresh); /* of a run that was killed */
    }
    bosc_pool_clear(&n.pool);
}

void bosc_run_remove_left(const bosc_run *run)
{
    char *partial = bosc_format("%s.partial", run->output);

    if (partial != NULL && run->sim.comm->rank == 0 &&
        access(partial, F_OK) != 0)
        bosc_run_remove_checkpoints(run);
    free(partial);
}

/* The warnings since the first step, one a line; NULL without memory. */
static char *join_warnings(const bosc_run *run)
{
    const bosc_warnings later = {.n = run->sim.warnings.n - run->warned,
                                 .text = run->sim.warnings.text + run->warned};

    return bosc_warnings_join(&later);
}

/* --- one checkpoint --------------------------------------------------------
 */

/* At rank 0, from its begin until all ranks know how it ended.  The writer's
 * thread has it until 'done'. */
struct bosc_saving {
    bosc_gather_secured secured; /* the results until then are on the disk */
    bosc_result *result;
    bosc_state_file *file;
    names names;
    int64_t step;
    bool last;
    double began, waited; /* s, when; and how long the time loop has waited */
    double seconds, bytes;
    bosc_status st;
    bosc_error err;
    atomic_bool done;
};

static bosc_status add_skeleton(void *what, FILE *to, bosc_error *err)
{
    return bosc_result_skeleton(what, to, err);
}

/* The results that a checkpoint counts on are on the disk before it gets its
 * name. */
static void finish_file(void *what)
{
    struct bosc_saving *s = what;

    if (s->st == BOSC_OK && s->secured.st != BOSC_OK) {
        s->st = s->secured.st;
        s->err = s->secured.err;
    }
    if (s->st == BOSC_OK)
        s->st = bosc_state_finish(s->file, add_skeleton, s->result, &s->bytes,
                                  &s->err);
    else
        bosc_state_close(s->file);
    if (s->st == BOSC_OK)
        s->st = bosc_state_rotate(s->names.fresh, s->names.latest, s->names.old,
                                  &s->err);
    s->seconds = bosc_now() - s->began;
    atomic_store(&s->done, true);
}

/* Collective. */
static bosc_status write_state(bosc_run *run, int64_t step,
                               struct bosc_writer *writer, bosc_error *err)
{
    struct bosc_saving *saving = run->saving.current;
    const bosc_gather_view view = bosc_gather_look(run->gather);
    const bosc_epochs_flight flight =
        bosc_epochs_in_flight(run->sim.epochs, step);
    const bosc_checkpoint_parts parts = {
        run->sim.comm, run->sim.gid_table->n_neurons, run->sim.job,
        run->sim.cells, run->sim.built};
    const bosc_flying flying = {flight.n, (bosc_spike *)flight.spikes};
    char *warnings = join_warnings(run);
    bosc_checkpoint_head head = {.step = step,
                                 .values = run->identity,
                                 .warnings = warnings,
                                 .warned_v_limit = run->sim.warned_v_limit,
                                 .spikes = view.spikes,
                                 .fired = (int64_t *)view.fired,
                                 .delivered = flight.delivered,
                                 .n_populations = run->sim.job->n_populations};
    bosc_state_file *file = NULL;
    bosc_status st =
        warnings != NULL ? BOSC_OK : bosc_no_memory(err, "a checkpoint");

    bosc_sum_int64(run->sim.comm, &head.delivered, 1);
    if (st == BOSC_OK)
        st = run->sim.method->engine.ops->download(run->sim.engine, err);
    if ((st = bosc_agree(run->sim.comm, st, err)) == BOSC_OK)
        st = bosc_checkpoint_write(saving != NULL ? saving->names.fresh : NULL,
                                   &parts, &head, &flying, writer, &file, err);
    if (saving != NULL)
        saving->file = file;
    free(warnings);
    return st;
}

static bosc_status create_saving(bosc_run *run, int64_t step, bool last,
                                 bosc_error *err)
{
    struct bosc_saving *s = bosc_alloc(1, sizeof *s);
    bosc_status st;

    if (s == NULL)
        return bosc_no_memory(err, "a checkpoint");
    s->result = run->result;
    s->step = step;
    s->last = last;
    s->began = bosc_now();
    if ((st = name_all(run->output, &s->names, err)) == BOSC_OK) {
        run->saving.current = s;
        return BOSC_OK;
    }
    bosc_pool_clear(&s->names.pool);
    free(s);
    return st;
}

/* Gather the state and have it written, at rank 0 by 'writer', else here; what
 * becomes of it is known once it is settled.  BOSC_ENOMEM: nothing has begun.
 * Collective. */
static bosc_status begin_saving(bosc_run *run, int64_t step, bool last,
                                struct bosc_writer *writer, bosc_error *err)
{
    bosc_error why = {""};
    bosc_status st = BOSC_OK;

    if (run->sim.comm->rank == 0)
        st = create_saving(run, step, last, err);
    if ((st = bosc_agree(run->sim.comm, st, err)) != BOSC_OK)
        return st;
    st = write_state(run, step, writer, &why);

    struct bosc_saving *s = run->saving.current;

    if (st == BOSC_OK)
        bosc_gather_secure(run->gather, s != NULL ? &s->secured : NULL);
    if (s == NULL)
        return BOSC_OK;
    s->st = st;
    s->err = why;
    s->waited = bosc_now() - s->began;
    if (writer != NULL)
        bosc_writer_call(writer, finish_file, s, 0);
    else
        finish_file(s);
    return BOSC_OK;
}

/* --- how it ended ----------------------------------------------------------
 */

static void tell(const bosc_run *run, const struct bosc_saving *s)
{
    char a[32], b[32], c[32];

    if (!run->request->quiet)
        fprintf(
            stderr, "checkpoint at t = %.6g ms, %s in %s; the run waited %s\n",
            (double)s->step * run->sim.job->dt, bosc_human_bytes(s->bytes, a),
            bosc_human_seconds(s->seconds, b),
            bosc_human_seconds(s->waited, c));
}

/* Of one that is not the last thing that the run does.  Collective. */
static bosc_status warn(bosc_run *run, int64_t step, const bosc_error *why,
                        bosc_error *err)
{
    const int before = run->sim.warnings.n;
    const bosc_status st = bosc_agree(
        run->sim.comm,
        bosc_warn(&run->sim.warnings, err, "no checkpoint at t = %.6g ms: %s",
                  (double)step * run->sim.job->dt, why->text),
        err);

    if (run->sim.comm->rank == 0 && !run->request->quiet && st == BOSC_OK)
        bosc_warnings_print(&run->sim.warnings, before);
    return st;
}

bosc_saving_state bosc_run_saving(void *what)
{
    const bosc_run *run = what;
    const struct bosc_saving *s = run->saving.current;

    return s == NULL                ? BOSC_SAVING_NONE
           : !atomic_load(&s->done) ? BOSC_SAVING_UNDER_WAY
                                    : BOSC_SAVING_DONE;
}

bosc_status bosc_run_settle(void *what, bosc_error *err)
{
    bosc_run *run = what;
    struct {
        bool there, last;
        int64_t step;
        bosc_status st;
        bosc_error why;
    } end = {false};
    struct bosc_saving *s = run->saving.current;

    bosc_gather_flush(run->gather);
    if (s != NULL) {
        end.there = true;
        end.last = s->last;
        end.step = s->step;
        end.st = s->st;
        end.why = s->err;
        if (s->st == BOSC_OK) {
            run->saving.bytes = s->bytes;
            run->saving.seconds += s->seconds;
            tell(run, s);
        }
        bosc_pool_clear(&s->names.pool);
        free(s);
        run->saving.current = NULL;
    }
    bosc_bcast(run->sim.comm, &end, sizeof end, 0);
    if (!end.there)
        return BOSC_OK;
    if (end.st == BOSC_OK) {
        ++run->saving.n;
        run->saving.step = end.step;
        return BOSC_OK;
    }
    if (end.last) {
        *err = end.why;
        return end.st;
    }
    return warn(run, end.step, &end.why, err);
}

bosc_status bosc_run_save(void *what, int64_t step, bool last, bosc_error *err)
{
    bosc_run *run = what;
    bosc_error why = {""};
    bosc_status st = bosc_run_settle(run, err);

    if (st == BOSC_OK)
        st = bosc_sim_verify(&run->sim, step, err);
    if (st != BOSC_OK)
        return st;
    st = begin_saving(run, step, last, bosc_gather_flush(run->gather), &why);
    if (st != BOSC_OK && last) {
        *err = why;
        return st;
    }
    if (st != BOSC_OK)
        return warn(run, step, &why, err);
    return last ? bosc_run_settle(run, err) : BOSC_OK;
}
