/* client.c - a program that has bosc.h and libbosc.so and nothing else of bosc:
 * it simulates a job, and compares what it reads with what 'bosc run' has
 * written of it.
 *
 * usage: client JOB DUMP TSTOP
 *
 * JOB has a probe 'soma', and JOB's result until TSTOP is in DUMP as
 * tests/random/results dumps it.
 */
#include <bosc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, failed;

static int ok(int passed, const char *name)
{
    printf("%sok %d - %s\n", passed ? "" : "not ", ++count, name);
    failed += !passed;
    return passed;
}

/* The bytes of a variable of the dump, and how many; NULL: it has none. */
static char *look(const char *path, const char *wanted, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char line[300], name[100], type, *data = NULL;
    int at;

    while (file != NULL && data == NULL &&
           fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%99s %c%n", name, &type, &at) != 2)
            break;
        *bytes = type == 'c' ? 1 : type == 'd' || type == 'q' ? 8 : 4;
        for (char *rest = line + at; *rest == ' ';)
            *bytes *= strtoul(rest, &rest, 10);
        if (strcmp(name, wanted) != 0) {
            fseek(file, (long)*bytes, SEEK_CUR);
            continue;
        }
        data = malloc(*bytes + 1);
        if (data != NULL && fread(data, 1, *bytes, file) != *bytes) {
            free(data);
            break;
        }
    }
    if (file != NULL)
        fclose(file);
    return data;
}

static void same(const char *dump, const char *name, const void *mine,
                 size_t bytes)
{
    char text[200];
    size_t n = 0;
    char *data = look(dump, name, &n);

    snprintf(text, sizeof text, "%s has the bits of 'bosc run'", name);
    ok(data != NULL && n == bytes && n > 0 && memcmp(data, mine, n) == 0, text);
    free(data);
}

/* Is each detection at a column of the only probe? */
static int are_columns(const bosc_detection_list *found, const bosc_readings *v)
{
    for (int64_t i = 0; i < found->n; ++i) {
        int64_t c = 0;

        while (c < v->n_columns && (v->gid[c] != found->gid[i] ||
                                    v->compartment[c] != found->compartment[i]))
            ++c;
        if (c == v->n_columns || found->probe[i] != 0 ||
            v->x[c] != found->x[i] ||
            strcmp(v->section[c], found->section[i]) != 0)
            return 0;
    }
    return 1;
}

static bosc_status simulate(bosc_simulation *sim, const char *dump,
                            const char *tstop)
{
    bosc_readings v;
    bosc_spike_list spikes;
    bosc_detection_list found;
    const double end = atof(tstop);
    bosc_status st = bosc_set(sim, "tstop", tstop);

    /* another number of threads and another method: the same bits */
    if (st == BOSC_OK)
        st = bosc_set(sim, "threads", "1");
    for (int i = 1; i <= 3 && st == BOSC_OK; ++i)
        st = bosc_advance(sim, end * i / 3);
    if (st == BOSC_OK)
        st = bosc_read(sim, "soma", "v", &v);
    if (st == BOSC_OK)
        st = bosc_spikes(sim, &spikes);
    if (st == BOSC_OK)
        st = bosc_detections(sim, &found);
    if (st != BOSC_OK)
        return st;
    ok(bosc_time(sim) == end, "the simulation is at its end");
    ok(strncmp(bosc_method_used(sim), "cpu ", 4) == 0,
       "the CPU has computed it");
    ok(bosc_n_neurons(sim) == bosc_population(sim, 0).n,
       "the population has all neurons");
    ok(strcmp(v.unit, "mV") == 0, "voltages are in mV");
    same(dump, "time_soma", v.time, (size_t)v.n_times * sizeof *v.time);
    same(dump, "soma_v", v.values,
         (size_t)(v.n_times * v.n_columns) * sizeof *v.values);
    same(dump, "soma_gid", v.gid, (size_t)v.n_columns * sizeof *v.gid);
    same(dump, "soma_compartment", v.compartment,
         (size_t)v.n_columns * sizeof *v.compartment);
    same(dump, "soma_x", v.x, (size_t)v.n_columns * sizeof *v.x);
    same(dump, "spike_time", spikes.time,
         (size_t)spikes.n * sizeof *spikes.time);
    same(dump, "spike_gid", spikes.gid, (size_t)spikes.n * sizeof *spikes.gid);
    same(dump, "detection_time", found.time,
         (size_t)found.n * sizeof *found.time);
    same(dump, "detection_gid", found.gid, (size_t)found.n * sizeof *found.gid);
    ok(are_columns(&found, &v), "they are at columns of the probe");
    return BOSC_OK;
}

int main(int argc, char **argv)
{
    bosc_simulation *sim = NULL;
    bosc_status st;

    if (argc != 4)
        return 2;
    printf("# %s\n", bosc_version());
    st = bosc_open(argv[1], &sim);
    if (st == BOSC_OK)
        st = simulate(sim, argv[2], argv[3]);
    if (!ok(st == BOSC_OK, "no call has failed"))
        printf("# %s\n", bosc_last_error(sim));
    bosc_close(sim);
    printf("1..%d\n", count);
    return failed != 0;
}
