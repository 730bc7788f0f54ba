/* The thread that writes the file, its bounded queue, and the file's chunks. */
#include <math.h>
#include <netcdf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"
#include "src/io/writer.h"
#include "tests/lib/tap.h"

enum {
    COLUMNS = 600,
    FRAMES = 500,
    MANY = 2500,
    BLOCK = 20,
    WIDTH = 250,
    SPIKES = 777
};

static char folder[] = "/tmp/bosc-writer-XXXXXX";
static char path[128], partial[160];

static const bosc_variable v_only[] = {{BOSC_COMPARTMENT, 0}};
static const bosc_result_probes soma = {"soma",  0, 0.5,    2 * MANY + 1, false,
                                        COLUMNS, 1, v_only, NULL};
static const bosc_result_neurons neurons = {0};

static bosc_result *open_store(void)
{
    const bosc_result_spec spec = {.path = path,
                                   .title = "test",
                                   .command = "",
                                   .job_text = "",
                                   .tstop = MANY,
                                   .compression = 1,
                                   .neurons = &neurons,
                                   .n_sets = 1,
                                   .sets = &soma};
    bosc_result *store = NULL;
    bosc_error err = {""};

    if (bosc_result_create(&spec, &store, &err) != BOSC_OK)
        diag("%s", err.text);
    return store;
}

/* Nothing that zlib could make small. */
static double value(int64_t frame, int64_t column)
{
    uint64_t x = (uint64_t)(frame * COLUMNS + column) + 1;

    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9u;
    return (double)(x >> 11);
}

static bosc_message *make_frames(int64_t frame, int64_t first, int64_t n)
{
    bosc_message *parcel = bosc_message_create((size_t)(BLOCK * n), 0);

    parcel->block = (bosc_result_block){0, 0, frame, BLOCK, first, n};
    for (int64_t i = 0; i < BLOCK * n; ++i)
        parcel->values[i] = value(frame + i / n, first + i % n);
    return parcel;
}

static bosc_message *make_spikes(int64_t first, size_t n)
{
    bosc_message *parcel = bosc_message_create(0, n);

    for (size_t i = 0; i < n; ++i) {
        parcel->values[i] = (double)(first + (int64_t)i) / 8;
        parcel->gid[i] = (first + (int64_t)i) % 7;
    }
    return parcel;
}

/* Hand over everything, waiting for room; parcels that found none. */
static int put_all(bosc_writer *writer, int64_t frames)
{
    int waited = 0;

    for (int64_t f = 0; f < frames; f += BLOCK)
        for (int64_t c = 0; c < COLUMNS; c += WIDTH) {
            bosc_message *parcel =
                make_frames(f, c, COLUMNS - c < WIDTH ? COLUMNS - c : WIDTH);
            const bool room = bosc_writer_room(writer, parcel->bytes);

            waited += !room;
            while (!bosc_writer_room(writer, parcel->bytes))
                usleep(50);
            parcel->complete = true;
            bosc_writer_put(writer, parcel);
        }
    for (int64_t i = 0; i < SPIKES; i += 111)
        bosc_writer_put(writer, make_spikes(i, 111));
    return waited;
}

static bool frames_are_right(int nc)
{
    static double got[FRAMES][COLUMNS];
    int var = -1;
    bool right = nc_inq_varid(nc, "soma_v", &var) == NC_NOERR &&
                 nc_get_var_double(nc, var, got[0]) == NC_NOERR;

    for (int f = 0; f < FRAMES; ++f)
        for (int c = 0; c < COLUMNS; ++c)
            right = right && got[f][c] == value(f, c);
    return right;
}

static bool spikes_are_right(int nc)
{
    double time[SPIKES];
    long long gid[SPIKES];
    int of_time = -1, of_gid = -1;
    bool right = nc_inq_varid(nc, "spike_time", &of_time) == NC_NOERR &&
                 nc_inq_varid(nc, "spike_gid", &of_gid) == NC_NOERR &&
                 nc_get_var_double(nc, of_time, time) == NC_NOERR &&
                 nc_get_var_longlong(nc, of_gid, gid) == NC_NOERR;

    for (int i = 0; i < SPIKES; ++i)
        right = right && time[i] == i / 8.0 && gid[i] == i % 7;
    return right;
}

static void test_queue(void)
{
    static const struct {
        size_t capacity;
        const char *name;
        bool waits;
    } cases[] = {
        {1, "a queue of one byte takes one parcel at a time", true},
        {100000, "a queue of two parcels is full now and then", true},
        {1 << 30, "a queue for everything is never full", false},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_result *store = open_store();
        bosc_writer *writer = NULL;
        bosc_error err = {""};
        double seconds = 0;
        int nc = -1;

        bosc_writer_create(store, NULL, cases[i].capacity, &writer, &err);
        ok((put_all(writer, FRAMES) > 0) == cases[i].waits, "%s",
           cases[i].name);
        ok(bosc_writer_finish(writer, &seconds, &err) == BOSC_OK && seconds > 0,
           "its thread ends with everything written");
        bosc_result_finish(store, 0, NULL, NULL, NULL, &err);
        nc_open(path, NC_NOWRITE, &nc);
        ok(frames_are_right(nc) && spikes_are_right(nc),
           "and the file has it all, in order");
        nc_close(nc);
    }
}

/* The file may not grow: nobody waits for ever, the message comes through. */
static void test_failure(void)
{
    const struct rlimit small = {1 << 19, RLIM_INFINITY};
    struct rlimit before;
    bosc_result *store = open_store();
    bosc_writer *writer = NULL;
    bosc_error err = {""}, last = {""};
    double seconds = 0;
    bosc_status st = BOSC_OK;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &small);
    bosc_writer_create(store, NULL, 100000, &writer, &err);
    put_all(writer, MANY); /* more than chunks are kept in memory */
    for (int i = 0; i < 2000 && st == BOSC_OK; ++i) {
        usleep(1000);
        st = bosc_writer_status(writer, &err);
    }
    ok(st == BOSC_EIO && strstr(err.text, "File too large") != NULL,
       "a failure is told while parcels still come");
    ok(bosc_writer_finish(writer, &seconds, &last) == BOSC_EIO &&
           strcmp(err.text, last.text) == 0,
       "and again at the end, in the same words");
    bosc_result_abandon(store, &last);
    setrlimit(RLIMIT_FSIZE, &before);
    ok(access(path, F_OK) != 0, "there is no file that looks finished");
}

static void test_chunks(void)
{
    static const struct {
        int64_t n;
        double frames;
        size_t want[2];
        const char *name;
    } cases[] = {
        {0, 1, {1, 1}, "no columns"},
        {1, 11, {11, 1}, "a tiny set is one chunk"},
        {1, 1e9, {131072, 1}, "one long trace"},
        {100, 1e9, {1310, 100}, "a narrow set keeps its columns together"},
        {1000, 1e9, {1024, 128}, "a set of thousand"},
        {1000000, 1e9, {4, 32768}, "a wide set has few frames in a chunk"},
        {200000000, 1e9, {1, 131072}, "a huge set has one frame in a chunk"},
        {5000000, 1, {1, 131072}, "one frame of many columns"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        size_t got[2];

        bosc_result_chunk(cases[i].n, cases[i].frames, got);
        if (!ok(got[0] == cases[i].want[0] && got[1] == cases[i].want[1],
                "chunks: %s", cases[i].name))
            diag("%zu x %zu", got[0], got[1]);
    }
}

/* What the thread has been asked to do, in its order. */
static char done[8];

static void first_act(void *what)
{
    usleep(20000); /* later ones, and who drains, wait for it */
    strcat(done, what);
}

static void next_act(void *what)
{
    strcat(done, what);
}

/* Other work in its turn.  The seconds of the thread's own. */
static double call(bool *in_turn, bool *ended)
{
    static char a[] = "a", b[] = "b", c[] = "c";
    bosc_error err = {""};
    bosc_result *result = open_store();
    bosc_writer *writer = NULL;
    double seconds = -1;

    done[0] = '\0';
    bosc_writer_create(result, NULL, 1000, &writer, &err);
    bosc_writer_call(writer, first_act, a, 0);
    bosc_writer_put(writer, make_spikes(0, 111));
    bosc_writer_call(writer, next_act, b, 5000);
    bosc_writer_drain(writer);
    *in_turn = strcmp(done, "ab") == 0;
    bosc_writer_call(writer, first_act, c, 0);
    *ended = bosc_writer_finish(writer, &seconds, &err) == BOSC_OK &&
             strcmp(done, "abc") == 0;
    bosc_result_abandon(result, &err);
    unlink(partial);
    return seconds;
}

/* The system may keep the thread from its own work for long, but hardly each
 * time. */
static void test_calls(void)
{
    bool in_turn, ended;
    double least = call(&in_turn, &ended);

    ok(in_turn, "what is to be done is done in its turn");
    ok(ended, "and the thread ends after the last of it");
    for (int k = 0; k < 50 && least >= 0.02; ++k)
        least = fmin(least, call(&in_turn, &ended));
    ok(least > 0 && least < 0.02,
       "its time is not counted as time in the result");
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/out.nc", folder);
    snprintf(partial, sizeof partial, "%s.partial", path);
    test_queue();
    unlink(path);
    test_failure();
    test_calls();
    test_chunks();
    unlink(partial);
    if (rmdir(folder) != 0)
        diag("%s is left", folder);
    return done_testing();
}
