#include "src/io/writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result_parallel.h"

struct bosc_writer {
    bosc_result *result;      /* or, of several ranks, */
    bosc_parallel_file *file; /* not NULL */
    size_t capacity;
    pthread_t thread;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    bosc_message *first, **last;
    size_t bytes;  /* waiting, or being written */
    bool finished; /* there will be no more messages */
    bosc_status st;
    bosc_error err;
    double seconds;
};

static bosc_message *create(size_t n_values, size_t n_spikes, size_t n_lists)
{
    const size_t n = n_values + n_spikes;
    const size_t bytes = sizeof(bosc_message) + n * sizeof(double) +
                         n_spikes * n_lists * sizeof(int64_t);
    bosc_message *message = malloc(bytes);

    if (message == NULL)
        return NULL;
    *message = (bosc_message){.bytes = bytes, .n_spikes = (int64_t)n_spikes};
    message->values = (double *)(message + 1);
    message->gid = (int64_t *)(message->values + n);
    return message;
}

bosc_message *bosc_message_create(size_t n_values, size_t n_spikes)
{
    return create(n_values, n_spikes, 1);
}

bosc_message *bosc_message_create_detections(size_t n)
{
    bosc_message *message = create(0, n, BOSC_DETECTION_LISTS);

    if (message != NULL)
        message->kind = BOSC_RESULT_DETECTIONS;
    return message;
}

static bosc_status write_message(bosc_result *result,
                                 const bosc_message *message, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (message->block.n_frames > 0)
        st = bosc_result_frames(result, &message->block, message->values, err);
    if (st == BOSC_OK && message->n_spikes > 0)
        st = bosc_result_append(result, message->kind, message->n_spikes,
                                message->values, message->gid, err);
    if (st == BOSC_OK && message->complete)
        st = bosc_result_sync(result, err);
    return st;
}

/* The same for several ranks: every call is collective. */
static bosc_status write_parallel(bosc_parallel_file *file,
                                  const bosc_message *message, bosc_error *err)
{
    if (message->complete)
        return bosc_parallel_file_range(file, err);
    if (message->end > 0)
        return bosc_parallel_file_turn(file, message->dataset, message->turn,
                                       message->end, err);
    if (message->block.n_frames > 0)
        return bosc_parallel_file_frames(file, message->dataset,
                                         &message->block, message->values, err);
    return bosc_parallel_file_append(file, message->kind, message->n_spikes,
                                     message->values, message->gid, err);
}

/* The next message, once there is one; NULL when there will be none. */
static bosc_message *take(bosc_writer *w)
{
    bosc_message *message;

    pthread_mutex_lock(&w->lock);
    while (w->first == NULL && !w->finished)
        pthread_cond_wait(&w->changed, &w->lock);
    message = w->first;
    if (message != NULL && (w->first = message->next) == NULL)
        w->last = &w->first;
    pthread_mutex_unlock(&w->lock);
    return message;
}

static void *work(void *what)
{
    bosc_writer *w = what;
    bosc_message *message;
    bosc_status st = BOSC_OK;

    bosc_result_enter();
    while ((message = take(w)) != NULL) {
        const double began = bosc_now();
        bosc_error err = {""};

        if (message->act != NULL)
            message->act(message->what);
        else if (w->file != NULL)
            st = write_parallel(w->file, message, &err);
        else if (st == BOSC_OK)
            st = write_message(w->result, message, &err);
        pthread_mutex_lock(&w->lock);
        w->bytes -= message->bytes;
        w->seconds += message->act == NULL ? bosc_now() - began : 0;
        pthread_cond_broadcast(&w->changed);
        if (st != BOSC_OK && w->st == BOSC_OK) {
            w->st = st;
            w->err = err;
        }
        pthread_mutex_unlock(&w->lock);
        free(message);
    }
    return NULL;
}

bosc_status bosc_writer_create(bosc_result *result, bosc_parallel_file *file,
                               size_t capacity, bosc_writer **out,
                               bosc_error *err)
{
    bosc_writer *w = bosc_alloc(1, sizeof *w);
    sigset_t all, before;

    if (w == NULL)
        return bosc_no_memory(err, "the writer");
    w->result = result;
    w->file = file;
    w->capacity = capacity;
    w->last = &w->first;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);

    sigfillset(&all); /* signals are for the thread that computes */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        free(w);
        return bosc_fail(err, BOSC_EIO,
                         "no thread can be made for writing: %s; raise the "
                         "limit of processes (ulimit -u)",
                         strerror(code));
    }
    *out = w;
    return BOSC_OK;
}

double bosc_writer_bytes(double capacity, double all)
{
    return all / 2 < capacity ? all / 2 : capacity;
}

bool bosc_writer_room(bosc_writer *w, size_t bytes)
{
    pthread_mutex_lock(&w->lock);
    const bool room = w->bytes == 0 || w->bytes + bytes <= w->capacity;
    pthread_mutex_unlock(&w->lock);
    return room;
}

void bosc_writer_put(bosc_writer *w, bosc_message *message)
{
    message->next = NULL;
    pthread_mutex_lock(&w->lock);
    *w->last = message;
    w->last = &message->next;
    w->bytes += message->bytes;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

/* Wait until 'bytes' more fit, or all is written. */
static void wait_for_room(bosc_writer *w, size_t bytes)
{
    pthread_mutex_lock(&w->lock);
    while (w->bytes > 0 && w->bytes + bytes > w->capacity)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

void bosc_writer_drain(bosc_writer *w)
{
    wait_for_room(w, w->capacity);
}

void bosc_writer_call(bosc_writer *w, void (*act)(void *), void *what,
                      size_t bytes)
{
    bosc_message *message = bosc_message_create(0, 0);

    if (message == NULL) {
        bosc_writer_drain(w);
        act(what);
        return;
    }
    message->act = act;
    message->what = what;
    message->bytes += bytes;
    wait_for_room(w, message->bytes);
    bosc_writer_put(w, message);
}

bosc_status bosc_writer_status(bosc_writer *w, bosc_error *err)
{
    pthread_mutex_lock(&w->lock);
    const bosc_status st = w->st;
    if (st != BOSC_OK && err != NULL)
        *err = w->err;
    pthread_mutex_unlock(&w->lock);
    return st;
}

bosc_status bosc_writer_finish(bosc_writer *w, double *seconds, bosc_error *err)
{
    pthread_mutex_lock(&w->lock);
    w->finished = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);

    const bosc_status st = bosc_writer_status(w, err);

    *seconds = w->seconds;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
    return st;
}
