#include "src/cost/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/step/backend.h"
#include "src/base/mem.h"
#include "src/job/job_keys.h"
#include "src/mpi/cpuset.h"
#include "src/text/did_you_mean.h"

/* --- the keys --------------------------------------------------------------
 */

#define OF(type, field) offsetof(type, field)
#define NO_RANGE 0, 0

/* clang-format off */
static const bosc_key top_keys[] = {
{"host", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the machine that was measured", OF(bosc_machine, host)},
{"processors", BOSC_KEY_INT, "", 1, 65536, NULL, true,
 "that its ranks share", OF(bosc_machine, processors)},
{"memory", BOSC_KEY_REAL, "", 1e6, 1e18, NULL, true,
 "bytes of the machine", OF(bosc_machine, memory)},
{"devices", BOSC_KEY_LIST, "", NO_RANGE, NULL, true,
 "what ranks compute on", OF(bosc_machine, devices)},
};

static const bosc_key device_keys[] = {
{"name", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true, "for people",
 OF(bosc_machine_device, name)},
{"backend", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true, "as in a job",
 OF(bosc_machine_device, backend)},
{"method", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true, "as in a job",
 OF(bosc_machine_device, method)},
{"ranks", BOSC_KEY_INT, "", 1, 65536, NULL, true,
 "of a node, that have such a device; the last entry: and all others",
 OF(bosc_machine_device, ranks)},
{"lanes", BOSC_KEY_INT, "", 1, 4096, NULL, true, "neurons in a vector",
 OF(bosc_machine_device, rates.lanes)},
{"threads", BOSC_KEY_INT, "", 1, BOSC_MAX_THREADS, NULL, true,
 "that speedup was measured with", OF(bosc_machine_device, rates.threads)},
{"speedup", BOSC_KEY_REAL, "", 1e-3, BOSC_MAX_THREADS, NULL, true,
 "of so many threads over one", OF(bosc_machine_device, rates.speedup)},
{"base", BOSC_KEY_REAL, "", 0, 1e15, NULL, true,
 "bytes of a rank without neurons", OF(bosc_machine_device, rates.base)},
{"step", BOSC_KEY_GROUP, "", NO_RANGE, NULL, true,
 "ns of one thread in a time step", 0},
{"setup", BOSC_KEY_GROUP, "", NO_RANGE, NULL, true,
 "ns of one thread in the set-up", 0},
};
/* clang-format on */

static bosc_key number_key(const char *name, const char *meaning, size_t offset)
{
    return (bosc_key){.path = name,
                      .type = BOSC_KEY_REAL,
                      .unit = "",
                      .low = 0,
                      .high = 1e12,
                      .required = true,
                      .meaning = meaning,
                      .offset = offset};
}

static size_t step_keys(bosc_key keys[BOSC_N_WORKS])
{
    size_t n = 0;

    for (int k = 0; k < BOSC_N_WORKS; ++k)
        if (bosc_work_name(k) != NULL)
            keys[n++] =
                number_key(bosc_work_name(k), bosc_work_meaning(k),
                           OF(bosc_costs, step) + (size_t)k * sizeof(double));
    return n;
}

static size_t setup_keys(bosc_key keys[BOSC_N_SETUPS])
{
    for (int k = 0; k < BOSC_N_SETUPS; ++k)
        keys[k] =
            number_key(bosc_setup_names[k], bosc_setup_meanings[k],
                       OF(bosc_costs, setup) + (size_t)k * sizeof(double));
    return BOSC_N_SETUPS;
}

/* --- reading ---------------------------------------------------------------
 */

/* What was meant, and no advice about jobs' keys. */
static bosc_status unknown_key(const bosc_yaml *node, size_t n,
                               const char *const *names, bosc_error *err)
{
    char meant[700];

    bosc_did_you_mean(node->key, n, names, "allowed here:", meant,
                      sizeof meant);
    return bosc_yaml_fail(err, node, "unknown key '%s'; %s", node->key, meant);
}

/* The keys of one group, and what they are read into. */
static bosc_status read_keys(const bosc_yaml *map, size_t n,
                             const bosc_key *keys, void *base, bosc_error *err)
{
    const char *names[BOSC_N_WORKS + 16];
    bosc_status st = BOSC_OK;

    if (map->kind != BOSC_YAML_MAP)
        return bosc_yaml_fail(err, map,
                              "%s%sthis should be 'key: value' lines, not %s; "
                              "measure anew with 'bosc bench machine'",
                              map->key != NULL ? map->key : "",
                              map->key != NULL ? ": " : "", BOSC_SHOW(map));
    for (size_t k = 0; k < n; ++k)
        names[k] = keys[k].path;
    for (size_t c = 0; c < map->n; ++c) {
        size_t k = 0;

        while (k < n && strcmp(keys[k].path, map->child[c]->key) != 0)
            ++k;
        if (k == n)
            return unknown_key(map->child[c], n, names, err);
    }
    for (size_t k = 0; st == BOSC_OK && k < n; ++k) {
        const bosc_yaml *node = bosc_yaml_get(map, keys[k].path);

        if (node == NULL)
            st = bosc_yaml_fail(err, map,
                                "key '%s' is missing (%s); measure anew with "
                                "'bosc bench machine'",
                                keys[k].path, keys[k].meaning);
        else if (keys[k].type != BOSC_KEY_GROUP &&
                 keys[k].type != BOSC_KEY_LIST)
            st = bosc_value_read(node, &keys[k], (char *)base + keys[k].offset,
                                 err);
    }
    return st;
}

static bosc_status check_words(const bosc_yaml *map,
                               const bosc_machine_device *device,
                               bosc_error *err)
{
    const bosc_backend *backend = bosc_backend_find(device->backend);

    if (backend == NULL)
        return bosc_yaml_fail(err, bosc_yaml_get(map, "backend"),
                              "there is no backend '%s'; measure anew with "
                              "'bosc bench machine'",
                              device->backend);
    if (bosc_method_find(backend, device->method) < 0)
        return bosc_yaml_fail(err, bosc_yaml_get(map, "method"),
                              "backend '%s' has no method '%s'; measure anew "
                              "with 'bosc bench machine'",
                              device->backend, device->method);
    return BOSC_OK;
}

static bosc_status read_device(const bosc_yaml *map,
                               bosc_machine_device *device, bosc_error *err)
{
    bosc_key keys[BOSC_N_WORKS + BOSC_N_SETUPS];
    bosc_status st =
        read_keys(map, BOSC_LEN(device_keys), device_keys, device, err);

    if (st == BOSC_OK)
        st = read_keys(bosc_yaml_get(map, "step"), step_keys(keys), keys,
                       &device->rates, err);
    if (st == BOSC_OK)
        st = read_keys(bosc_yaml_get(map, "setup"), setup_keys(keys), keys,
                       &device->rates, err);
    return st == BOSC_OK ? check_words(map, device, err) : st;
}

/* A file that has none of the keys is something else, such as a job. */
static bosc_status check_kind(const bosc_yaml *root, bosc_error *err)
{
    if (root->kind != BOSC_YAML_MAP)
        return BOSC_OK;
    for (size_t k = 0; k < BOSC_LEN(top_keys); ++k)
        if (bosc_yaml_get(root, top_keys[k].path) != NULL)
            return BOSC_OK;
    return bosc_yaml_fail(err, root,
                          "this is no machine's file: it says neither "
                          "'processors' nor 'devices'; 'bosc bench machine' "
                          "writes one");
}

static bosc_status read_tree(const bosc_yaml *root, bosc_machine *machine,
                             bosc_error *err)
{
    bosc_status st = check_kind(root, err);

    if (st == BOSC_OK)
        st = read_keys(root, BOSC_LEN(top_keys), top_keys, machine, err);

    const bosc_yaml *list =
        st == BOSC_OK ? bosc_yaml_get(root, "devices") : NULL;

    if (st != BOSC_OK)
        return st;
    if (list->kind != BOSC_YAML_LIST || list->n < 1 ||
        list->n > BOSC_MACHINE_DEVICES)
        return bosc_yaml_fail(err, list,
                              "devices is a list of 1 to %d entries, each with "
                              "its name, backend and so on",
                              BOSC_MACHINE_DEVICES);
    machine->devices = bosc_alloc(list->n, sizeof *machine->devices);
    if (machine->devices == NULL)
        return bosc_no_memory(err, machine->source);
    machine->n_devices = (int)list->n;
    for (size_t i = 0; st == BOSC_OK && i < list->n; ++i)
        st = read_device(list->child[i], &machine->devices[i], err);
    return st;
}

static bosc_machine *create(const char *source)
{
    bosc_machine *machine = bosc_alloc(1, sizeof *machine);

    if (machine != NULL)
        machine->source = bosc_strdup(source);
    if (machine == NULL || machine->source == NULL) {
        free(machine);
        return NULL;
    }
    return machine;
}

static bosc_status parse(const char *path, bosc_machine **out, bosc_error *err)
{
    char *text = NULL;
    bosc_yaml *root = NULL;
    bosc_machine *machine = create(path);
    bosc_status st =
        machine != NULL
            ? bosc_text_load(path, "a machine's file (YAML in UTF-8)", &text,
                             err)
            : bosc_no_memory(err, path);

    if (st == BOSC_OK)
        st = bosc_yaml_parse(text, machine->source, true, &root, err);
    if (st == BOSC_OK)
        st = read_tree(root, machine, err);
    bosc_yaml_destroy(root);
    free(text);
    if (st == BOSC_OK)
        *out = machine;
    else
        bosc_machine_destroy(machine);
    return st;
}

/* --- this machine ----------------------------------------------------------
 */

static char *host_name(void)
{
    char name[256] = "";

    if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0')
        return bosc_strdup("localhost");
    return bosc_strdup(name);
}

char *bosc_machine_path(void)
{
    const char *named = getenv("BOSC_MACHINE");
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *host = host_name(), *path;

    if (named != NULL && named[0] != '\0')
        path = bosc_strdup(named);
    else if (host == NULL)
        path = NULL;
    else if (config != NULL && config[0] == '/')
        path = bosc_format("%s/bosc/%s.yaml", config, host);
    else
        path = bosc_format("%s/.config/bosc/%s.yaml",
                           home != NULL && home[0] != '\0' ? home : ".", host);
    free(host);
    return path;
}

bosc_status bosc_machine_here(bosc_machine **out, bosc_error *err)
{
    static const char *const source = "built-in numbers";
    const bosc_backend *backend = bosc_backend_find("auto");
    bosc_machine *machine = create(source);
    const bosc_cpuset mine = bosc_cpuset_mine();

    if (machine != NULL) {
        machine->built_in = true;
        machine->host = host_name();
        machine->processors = bosc_cpuset_count(&mine);
        machine->memory =
            (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
        machine->devices = bosc_alloc(1, sizeof *machine->devices);
    }
    if (machine == NULL || machine->host == NULL || machine->devices == NULL) {
        bosc_machine_destroy(machine);
        return bosc_no_memory(err, source);
    }

    bosc_machine_device *device = machine->devices;

    machine->n_devices = 1;
    *device =
        (bosc_machine_device){.name = bosc_strdup("cpu"),
                              .backend = bosc_strdup(backend->name),
                              .method = bosc_strdup(backend->methods[0].name),
                              .ranks = 1,
                              .rates = bosc_costs_standard};
    device->rates.lanes = backend->width(0);
    device->rates.threads = machine->processors;
    device->rates.speedup = machine->processors;
    if (device->name == NULL || device->backend == NULL ||
        device->method == NULL) {
        bosc_machine_destroy(machine);
        return bosc_no_memory(err, source);
    }
    *out = machine;
    return BOSC_OK;
}

bosc_status bosc_machine_read(const char *path, bosc_machine **out,
                              bosc_error *err)
{
    const char *named = getenv("BOSC_MACHINE");
    char *own = path == NULL ? bosc_machine_path() : NULL;
    bosc_status st;

    if (path == NULL && own == NULL)
        return bosc_no_memory(err, "the machine's file");
    if (path == NULL && (named == NULL || named[0] == '\0') &&
        access(own, F_OK) != 0)
        st = bosc_machine_here(out, err);
    else
        st = parse(path != NULL ? path : own, out, err);
    free(own);
    return st;
}

void bosc_machine_destroy(bosc_machine *machine)
{
    if (machine == NULL)
        return;
    for (int i = 0; i < machine->n_devices; ++i) {
        free(machine->devices[i].name);
        free(machine->devices[i].backend);
        free(machine->devices[i].method);
    }
    free(machine->devices);
    free(machine->host);
    free(machine->source);
    free(machine);
}

bool bosc_machine_rates(const bosc_machine *machine, int local_rank,
                        const char *backend, const char *method,
                        bosc_costs *rates)
{
    const bosc_backend *meant = bosc_backend_find(backend);
    const int m = bosc_method_find(meant, method);
    int i = 0;

    while (i + 1 < machine->n_devices &&
           local_rank >= machine->devices[i].ranks)
        local_rank -= machine->devices[i++].ranks;

    const bosc_machine_device *device = &machine->devices[i];

    *rates = device->rates;
    if (strcmp(device->backend, meant->name) == 0 &&
        strcmp(device->method, meant->methods[m].name) == 0)
        return true;
    rates->lanes = meant->width(m);
    return false;
}

/* --- writing ---------------------------------------------------------------
 */

static void put_number(FILE *file, int indent, const bosc_key *key,
                       const void *base)
{
    double value;

    memcpy(&value, (const char *)base + key->offset, sizeof value);
    fprintf(file, "%*s%s: %-*.6g # %s\n", indent, "", key->path,
            18 - (int)strlen(key->path), value, key->meaning);
}

static void put_device(FILE *file, const bosc_machine_device *d)
{
    bosc_key keys[BOSC_N_WORKS + BOSC_N_SETUPS];
    size_t n;

    fprintf(file,
            "  - name: \"%s\"\n"
            "    backend: %s\n"
            "    method: %s\n"
            "    ranks: %-12d # of a node, that have such a device\n"
            "    lanes: %-12d # neurons in a vector\n"
            "    threads: %-10d # that speedup was measured with\n"
            "    speedup: %-10.4g # of so many threads over one\n"
            "    base: %-13.6g # bytes of a rank without neurons\n",
            d->name, d->backend, d->method, d->ranks, (int)d->rates.lanes,
            d->rates.threads, d->rates.speedup, d->rates.base);
    fputs("    step: # ns of one thread in a time step for\n", file);
    n = step_keys(keys);
    for (size_t k = 0; k < n; ++k)
        put_number(file, 6, &keys[k], &d->rates);
    fputs("    setup: # ns of one thread, before the first step, for\n", file);
    n = setup_keys(keys);
    for (size_t k = 0; k < n; ++k)
        put_number(file, 6, &keys[k], &d->rates);
}

/* The folders above a file. */
static void make_folders(const char *path)
{
    char *copy = bosc_strdup(path);

    for (char *p = copy; p != NULL && (p = strchr(p + 1, '/')) != NULL;) {
        *p = '\0';
        mkdir(copy, 0777); /* what fails here, fails at the file */
        *p = '/';
    }
    free(copy);
}

static void put_machine(FILE *file, const bosc_machine *machine)
{
    fprintf(file,
            "# What things cost on this machine, for 'bosc plan' and the "
            "division of 'bosc\n"
            "# run'; measured by 'bosc bench machine'.\n"
            "host: \"%s\"\n"
            "processors: %d\n"
            "memory: %.6g # bytes\n"
            "devices:\n",
            machine->host, machine->processors, machine->memory);
    for (int i = 0; i < machine->n_devices; ++i)
        put_device(file, &machine->devices[i]);
}

static bosc_status cannot_write(const char *path, int why, bosc_error *err)
{
    return bosc_fail(err, BOSC_EIO,
                     "%s: %s; choose another with -o FILE, and name it in "
                     "BOSC_MACHINE",
                     path, strerror(why));
}

/* Under another name first: what was there stays until all is written.  Without
 * a machine nothing is, and nothing stays. */
static bosc_status write_partial(const bosc_machine *machine, const char *path,
                                 bosc_error *err)
{
    char *partial = bosc_format("%s.partial", path);
    FILE *file = NULL;
    bool lost;

    if (partial == NULL)
        return bosc_no_memory(err, path);
    make_folders(path);
    if ((file = fopen(partial, "w")) != NULL && machine != NULL)
        put_machine(file, machine);
    lost = file == NULL || ferror(file) != 0;
    if (file != NULL && fclose(file) != 0)
        lost = true;
    if (!lost && machine != NULL && rename(partial, path) != 0)
        lost = true;

    const int why = errno;

    if ((lost || machine == NULL) && file != NULL)
        unlink(partial);
    free(partial);
    return lost ? cannot_write(path, why, err) : BOSC_OK;
}

bosc_status bosc_machine_check(const char *path, bosc_error *err)
{
    struct stat s;

    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        return cannot_write(path, EISDIR, err);
    return write_partial(NULL, path, err);
}

bosc_status bosc_machine_write(const bosc_machine *machine, const char *path,
                               bosc_error *err)
{
    return write_partial(machine, path, err);
}
