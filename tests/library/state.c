/* state.c - a simulation goes on from a state with the bits that it would have
 * had: the same handle, a new one, with other threads and another method.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

static bool advances(bosc_simulation *sim, double t)
{
    return says(bosc_advance(sim, t), BOSC_OK, sim, "");
}

/* What 'sim' records from the state at t1 on to the end, against 'wanted'. */
static bool goes_on(bosc_simulation *sim, bytes state, double end, bytes wanted)
{
    const bool restored =
        says(bosc_restore(sim, state.at, state.n), BOSC_OK, sim, "");
    bytes mine = {0};
    bool same = false;

    if (restored && advances(sim, end)) {
        mine = recorded(sim);
        same = same_bytes(mine, wanted);
    }
    free(mine.at);
    return same;
}

static void in_new_handles(const char *name, const char *job, bytes state,
                           double end, bytes wanted)
{
    bosc_simulation *sim = open_here(job);

    ok(goes_on(sim, state, end, wanted), "%s: a new handle goes on from it",
       name);
    bosc_close(sim);
    sim = open_here(job);
    bosc_set(sim, "threads", "1");
    bosc_set(sim, "method", "hines-flat");
    ok(says(bosc_build(sim), BOSC_OK, sim, "") &&
           goes_on(sim, state, end, wanted),
       "%s: and one with other threads and another method", name);
    ok(goes_on(sim, state, end, wanted), "%s: also a second time", name);
    bosc_close(sim);
    sim = open_here(job);
    bosc_set(sim, "backend", "ref");
    ok(goes_on(sim, state, end, wanted), "%s: and one of the reference", name);
    bosc_close(sim);
}

static void check(const char *name, const char *job, double t1, double end)
{
    bosc_simulation *whole = open_here(job), *sim = open_here(job);
    bytes at_end, state = {0}, second, rest = {0};
    double t;

    advances(whole, end);
    at_end = saved(whole);
    bosc_close(whole);

    ok(advances(sim, t1), "%s: it is simulated until %g ms", name, t1);
    t = bosc_time(sim);
    state = saved(sim);
    second = saved(sim);
    ok(same_bytes(state, second), "%s: a state that is saved twice is the same",
       name);
    free(second.at);
    bosc_forget(sim);
    ok(advances(sim, end), "%s: and to its end", name);
    rest = recorded(sim);
    second = saved(sim);
    ok(same_bytes(at_end, second),
       "%s: to save changes nothing of what comes after", name);
    free(second.at);
    ok(bosc_restore(sim, state.at, state.n) == BOSC_OK && bosc_time(sim) == t,
       "%s: it goes back to %g ms", name, t);
    ok(goes_on(sim, state, end, rest), "%s: and has the same bits again", name);
    bosc_close(sim);
    in_new_handles(name, job, state, end, rest);
    free(rest.at);
    free(state.at);
    free(at_end.at);
}

/* Those that are at the begin and at the end of time. */
static void check_ends(void)
{
    bosc_simulation *sim = open_here(gap_job);
    bytes begin = saved(sim), whole, end;

    ok(begin.n > 0 && bosc_time(sim) == 0, "a state at 0 ms builds first");
    advances(sim, 40);
    whole = recorded(sim);
    end = saved(sim);
    ok(goes_on(sim, begin, 40, whole), "from 0 ms on, frame 0 is recorded");
    ok(bosc_restore(sim, end.at, end.n) == BOSC_OK && bosc_time(sim) == 40 &&
           advances(sim, 40),
       "a state at tstop is at its end");
    free(begin.at);
    free(end.at);
    free(whole.at);
    bosc_close(sim);
}

static void check_refused(void)
{
    bosc_simulation *sim = open_here(gap_job), *other = open_here(gap_job);
    bytes state, whole, mine;
    bosc_status st;
    bool all = true;

    advances(sim, 10);
    state = saved(sim);
    ok(says(bosc_restore(sim, NULL, 0), BOSC_EFORMAT, sim, "no state"),
       "nothing is no state");
    ok(says(bosc_restore(sim, "garbage", 7), BOSC_EFORMAT, sim, "no state"),
       "nor is garbage");
    for (size_t n = 0; n < state.n && all; n += 1 + state.n / 97)
        all = bosc_restore(sim, state.at, n) == BOSC_EFORMAT;
    ok(all, "a state that is cut anywhere is refused");
    for (size_t i = 0; i < state.n && all; i += 1 + state.n / 97) {
        state.at[i] ^= 4;
        all = bosc_restore(sim, state.at, state.n) == BOSC_EFORMAT;
        state.at[i] ^= 4;
    }
    ok(all, "and one with a byte changed anywhere");
    bosc_set(other, "celsius", "7");
    st = bosc_restore(other, state.at, state.n);
    ok(says(st, BOSC_EFORMAT, other, "another job"),
       "that of a job with another value is refused");
    ok(says(bosc_advance(other, 1), BOSC_EFORMAT, other, "another job"),
       "the handle, which has no neurons, is good for nothing more");
    bosc_close(other);
    other = open_here(gap_job);
    bosc_set(other, "tstop", "5");
    ok(says(bosc_restore(other, state.at, state.n), BOSC_EFORMAT, other,
            "another job"),
       "also one from after its end");
    bosc_close(other);
    other = open_here(gap_job);
    bosc_set(other, "celsius", "7");
    bosc_advance(other, 5);
    ok(says(bosc_restore(other, state.at, state.n), BOSC_EFORMAT, other,
            "another job") &&
           bosc_time(other) >= 5 && advances(other, 40),
       "but one that is built stays where it is, and goes on");
    bosc_close(other);
    /* after all that */
    advances(sim, 40);
    mine = recorded(sim);
    other = open_here(gap_job);
    advances(other, 40);
    whole = recorded(other);
    ok(same_bytes(mine, whole), "what is refused changes nothing");
    free(mine.at);
    free(whole.at);
    free(state.at);
    bosc_close(sim);
    bosc_close(other);
}

int main(void)
{
    bosc_simulation *sim;
    bytes begin, later;

    own_folder();
    check("network", ring_job, 31, 60);
    check("gap junctions", gap_job, 17.3, 40);
    if (put_mods())
        check("mod files", mods_job, 33.3, 60);
    else
        skip("no C compiler");
    check_ends();
    check_refused();
    sim = open_here(ring_job);
    begin = saved(sim);
    advances(sim, 31);
    later = saved(sim);
    ok(later.n > begin.n, "states have the spikes that are on their way");
    free(begin.at);
    free(later.at);
    bosc_close(sim);
    leave_folder();
    return done_testing();
}
