/* library.c - run variants of jobs through libbosc, with nothing of bosc but
 * its public headers, and write down what it has recorded.
 *
 * usage: library LIST
 *
 * Each line of LIST is a variant, its fields separated by tabs, as variants.c
 * has it; RANKS is 1:
 *
 *   NAME RANKS ISA JOB OUTPUT [WORD]...
 *
 * The WORDs are calls, in their order:
 *
 *   @text         the job is opened as a text; else as a file
 *   KEY=VALUE     bosc_set()
 *   @table=ROWS;KEY;...;VALUE;...   bosc_set_table()
 *   @read=PROBE VARIABLE          what is read; all of it before @advance
 *   @advance=MS   bosc_advance()
 *   @take         read what was recorded so far, and bosc_forget() it
 *   @move         the same, then bosc_save(); a new handle with the same
 *                 settings, and those that follow, goes on from there
 *
 * At the end all is read, and OUTPUT has it as 'results' dumps a result, with
 * the names that a result has.  Standard output has the lines of variants.c;
 * a status is that of the call that failed.
 */
#include <bosc.h>
#include <bosc_netcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_WORDS = 256, MAX_READS = 64, MAX_CELLS = 512 };

/* What was read of a variable of a probe, from all pieces of time. */
typedef struct reading {
    char *probe, *variable;
    bool begun;
    size_t times, columns, *gid, *compartment;
    double *time, *value, *x; /* [times], [times][columns], [columns] */
    char **section;           /* [columns] */
} reading;

typedef struct variant {
    const char *name, *isa, *path, *output;
    char *word[MAX_WORDS];
    int n_words;
    bosc_simulation *sim;
    bool by_text;
    void *state; /* to go on from; NULL: none */
    size_t state_bytes;
    reading read[MAX_READS];
    int n_reads;
    size_t n_spikes, n_warnings;
    double *spike_time;
    size_t *spike_gid;
    size_t n_found, *found_gid, *found_probe, *found_compartment;
    double *found_time;
    char **warning;
    char broken[200]; /* a promise of bosc.h that does not hold, or "" */
} variant;

/* --- memory --- */

static void *longer(void *array, size_t n, size_t bytes)
{
    void *out = realloc(array, (n + 1) * bytes);

    if (out == NULL)
        exit(3);
    return out;
}

static char *copy(const char *text)
{
    return strcpy(longer(NULL, strlen(text), 1), text);
}

static void free_texts(char **text, size_t n)
{
    for (size_t i = 0; text != NULL && i < n; ++i)
        free(text[i]);
    free(text);
}

static void clear(variant *v)
{
    for (int i = 0; i < v->n_reads; ++i) {
        reading *r = &v->read[i];

        free(r->probe);
        free(r->time);
        free(r->value);
        free(r->gid);
        free(r->compartment);
        free(r->x);
        free_texts(r->section, r->columns);
    }
    free(v->spike_time);
    free(v->spike_gid);
    free(v->found_time);
    free(v->found_gid);
    free(v->found_probe);
    free(v->found_compartment);
    free_texts(v->warning, v->n_warnings);
    free(v->state);
    bosc_close(v->sim);
}

/* --- read --- */

static void promise(variant *v, bool holds, const char *what)
{
    if (!holds && v->broken[0] == '\0')
        snprintf(v->broken, sizeof v->broken, "%s", what);
}

static void begin_reading(reading *r, const bosc_readings *from)
{
    const size_t n = (size_t)from->n_columns;

    r->begun = true;
    r->columns = n;
    r->gid = longer(NULL, n, sizeof *r->gid);
    r->compartment = longer(NULL, n, sizeof *r->compartment);
    r->x = longer(NULL, n, sizeof *r->x);
    r->section = longer(NULL, n, sizeof *r->section);
    for (size_t i = 0; i < n; ++i) {
        r->gid[i] = (size_t)from->gid[i];
        r->compartment[i] = (size_t)from->compartment[i];
        r->x[i] = from->x[i];
        r->section[i] = copy(from->section[i]);
    }
}

static bool same_columns(const reading *r, const bosc_readings *from)
{
    for (size_t i = 0; i < r->columns; ++i)
        if (r->gid[i] != (size_t)from->gid[i] ||
            r->compartment[i] != (size_t)from->compartment[i] ||
            memcmp(&r->x[i], &from->x[i], sizeof r->x[i]) != 0 || /* NaN, too */
            strcmp(r->section[i], from->section[i]) != 0)
            return false;
    return true;
}

static bosc_status take_reading(variant *v, reading *r)
{
    bosc_readings from;
    const bosc_status st = bosc_read(v->sim, r->probe, r->variable, &from);

    if (st != BOSC_OK)
        return st;
    if (!r->begun)
        begin_reading(r, &from);
    if (r->columns != (size_t)from.n_columns || !same_columns(r, &from)) {
        promise(v, false, "the columns of a probe have changed");
        return BOSC_OK;
    }

    const size_t more = (size_t)from.n_times, n = r->columns;

    r->time = longer(r->time, r->times + more, sizeof *r->time);
    r->value = longer(r->value, (r->times + more) * n, sizeof *r->value);
    if (more > 0)
        memcpy(r->time + r->times, from.time, more * sizeof *r->time);
    if (more * n > 0)
        memcpy(r->value + r->times * n, from.values,
               more * n * sizeof *r->value);
    r->times += more;
    return BOSC_OK;
}

static bosc_status take_spikes(variant *v)
{
    bosc_spike_list from;
    const bosc_status st = bosc_spikes(v->sim, &from);

    if (st != BOSC_OK)
        return st;

    const size_t n = v->n_spikes + (size_t)from.n;

    v->spike_time = longer(v->spike_time, n, sizeof *v->spike_time);
    v->spike_gid = longer(v->spike_gid, n, sizeof *v->spike_gid);
    for (int64_t i = 0; i < from.n; ++i, ++v->n_spikes) {
        v->spike_time[v->n_spikes] = from.time[i];
        v->spike_gid[v->n_spikes] = (size_t)from.gid[i];
    }
    return BOSC_OK;
}

static bosc_status take_detections(variant *v)
{
    bosc_detection_list from;
    const bosc_status st = bosc_detections(v->sim, &from);

    if (st != BOSC_OK)
        return st;

    const size_t n = v->n_found + (size_t)from.n;

    v->found_time = longer(v->found_time, n, sizeof *v->found_time);
    v->found_gid = longer(v->found_gid, n, sizeof *v->found_gid);
    v->found_probe = longer(v->found_probe, n, sizeof *v->found_probe);
    v->found_compartment =
        longer(v->found_compartment, n, sizeof *v->found_compartment);
    for (int64_t i = 0; i < from.n; ++i, ++v->n_found) {
        v->found_time[v->n_found] = from.time[i];
        v->found_gid[v->n_found] = (size_t)from.gid[i];
        v->found_probe[v->n_found] = (size_t)from.probe[i];
        v->found_compartment[v->n_found] = (size_t)from.compartment[i];
    }
    return BOSC_OK;
}

static bosc_status take_all(variant *v)
{
    bosc_status st = take_spikes(v);

    if (st == BOSC_OK)
        st = take_detections(v);

    for (int i = 0; i < v->n_reads && st == BOSC_OK; ++i)
        st = take_reading(v, &v->read[i]);
    if (st == BOSC_OK)
        bosc_forget(v->sim);
    return st;
}

/* Of the handle, before it is closed. */
static void take_warnings(variant *v)
{
    for (int i = 0; bosc_warning(v->sim, i) != NULL; ++i) {
        v->warning = longer(v->warning, v->n_warnings + 1, sizeof *v->warning);
        v->warning[v->n_warnings++] = copy(bosc_warning(v->sim, i));
    }
}

/* --- calls --- */

static bool starts(const char *word, const char *with, char **rest)
{
    const size_t n = strlen(with);

    *rest = (char *)word + n;
    return strncmp(word, with, n) == 0;
}

static bosc_status set(variant *v, const char *word)
{
    char *key = copy(word), *value = strchr(key, '=');
    bosc_status st = BOSC_EUSAGE;

    if (value != NULL) {
        *value = '\0';
        st = bosc_set(v->sim, key, value + 1);
    }
    free(key);
    return st;
}

/* "3 KEY KEY 1 2 3 4 5 6" */
static bosc_status set_table(variant *v, const char *text)
{
    char *own = copy(text), *rest = own, *word, *end;
    const char *key[MAX_CELLS];
    double value[MAX_CELLS];
    const int rows = (int)strtol(strsep(&rest, ";"), NULL, 10);
    int keys = 0, n = 0;

    while ((word = strsep(&rest, ";")) != NULL && n < MAX_CELLS &&
           keys < MAX_CELLS) {
        const double x = strtod(word, &end);

        if (end == word || *end != '\0')
            key[keys++] = word;
        else
            value[n++] = x;
    }

    const bosc_status st = n == rows * keys
                               ? bosc_set_table(v->sim, rows, keys, key, value)
                               : BOSC_EUSAGE;

    free(own);
    return st;
}

/* A probe has no blank in its name. */
static bosc_status add_reading(variant *v, const char *word)
{
    reading *r = &v->read[v->n_reads];
    char *blank;

    if (v->n_reads == MAX_READS || strchr(word, ' ') == NULL)
        return BOSC_EUSAGE;
    ++v->n_reads;
    r->probe = copy(word);
    blank = strchr(r->probe, ' ');
    *blank = '\0';
    r->variable = blank + 1;
    return BOSC_OK;
}

static bosc_status advance(variant *v, double t)
{
    bosc_status st = BOSC_OK;

    if (v->state != NULL)
        st = bosc_restore(v->sim, v->state, v->state_bytes);
    free(v->state);
    v->state = NULL;
    if (st == BOSC_OK)
        st = bosc_advance(v->sim, t);
    if (st == BOSC_OK)
        promise(v, bosc_time(v->sim) >= t * (1 - 1e-9),
                "bosc_time() is before what bosc_advance() was to reach");
    return st;
}

/* The text of the job, or of another file; NULL: it cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (file == NULL || getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

static bosc_status open_job(variant *v)
{
    char *text = v->by_text ? read_text(v->path) : NULL;
    char *folder = copy(v->path), *end = strrchr(folder, '/');
    bosc_status st;

    if (end != NULL)
        *end = '\0';
    st = v->by_text ? bosc_open_text(text, end != NULL ? folder : NULL, &v->sim)
                    : bosc_open(v->path, &v->sim);
    free(folder);
    free(text);
    return st == BOSC_OK ? bosc_set_files(v->sim, bosc_netcdf()) : st;
}

static bosc_status make_setting(variant *v, const char *word)
{
    char *value;

    if (starts(word, "@table=", &value))
        return set_table(v, value);
    return word[0] != '@' ? set(v, word) : BOSC_OK;
}

/* Word number 'at' is @move. */
static bosc_status move(variant *v, int at)
{
    bosc_status st = take_all(v);

    if (st == BOSC_OK)
        st = bosc_save(v->sim, &v->state, &v->state_bytes);
    if (st != BOSC_OK)
        return st;
    take_warnings(v);
    bosc_close(v->sim);
    st = open_job(v);
    for (int i = 0; i < at && st == BOSC_OK; ++i)
        st = make_setting(v, v->word[i]);
    return st;
}

static bosc_status call(variant *v, int at)
{
    const char *word = v->word[at];
    char *value;

    if (strcmp(word, "@text") == 0)
        return BOSC_OK;
    if (strcmp(word, "@take") == 0)
        return take_all(v);
    if (strcmp(word, "@move") == 0)
        return move(v, at);
    if (starts(word, "@read=", &value))
        return add_reading(v, value);
    if (starts(word, "@advance=", &value))
        return advance(v, strtod(value, NULL));
    return make_setting(v, word);
}

/* --- write --- */

static void put_doubles(FILE *file, const double *x, size_t n)
{
    if (n > 0)
        fwrite(x, sizeof *x, n, file);
}

static void put_numbers(FILE *file, const char *name, const size_t *x, size_t n)
{
    fprintf(file, "%s q %zu\n", name, n);
    for (size_t i = 0; i < n; ++i) {
        const int64_t whole = (int64_t)x[i];

        fwrite(&whole, sizeof whole, 1, file);
    }
}

/* All as wide as the widest, filled up with zeros. */
static void put_texts(FILE *file, const char *name, char *const *text, size_t n)
{
    size_t width = 1;

    for (size_t i = 0; i < n; ++i)
        width = strlen(text[i]) > width ? strlen(text[i]) : width;
    fprintf(file, "%s c %zu %zu\n", name, n, width);
    for (size_t i = 0; i < n; ++i) {
        fputs(text[i], file);
        for (size_t k = strlen(text[i]); k < width; ++k)
            fputc('\0', file);
    }
}

/* Begin the name of a variable: "hh.m" is PROBE_hh_m there. */
static void put_name(FILE *file, const reading *r)
{
    fprintf(file, "%s_", r->probe);
    for (const char *c = r->variable; *c != '\0'; ++c)
        fputc(*c == '.' ? '_' : *c, file);
}

/* A state has the columns of its mechanism only: NAME.gid, NAME.x, ... */
static void put_reading(FILE *file, const reading *r)
{
    fprintf(file, "time_%s d %zu\n", r->probe, r->times);
    put_doubles(file, r->time, r->times);
    put_name(file, r);
    fprintf(file, " d %zu %zu\n", r->times, r->columns);
    put_doubles(file, r->value, r->times * r->columns);
    put_name(file, r);
    fprintf(file, ".x d %zu\n", r->columns);
    put_doubles(file, r->x, r->columns);
    put_name(file, r);
    put_numbers(file, ".gid", r->gid, r->columns);
    put_name(file, r);
    put_numbers(file, ".compartment", r->compartment, r->columns);
    put_name(file, r);
    put_texts(file, ".section", r->section, r->columns);
}

/* The numbers of all populations one after another: first, n, member. */
static void put_populations(FILE *file, const variant *v)
{
    char **name = NULL;
    size_t *number = NULL, n = 0;
    bosc_group group;

    for (; (group = bosc_population(v->sim, (int)n)).name != NULL; ++n) {
        name = longer(name, n + 1, sizeof *name);
        number = longer(number, 3 * (n + 1), sizeof *number);
        name[n] = copy(group.name);
        number[3 * n] = (size_t)group.first;
        number[3 * n + 1] = (size_t)group.n;
        number[3 * n + 2] = (size_t)group.member;
    }
    put_texts(file, "population_name", name, n);
    put_numbers(file, "population_numbers", number, 3 * n);
    free_texts(name, n);
    free(number);
}

static bool write_all(const variant *v)
{
    FILE *file = fopen(v->output, "wb");
    const size_t neurons = (size_t)bosc_n_neurons(v->sim);

    if (file == NULL)
        return false;
    for (int i = 0; i < v->n_reads; ++i)
        put_reading(file, &v->read[i]);
    fprintf(file, "spike_time d %zu\n", v->n_spikes);
    put_doubles(file, v->spike_time, v->n_spikes);
    put_numbers(file, "spike_gid", v->spike_gid, v->n_spikes);
    fprintf(file, "detection_time d %zu\n", v->n_found);
    put_doubles(file, v->found_time, v->n_found);
    put_numbers(file, "detection_gid", v->found_gid, v->n_found);
    put_numbers(file, "detection_probe", v->found_probe, v->n_found);
    put_numbers(file, "detection_compartment", v->found_compartment,
                v->n_found);
    put_numbers(file, "neurons", &neurons, 1);
    put_populations(file, v);
    put_texts(file, "warnings", v->warning, v->n_warnings);
    return fclose(file) == 0;
}

/* --- variants --- */

static bool parse(char *line, variant *v)
{
    const char *field[5] = {NULL};
    char *rest = line, *word;
    int n = 0;

    *v = (variant){.sim = NULL};
    line[strcspn(line, "\n")] = '\0';
    while ((word = strsep(&rest, "\t")) != NULL) {
        if (n < 5)
            field[n++] = word;
        else if (v->n_words < MAX_WORDS)
            v->word[v->n_words++] = word;
    }
    v->name = field[0];
    v->isa = field[2];
    v->path = field[3];
    v->output = field[4];
    for (int i = 0; i < v->n_words; ++i)
        v->by_text = v->by_text || strcmp(v->word[i], "@text") == 0;
    return n == 5;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(variant *v)
{
    const double began = now();
    bosc_status st;

    if (strcmp(v->isa, "-") == 0)
        unsetenv("BOSC_ISA");
    else
        setenv("BOSC_ISA", v->isa, 1);
    printf("%s\tbegins\n", v->name);
    fflush(stdout);
    st = open_job(v);
    for (int i = 0; i < v->n_words && st == BOSC_OK; ++i)
        st = call(v, i);
    if (st == BOSC_OK)
        st = take_all(v);
    take_warnings(v);
    if (st == BOSC_OK)
        promise(v, write_all(v), "the output cannot be written");
    printf("%s\t%d\t%zu\t-1\t-1\t-1\t%.4f\t%s\n", v->name,
           v->broken[0] != '\0' ? BOSC_EINTERNAL : st, v->n_spikes,
           now() - began,
           v->broken[0] != '\0' ? v->broken : bosc_last_error(v->sim));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    variant v;
    char *line = NULL;
    size_t room = 0;
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;

    if (list == NULL) {
        fprintf(stderr, "usage: library LIST\n");
        return 2;
    }
    while (getline(&line, &room, list) > 0) {
        if (!parse(line, &v)) {
            fprintf(stderr, "library: not a variant: %s\n", line);
            return 2;
        }
        run(&v);
        clear(&v);
    }
    free(line);
    fclose(list);
    return 0;
}
