#include "src/base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 20 }; /* a wider line would wrap, and scroll */

double bosc_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw_bar(const bosc_progress *progress, int64_t done, double left)
{
    const int full = (int)(done * BAR / progress->total);
    char bar[BAR + 1], eta[32];

    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)full);
    bar[BAR] = '\0';
    /* ESC [ K clears what a longer line before has left */
    fprintf(stderr, "\r[%s] %3d %%  t = %.5g of %.5g ms, %s left\033[K", bar,
            (int)(done * 100 / progress->total), (double)done * progress->dt,
            (double)progress->total * progress->dt,
            done > progress->from ? bosc_human_seconds(left, eta) : "?");
    fflush(stderr);
}

/* A line for every 10 %, and one where a minute has passed without. */
static void print_line(bosc_progress *progress, int64_t done, double left,
                       double now)
{
    enum { SILENCE = 60 };
    const int tenths = (int)(done * 10 / progress->total);
    char eta[32];

    if (tenths <= progress->tenths && now - progress->drawn < SILENCE)
        return;
    progress->tenths = tenths;
    progress->drawn = now;
    fprintf(stderr, "%3d %%  t = %.6g ms, %s left\n",
            (int)(done * 100 / progress->total), (double)done * progress->dt,
            bosc_human_seconds(left, eta));
}

double bosc_progress_left(const bosc_progress *progress, int64_t done)
{
    const double spent = bosc_now() - progress->started;
    const int64_t own = done - progress->from;

    return own > 0 ? spent * (double)(progress->total - done) / (double)own : 0;
}

void bosc_progress_show(bosc_progress *progress, int64_t done)
{
    const double now = bosc_now(), left = bosc_progress_left(progress, done);

    if (!progress->shown || progress->total <= 0)
        return;
    if (!progress->terminal) {
        print_line(progress, done, left, now);
    } else if (now - progress->drawn > 0.1 || done == progress->total) {
        progress->drawn = now;
        draw_bar(progress, done, left);
    }
}

bosc_progress bosc_progress_start(bool shown, int64_t from, int64_t total,
                                  double dt)
{
    bosc_progress progress = {.shown = shown,
                              .terminal = isatty(STDERR_FILENO) != 0,
                              .total = total,
                              .from = from,
                              .dt = dt,
                              .started = bosc_now()};

    if (progress.terminal)
        bosc_progress_show(&progress, from);
    else
        progress.drawn = progress.started;
    return progress;
}

void bosc_progress_pause(bosc_progress *progress)
{
    if (!progress->shown || !progress->terminal)
        return;
    fputs("\r\033[K", stderr);
    progress->drawn = 0;
}

void bosc_progress_end(bosc_progress *progress)
{
    if (progress->shown && progress->terminal)
        fputc('\n', stderr);
    progress->shown = false;
}

char *bosc_human_bytes(double bytes, char *text)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t u = 0;

    for (; bytes >= 999.5 && u < 5; bytes /= 1000)
        ++u;
    sprintf(text, "%.3g %s", bytes, units[u]);
    return text;
}

char *bosc_human_seconds(double seconds, char *text)
{
    const long whole = (long)(seconds + 0.5);

    if (seconds < 0.9995)
        sprintf(text, "%.3g ms", seconds * 1e3);
    else if (seconds < 99.5)
        sprintf(text, "%.3g s", seconds);
    else if (whole < 3600)
        sprintf(text, "%ld min %02ld s", whole / 60, whole % 60);
    else
        sprintf(text, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    return text;
}

char *bosc_human_count(int64_t n, char *text)
{
    char digits[24];
    const int length = sprintf(digits, "%lld", (long long)n);
    char *at = text;

    for (int i = 0; i < length; ++i) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}
