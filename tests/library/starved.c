/* starved.c - one of everything, for memory.t: it ends with the status that a
 * call has failed with, and 100 where that has no sentence.
 *
 * usage: starved JOB
 */
#include <bosc.h>
#include <stdio.h>
#include <stdlib.h>

static bosc_status simulate(bosc_simulation *sim)
{
    static const char *const keys[] = {"clamps.0.amplitude"};
    static const double values[] = {0.3, 0.4};
    bosc_readings v;
    bosc_spike_list spikes;
    void *state = NULL;
    size_t n;
    bosc_status st = bosc_set(sim, "dt", "0.05");

    if (st == BOSC_OK)
        st = bosc_set_table(sim, 2, 1, keys, values);
    if (st == BOSC_OK)
        st = bosc_advance(sim, 5);
    if (st == BOSC_OK)
        st = bosc_read(sim, "soma", "v", &v);
    if (st == BOSC_OK)
        st = bosc_spikes(sim, &spikes);
    if (st == BOSC_OK)
        st = bosc_save(sim, &state, &n);
    if (st == BOSC_OK)
        st = bosc_restore(sim, state, n);
    free(state);
    return st == BOSC_OK ? bosc_advance(sim, 10) : st;
}

int main(int argc, char **argv)
{
    bosc_simulation *sim = NULL;
    bosc_status st = bosc_open(argc > 1 ? argv[1] : "", &sim);
    int code;

    if (st == BOSC_OK)
        st = simulate(sim);
    code = st != BOSC_OK && bosc_last_error(sim)[0] == '\0' ? 100 : (int)st;
    if (st != BOSC_OK)
        printf("%s\n", bosc_last_error(sim));
    bosc_close(sim);
    return code;
}
