#include "src/io/writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result_parallel.h"

struct bosc_writer {
    bosc_result *store; /* the thread's, or */
    bosc_parallel_file *parts;
    size_t capacity;
    pthread_t thread;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t news;
    bosc_message *first, **last;
    size_t bytes; /* waiting, or being written */
    bool over;    /* nothing more will come */
    bosc_status st;
    bosc_error err;
    double seconds;
};

bosc_message *bosc_message_create(size_t n_values, size_t n_spikes)
{
    const size_t n = n_values + n_spikes;
    const size_t bytes =
        sizeof(bosc_message) + n * sizeof(double) + n_spikes * sizeof(int64_t);
    bosc_message *parcel = malloc(bytes);

    if (parcel == NULL)
        return NULL;
    *parcel = (bosc_message){.bytes = bytes, .n_spikes = (int64_t)n_spikes};
    parcel->values = (double *)(parcel + 1);
    parcel->gid = (int64_t *)(parcel->values + n);
    return parcel;
}

static bosc_status write_parcel(bosc_result *store, const bosc_message *parcel,
                                bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (parcel->block.n_frames > 0)
        st = bosc_result_frames(store, &parcel->block, parcel->values, err);
    if (st == BOSC_OK && parcel->n_spikes > 0)
        st = bosc_result_spikes(store, parcel->n_spikes, parcel->values,
                                parcel->gid, err);
    if (st == BOSC_OK && parcel->complete)
        st = bosc_result_sync(store, err);
    return st;
}

/* The same, of several ranks: the others wait for every call. */
static bosc_status write_part(bosc_parallel_file *parts,
                              const bosc_message *parcel, bosc_error *err)
{
    if (parcel->complete)
        return bosc_parallel_file_range(parts, err);
    if (parcel->end > 0)
        return bosc_parallel_file_turn(parts, parcel->part, parcel->turn,
                                       parcel->end, err);
    if (parcel->block.n_frames > 0)
        return bosc_parallel_file_frames(parts, parcel->part, &parcel->block,
                                         parcel->values, err);
    return bosc_parallel_file_spikes(parts, parcel->n_spikes, parcel->values,
                                     parcel->gid, err);
}

/* The next parcel, once there is one; NULL when there will be none. */
static bosc_message *take(bosc_writer *w)
{
    bosc_message *parcel;

    pthread_mutex_lock(&w->lock);
    while (w->first == NULL && !w->over)
        pthread_cond_wait(&w->news, &w->lock);
    parcel = w->first;
    if (parcel != NULL && (w->first = parcel->next) == NULL)
        w->last = &w->first;
    pthread_mutex_unlock(&w->lock);
    return parcel;
}

static void *work(void *what)
{
    bosc_writer *w = what;
    bosc_message *parcel;
    bosc_status st = BOSC_OK;

    bosc_result_enter();
    while ((parcel = take(w)) != NULL) {
        const double began = bosc_now();
        bosc_error err = {""};

        if (w->parts != NULL)
            st = write_part(w->parts, parcel, &err);
        else if (st == BOSC_OK)
            st = write_parcel(w->store, parcel, &err);
        pthread_mutex_lock(&w->lock);
        w->bytes -= parcel->bytes;
        w->seconds += bosc_now() - began;
        if (st != BOSC_OK && w->st == BOSC_OK) {
            w->st = st;
            w->err = err;
        }
        pthread_mutex_unlock(&w->lock);
        free(parcel);
    }
    return NULL;
}

bosc_status bosc_writer_create(bosc_result *store, bosc_parallel_file *parts,
                               size_t capacity, bosc_writer **out,
                               bosc_error *err)
{
    bosc_writer *w = bosc_alloc(1, sizeof *w);
    sigset_t all, before;

    if (w == NULL)
        return bosc_no_memory(err, "the writer");
    w->store = store;
    w->parts = parts;
    w->capacity = capacity;
    w->last = &w->first;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->news, NULL);

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

bool bosc_writer_room(bosc_writer *w, size_t bytes)
{
    pthread_mutex_lock(&w->lock);
    const bool room = w->bytes == 0 || w->bytes + bytes <= w->capacity;
    pthread_mutex_unlock(&w->lock);
    return room;
}

void bosc_writer_put(bosc_writer *w, bosc_message *parcel)
{
    parcel->next = NULL;
    pthread_mutex_lock(&w->lock);
    *w->last = parcel;
    w->last = &parcel->next;
    w->bytes += parcel->bytes;
    pthread_cond_signal(&w->news);
    pthread_mutex_unlock(&w->lock);
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
    w->over = true;
    pthread_cond_signal(&w->news);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);

    const bosc_status st = bosc_writer_status(w, err);

    *seconds = w->seconds;
    pthread_cond_destroy(&w->news);
    pthread_mutex_destroy(&w->lock);
    free(w);
    return st;
}
