#include "tests/library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/tap.h"

/* --- files --- */

static char folder[] = "/tmp/bosc-library-XXXXXX";

void own_folder(void)
{
    char cache[sizeof folder + 10];

    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        exit(1);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("XDG_CACHE_HOME", cache, 1);
    mkdir(cache, 0700);
}

void leave_folder(void)
{
    char command[sizeof folder + 20];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (chdir("/") != 0 || system(command) != 0)
        diag("%s is not removed", folder);
}

void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
}

bosc_simulation *open_here(const char *text)
{
    bosc_simulation *sim;

    bosc_open_text(text, folder, &sim);
    return sim;
}

/* --- jobs --- */

const char ring_job[] =
    "tstop: 60\n"
    "threads: 2\n"
    "populations:\n"
    "  - {name: cells, synthetic: {compartments: 61, sections: 10}, count: 12,"
    " regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}\n"
    "synapses: [{name: excite, type: ExpSyn, tau: 2},"
    " {name: inhibit, type: Exp2Syn, tau1: 0.5, tau2: 6, e: -80}]\n"
    "sources:\n"
    "  - {name: kick, type: regular, start: 1, number: 3, interval: 9}\n"
    "  - {name: noise, type: poisson, count: 30, rate: 20}\n"
    "projections:\n"
    "  - {name: ring, from: cells, to: cells, rule: ring, synapse: excite,"
    " weight: 0.02, delay: 5}\n"
    "  - {name: start, from: kick, to: cells, rule: fixed_probability,"
    " probability: 0.3, synapse: excite, weight: 0.05}\n"
    "  - {from: noise, to: cells, rule: fixed_indegree, indegree: 9,"
    " synapse: excite, weight: 0.001, delay: {uniform: [1, 20]},"
    " at: {region: all}}\n"
    "  - {name: against, from: cells, to: cells, rule: fixed_probability,"
    " probability: 0.2, synapse: inhibit, weight: 0.0005,"
    " delay: {uniform: [2, 9]}}\n"
    "probes:\n"
    "  - {name: soma, at: soma, interval: 0.1, threshold: -35}\n"
    "  - {name: all, neurons: \"3-5\", at: everywhere, interval: 5,"
    " threshold: -40}\n";

const char gap_job[] =
    "tstop: 40\n"
    "threads: 2\n"
    "second_order: true\n"
    "populations: [{name: c, synthetic: {compartments: 60, sections: 13},"
    " count: 10, regions: {all: {pas: {}}, soma: {hh: {}}}}]\n"
    "couplings:\n"
    "  - {from: c, to: c, type: gap, rule: ring, conductance: 0.002}\n"
    "  - {from: c, to: c, type: graded, rule: ring, offset: 3,"
    " conductance: 0.001, e: -80, half: -40, slope: 5,"
    " at: \"dend[0](0.5)\"}\n"
    "clamps: [{neurons: \"0-4\", at: soma, delay: 2, duration: 30,"
    " amplitude: 0.3}]\n"
    "probes: [{name: soma, variables: [v, hh.m], interval: 0.1}]\n";

const char mods_job[] =
    "tstop: 60\n"
    "threads: 2\n"
    "mechanisms: [mods]\n"
    "populations: [{name: c, synthetic: {compartments: 60, sections: 13},"
    " count: 10, regions: {all: {pas: {}, cal: {}, cad: {}},"
    " soma: {hh: {}}}}]\n"
    "synapses: [{name: echo, type: Echo}]\n"
    "sources: [{name: noise, type: poisson, rate: 60, count: 20}]\n"
    "projections:\n"
    "  - {from: noise, to: c, synapse: echo, rule: fixed_indegree,"
    " indegree: 6, weight: 0.02, delay: {uniform: [1, 30]},"
    " at: {region: all}}\n"
    "  - {from: c, to: c, synapse: echo, rule: fixed_indegree, indegree: 4,"
    " weight: 0.01, delay: 20}\n"
    "point_processes: [{type: Jitter, neurons: 0-6},"
    " {type: Jitter, neurons: 0-3, at: soma, amp: 0.02}]\n"
    "probes: [{name: soma, variables: [v, hh.m, Jitter.i], interval: 0.1}]\n";

bool put_mods(void)
{
    const char *cc = getenv("BOSC_CC");
    char command[300];

    snprintf(command, sizeof command, "command -v %s >/dev/null",
             cc != NULL ? cc : "cc");
    if (system(command) != 0)
        return false;
    mkdir("mods", 0700);
    put_file("mods/cal.mod",
             "NEURON { SUFFIX cal USEION ca READ eca WRITE ica RANGE gbar }\n"
             "PARAMETER { gbar = 0.0005 (S/cm2) }\n"
             "ASSIGNED { v (mV) eca (mV) ica (mA/cm2) }\n"
             "STATE { m }\n"
             "INITIAL { m = 1 / (1 + exp(-(v + 20) / 8)) }\n"
             "BREAKPOINT { SOLVE s METHOD cnexp ica = gbar * m * (v - eca) }\n"
             "DERIVATIVE s { m' = (1 / (1 + exp(-(v + 20) / 8)) - m) / 3 }\n");
    put_file("mods/cad.mod",
             "NEURON { SUFFIX cad USEION ca READ ica WRITE cai RANGE tau }\n"
             "PARAMETER { tau = 80 (ms) }\n"
             "ASSIGNED { ica (mA/cm2) }\n"
             "STATE { cai (mM) }\n"
             "INITIAL { cai = 0.0001 }\n"
             "BREAKPOINT { SOLVE s METHOD cnexp }\n"
             "DERIVATIVE s { cai' = -0.01 * ica + (0.0001 - cai) / tau }\n");
    put_file("mods/echo.mod",
             "NEURON { POINT_PROCESS Echo NONSPECIFIC_CURRENT i"
             " RANGE tau, lag }\n"
             "PARAMETER { tau = 3 (ms) lag = 25 (ms) }\n"
             "ASSIGNED { v (mV) i (nA) }\n"
             "STATE { g (uS) }\n"
             "INITIAL { g = 0 }\n"
             "BREAKPOINT { SOLVE s METHOD cnexp i = g * v }\n"
             "DERIVATIVE s { g' = -g / tau }\n"
             "NET_RECEIVE (w (uS), n) {\n"
             "    INITIAL { n = 0 }\n"
             "    if (flag == 0) {\n"
             "        n = n + 1  g = g + w * exp(-n / 40)  net_send(lag, 1)\n"
             "    } else { g = g + w / 2 }\n"
             "}\n");
    put_file("mods/jitter.mod",
             "TITLE An electrode whose current is drawn\n"
             "NEURON { POINT_PROCESS Jitter ELECTRODE_CURRENT i RANGE amp, i"
             " RANDOM r }\n"
             "PARAMETER { amp = 0.01 (nA) }\n"
             "ASSIGNED { i (nA) }\n"
             "INITIAL { i = 0 }\n"
             "BREAKPOINT { i = i / 2 + amp * random_normal(r) }\n");
    return true;
}

/* --- what there is --- */

static void put_probe(FILE *file, bosc_simulation *sim, const char *probe)
{
    static const char *const variables[] = {"v", "hh.m", "Jitter.i"};
    bosc_readings r;

    for (int k = 0; k < 3; ++k) {
        if (bosc_read(sim, probe, variables[k], &r) != BOSC_OK)
            continue;

        const size_t n = (size_t)(r.n_times * r.n_columns);

        fprintf(file, "%s %s %s %lld %lld\n", probe, variables[k], r.unit,
                (long long)r.n_times, (long long)r.n_columns);
        if (n == 0)
            continue;
        fwrite(r.time, sizeof *r.time, (size_t)r.n_times, file);
        fwrite(r.values, sizeof *r.values, n, file);
        for (int64_t i = 0; i < r.n_columns; ++i)
            fprintf(file, "%lld %ld %s %a\n", (long long)r.gid[i],
                    (long)r.compartment[i], r.section[i], r.x[i]);
    }
}

bytes readings(bosc_simulation *sim)
{
    bytes all = {0};
    FILE *file = open_memstream(&all.at, &all.n);
    bosc_spike_list spikes;
    bosc_detection_list found;

    for (int i = 0; bosc_probe_name(sim, i) != NULL; ++i)
        put_probe(file, sim, bosc_probe_name(sim, i));
    if (bosc_spikes(sim, &spikes) == BOSC_OK && spikes.n > 0) {
        fwrite(spikes.time, sizeof *spikes.time, (size_t)spikes.n, file);
        fwrite(spikes.gid, sizeof *spikes.gid, (size_t)spikes.n, file);
    }
    if (bosc_detections(sim, &found) == BOSC_OK)
        for (int64_t i = 0; i < found.n; ++i)
            fprintf(file, "%a %ld %lld %ld %s %a\n", found.time[i],
                    (long)found.probe[i], (long long)found.gid[i],
                    (long)found.compartment[i], found.section[i], found.x[i]);
    fclose(file);
    return all;
}

bytes recorded(bosc_simulation *sim)
{
    bytes all = readings(sim), state = saved(sim);
    char *longer = realloc(all.at, all.n + state.n + 1);

    if (longer == NULL)
        exit(1);
    all.at = longer;
    if (state.n > 0)
        memcpy(all.at + all.n, state.at, state.n);
    all.n += state.n;
    free(state.at);
    return all;
}

bytes saved(bosc_simulation *sim)
{
    bytes state = {0};
    void *at = NULL;

    if (bosc_save(sim, &at, &state.n) != BOSC_OK) {
        diag("bosc_save: %s", bosc_last_error(sim));
        state.n = 0;
    }
    state.at = at;
    return state;
}

bool same_bytes(bytes a, bytes b)
{
    if (a.n > 0 && a.n == b.n && memcmp(a.at, b.at, a.n) == 0)
        return true;
    diag("%zu bytes against %zu", a.n, b.n);
    return false;
}

bool says(bosc_status st, bosc_status wanted, const bosc_simulation *sim,
          const char *text)
{
    const char *said = bosc_last_error(sim);

    if (st == wanted && strstr(said, text) != NULL &&
        (text[0] != '\0' || said[0] == '\0'))
        return true;
    diag("status %d, wanted %d; \"%s\", wanted \"%s\"", (int)st, (int)wanted,
         said, text);
    return false;
}
