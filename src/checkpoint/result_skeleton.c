/* result_skeleton.c - what a checkpoint keeps of the unfinished file.
 *
 * HDF5 changes its tables in place, and moves a compressed chunk that grows: a
 * run that is killed can leave a file in which nothing is found any more, or
 * which crashes HDF5.  What it does not touch are chunks that have their place
 * (result_full.c).  All other bytes are the skeleton: few, because nearly all
 * of a large file is such chunks.  Put back, they make the file what it was at
 * the checkpoint, whatever was written since.  Of a killed run's own bytes HDF5
 * reads only chunks of values then, which sums verify.
 *
 * In the checkpoint, all words of eight bytes but the last part:
 *     MAGIC, bytes of the file, sums, ranges, bytes of the history
 *     sums      [sums] of what grows: bosc_result_grows()
 *     ranges    [ranges][2] begin and end of the skeleton's bytes in the file
 *     history   commands of runs that went on with the file, one a line; the
 * file itself gets them in the end the bytes of these ranges
 */
#include "config.h"

#include "src/checkpoint/result_skeleton.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/checkpoint/resume.h"

static const int64_t MAGIC = INT64_C(0x6e6f74656c656b73);
enum { WORDS = 5, PIECE = 1 << 20 };

/* --- kept ----------------------------------------------------------------- */

/* All of the file that is not full; false: no memory. */
static bool find_rest(const bosc_byte_ranges *full, int64_t size,
                      bosc_byte_ranges *rest)
{
    int64_t at = 0;

    rest->range = bosc_alloc(full->n + 1, sizeof *rest->range);
    if (rest->range == NULL)
        return false;
    for (size_t i = 0; i <= full->n; ++i) {
        const bool last = i == full->n;
        const int64_t end = last ? size : full->range[i].begin;

        if (end > at)
            rest->range[rest->n++] = (bosc_byte_range){at, end};
        at = last ? size : full->range[i].end;
    }
    return true;
}

/* Copy bytes of one file to the end of another. */
static bool append(int from, bosc_byte_range range, char *piece, FILE *to)
{
    while (range.begin < range.end) {
        const int64_t left = range.end - range.begin;
        const ssize_t n = pread(
            from, piece, left < PIECE ? (size_t)left : PIECE, range.begin);

        if (n <= 0 || fwrite(piece, 1, (size_t)n, to) != (size_t)n)
            return false;
        range.begin += n;
    }
    return true;
}

static bool write_all(const bosc_result *s, int from, int64_t size,
                      const bosc_byte_ranges *rest, FILE *to)
{
    const size_t history = s->later != NULL ? strlen(s->later) : 0;
    const int64_t head[WORDS] = {MAGIC, size, s->sums.n, (int64_t)rest->n,
                                 (int64_t)history};
    char *piece = bosc_alloc(PIECE, 1);
    bool done =
        piece != NULL && fwrite(head, sizeof head, 1, to) == 1 &&
        fwrite(s->sums.secured, sizeof *s->sums.secured, (size_t)s->sums.n,
               to) == (size_t)s->sums.n &&
        fwrite(rest->range, sizeof *rest->range, rest->n, to) == rest->n &&
        (history == 0 || fwrite(s->later, 1, history, to) == history);

    for (size_t i = 0; i < rest->n && done; ++i)
        done = append(from, rest->range[i], piece, to);
    free(piece);
    return done;
}

bosc_status bosc_result_skeleton(bosc_result *s, FILE *to, bosc_error *err)
{
    const char *name = bosc_result_find(s);
    bosc_byte_ranges rest = {0};
    struct stat now;
    int from;
    bool done;

    if (name == NULL)
        return bosc_fail(err, BOSC_EIO, "%s was removed or renamed",
                         s->partial);
    if (!bosc_result_find_full(s, name))
        return bosc_no_memory(err, "a checkpoint");
    errno = 0;
    from = open(name, O_RDONLY | O_CLOEXEC);
    done = from >= 0 && fstat(from, &now) == 0 &&
           find_rest(&s->sums.settled, now.st_size, &rest) &&
           write_all(s, from, now.st_size, &rest, to);
    if (!done)
        bosc_fail(err, BOSC_EIO, "%s: cannot be copied to a checkpoint: %s",
                  name, strerror(errno != 0 ? errno : EIO));
    if (from >= 0)
        close(from);
    free(rest.range);
    return done ? BOSC_OK : BOSC_EIO;
}

/* --- put back ------------------------------------------------------------- */

struct bosc_skeleton {
    int fd;         /* of the file; -1: not open */
    int64_t size;   /* bytes that the file had at the checkpoint, */
    int64_t before; /* and before the skeleton was put back */
    bosc_byte_ranges rest;
    char *old; /* all bytes that were there, in sequence */
};

void bosc_skeleton_forget(bosc_skeleton *k)
{
    if (k == NULL)
        return;
    if (k->fd >= 0)
        close(k->fd);
    free(k->rest.range);
    free(k->old);
    free(k);
}

/* Ascending, and in the file; their sum. */
static bool are_sound(const bosc_byte_ranges *rest, int64_t size,
                      int64_t *bytes)
{
    int64_t at = 0;

    *bytes = 0;
    for (size_t i = 0; i < rest->n; ++i) {
        const bosc_byte_range *r = &rest->range[i];

        if (r->begin < at || r->end <= r->begin || r->end > size)
            return false;
        *bytes += r->end - r->begin;
        at = r->end;
    }
    return true;
}

/* The commands of earlier runs; false: not there. */
static bool read_later(bosc_result *s, size_t bytes, FILE *from)
{
    if (bytes == 0)
        return true;
    s->later = bosc_alloc(bytes + 1, 1);
    return s->later != NULL && fread(s->later, 1, bytes, from) == bytes;
}

/* The head, and all that is known before the bytes; 'most' bytes are there. */
static bosc_status read_head(bosc_result *s, bosc_skeleton *k, FILE *from,
                             int64_t most, bosc_error *err)
{
    int64_t head[WORDS] = {0}, bytes = 0;
    const bool begun = most >= (int64_t)sizeof head &&
                       fread(head, sizeof head, 1, from) == 1 &&
                       head[0] == MAGIC && head[1] >= 0;

    if (!begun || head[2] != s->sums.n || head[3] < 0 || head[4] < 0 ||
        head[3] > most / (int64_t)sizeof *k->rest.range || head[4] > most)
        return bosc_fail(err, BOSC_EFORMAT,
                         "the checkpoint is damaged: what it says of %s is not "
                         "of this job",
                         s->partial);
    k->size = head[1];
    k->rest.n = (size_t)head[3];
    k->rest.range = bosc_alloc(k->rest.n, sizeof *k->rest.range);
    if (k->rest.range == NULL)
        return bosc_no_memory(err, s->partial);
    if (fread(s->sums.sum, sizeof *s->sums.sum, (size_t)s->sums.n, from) !=
            (size_t)s->sums.n ||
        fread(k->rest.range, sizeof *k->rest.range, k->rest.n, from) !=
            k->rest.n ||
        !read_later(s, (size_t)head[4], from) ||
        !are_sound(&k->rest, k->size, &bytes) ||
        bytes != most - (int64_t)sizeof head - head[4] -
                     s->sums.n * (int64_t)sizeof *s->sums.sum -
                     head[3] * (int64_t)sizeof *k->rest.range)
        return bosc_fail(err, BOSC_EFORMAT,
                         "the checkpoint is damaged: it has not all that it "
                         "says of %s",
                         s->partial);
    k->old = bosc_alloc((size_t)bytes, 1);
    return k->old != NULL ? BOSC_OK : bosc_no_memory(err, s->partial);
}

/* Exactly n bytes, or fewer at the end of the file, as zeros. */
static bool read_at(int fd, char *to, int64_t n, int64_t at)
{
    while (n > 0) {
        const ssize_t got = pread(fd, to, (size_t)n, at);

        if (got < 0)
            return false;
        if (got == 0) {
            memset(to, 0, (size_t)n);
            return true;
        }
        to += got;
        at += got;
        n -= got;
    }
    return true;
}

static bool write_at(int fd, const char *from, int64_t n, int64_t at)
{
    while (n > 0) {
        const ssize_t put = pwrite(fd, from, (size_t)n, at);

        if (put <= 0)
            return false;
        from += put;
        at += put;
        n -= put;
    }
    return true;
}

static bool remember(bosc_skeleton *k)
{
    char *to = k->old;
    bool done = true;

    for (size_t i = 0; i < k->rest.n && done; ++i) {
        const bosc_byte_range *r = &k->rest.range[i];

        done = read_at(k->fd, to, r->end - r->begin, r->begin);
        to += r->end - r->begin;
    }
    return done;
}

static bool put(const bosc_skeleton *k, FILE *from)
{
    char *piece = bosc_alloc(PIECE, 1);
    bool done = piece != NULL;

    for (size_t i = 0; i < k->rest.n && done; ++i)
        for (int64_t at = k->rest.range[i].begin, end = k->rest.range[i].end;
             at < end && done;) {
            const int64_t n = end - at < PIECE ? end - at : PIECE;

            done = fread(piece, 1, (size_t)n, from) == (size_t)n &&
                   write_at(k->fd, piece, n, at);
            at += n;
        }
    free(piece);
    return done;
}

void bosc_skeleton_take_back(bosc_skeleton *k)
{
    const char *from = k->old;

    for (size_t i = 0; i < k->rest.n; ++i) {
        const bosc_byte_range *r = &k->rest.range[i];

        write_at(k->fd, from, r->end - r->begin, r->begin);
        from += r->end - r->begin;
    }
    if (ftruncate(k->fd, k->before) != 0)
        return; /* longer by some bytes, which nobody reads */
}

bool bosc_skeleton_settle(const bosc_skeleton *k)
{
    return ftruncate(k->fd, k->size) == 0;
}

bosc_status bosc_skeleton_put_back(bosc_result *s, FILE *from, int64_t bytes,
                                   bosc_skeleton **out, bosc_error *err)
{
    bosc_skeleton *k = bosc_alloc(1, sizeof *k);
    struct stat now;
    bosc_status st;

    if (k == NULL)
        return bosc_no_memory(err, s->partial);
    errno = 0;
    k->fd = open(s->partial, O_RDWR | O_CLOEXEC);
    if (k->fd < 0 || fstat(k->fd, &now) != 0)
        st = bosc_fail(err, BOSC_ENOINPUT, "%s: %s", s->partial,
                       strerror(errno));
    else if ((st = read_head(s, k, from, bytes, err)) == BOSC_OK) {
        k->before = now.st_size;
        if (!remember(k))
            st = bosc_fail(err, BOSC_EIO, "%s: cannot be read: %s", s->partial,
                           strerror(errno));
        else if (!put(k, from) ||
                 (k->before < k->size && ftruncate(k->fd, k->size) != 0)) {
            st = bosc_fail(err, BOSC_EIO, "%s: cannot be written: %s",
                           s->partial, strerror(errno));
            bosc_skeleton_take_back(k);
        }
    }
    if (st != BOSC_OK)
        bosc_skeleton_forget(k);
    else
        *out = k;
    return st;
}
