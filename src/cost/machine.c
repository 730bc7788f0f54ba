#include "src/cost/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/comm/cpuset.h"
#include "src/job/job.h"
#include "src/job/key_group.h"
#include "src/select/resolve.h"
#include "src/text/path.h"

/* --- the keys ------------------------------------------------------------ */

#define OF(type, field) offsetof(type, field)
#define NO_RANGE 0, 0

/* clang-format off */
static const bosc_key keys[] = {
{"host", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the machine that was measured", OF(bosc_machine, host)},
{"processors", BOSC_KEY_INT, "", 1, 65536, NULL, true,
 "cores that its ranks share", OF(bosc_machine, processors)},
{"memory", BOSC_KEY_REAL, "", 1e6, 1e18, NULL, true,
 "bytes", OF(bosc_machine, memory)},
{"devices", BOSC_KEY_LIST, "", NO_RANGE, NULL, true,
 "what ranks compute on", OF(bosc_machine, devices)},
{"devices[].name", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true, "for people",
 OF(bosc_machine_device, name)},
{"devices[].backend", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true, "as in a job",
 OF(bosc_machine_device, backend)},
{"devices[].method", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true, "as in a job",
 OF(bosc_machine_device, method)},
{"devices[].ranks", BOSC_KEY_INT, "", 1, 65536, NULL, true,
 "ranks of a node on such a device; of the last entry: at least",
 OF(bosc_machine_device, ranks)},
{"devices[].lanes", BOSC_KEY_INT, "", 1, 4096, NULL, true,
 "neurons in a vector", OF(bosc_machine_device, costs.lanes)},
{"devices[].threads", BOSC_KEY_INT, "", 1, BOSC_MAX_THREADS, NULL, true,
 "that speedup was measured with", OF(bosc_machine_device, costs.threads)},
{"devices[].speedup", BOSC_KEY_REAL, "", 1e-3, BOSC_MAX_THREADS, NULL, true,
 "of so many threads over one", OF(bosc_machine_device, costs.speedup)},
{"devices[].start", BOSC_KEY_REAL, "", 0, 1e12, "0", false,
 "ns of a step before any work", OF(bosc_machine_device, costs.rates.start)},
{"devices[].base", BOSC_KEY_REAL, "", 0, 1e15, NULL, true,
 "bytes of a rank without neurons", OF(bosc_machine_device, costs.base)},
{"devices[].step", BOSC_KEY_GROUP, "", NO_RANGE, NULL, true,
 "ns of one thread in a time step", 0},
{"devices[].latency", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "ns of a time step that the neuron with the most work waits, of a GPU", 0},
{"devices[].setup", BOSC_KEY_GROUP, "", NO_RANGE, NULL, true,
 "ns of one thread before the first step", 0},
};
/* clang-format on */

/* What a group of a file lacks of mechanisms, mod files mostly, takes as much
 * longer or less than on a usual core as those that it has. */
static void guess_mechs(const bosc_mechs *mechs, const bosc_yaml *group,
                        double rate[BOSC_MAX_WORKS])
{
    double measured = 0, usual = 0;

    for (int m = 0; m < mechs->n; ++m)
        if (bosc_yaml_get(group, mechs->mech[m]->name) != NULL) {
            measured += rate[BOSC_WORK_MECH + m];
            usual += mechs->mech[m]->ns;
        }
    for (int m = 0; m < mechs->n && usual > 0; ++m)
        if (bosc_yaml_get(group, mechs->mech[m]->name) == NULL)
            rate[BOSC_WORK_MECH + m] = mechs->mech[m]->ns * (measured / usual);
}

static bosc_status complete_device(const bosc_schema *schema,
                                   const bosc_yaml *map, void *entry,
                                   bosc_error *err)
{
    bosc_machine_device *device = entry;
    const bosc_method_request request = {device->backend, device->method};
    const bosc_backend *backend = bosc_backend_find(device->backend);
    const char *key;
    bosc_error why;
    bosc_status st;

    device->costs.n_works = bosc_n_works(schema->mechs);
    guess_mechs(schema->mechs, bosc_yaml_get(map, "step"),
                device->costs.rates.step);
    if (bosc_yaml_get(map, "latency") != NULL)
        guess_mechs(schema->mechs, bosc_yaml_get(map, "latency"),
                    device->costs.rates.latency);
    if (backend != NULL && backend->processor == NULL)
        return BOSC_OK; /* nobody here asks for it */
    st = bosc_method_resolve(&request, &device->solver, &key, &why);
    if (st == BOSC_OK)
        device->costs.on_gpu = device->solver->backend->on_gpu;
    return st == BOSC_OK
               ? st
               : bosc_yaml_fail(err, bosc_yaml_get(map, key),
                                "%s; measure anew with 'bosc calibrate'",
                                why.text);
}

static const bosc_key_list lists[] = {
    {"devices", "devices[]", sizeof(bosc_machine_device),
     OF(bosc_machine, devices), OF(bosc_machine, n_devices), BOSC_NO_LINE,
     complete_device},
};

/* The keys, and one for each kind of work. */
typedef struct machine_schema {
    bosc_schema schema;
    bosc_key key[BOSC_LEN(keys) + 2 * BOSC_MAX_WORKS + BOSC_N_SETUPS];
    struct {
        char path[80], usual[24]; /* what a file that lacks it means */
    } text[2 * BOSC_MAX_WORKS + BOSC_N_SETUPS];
} machine_schema;

static bosc_key *add_cost(machine_schema *m, const char *group,
                          const char *name, const char *meaning, size_t offset)
{
    const size_t n = (size_t)m->schema.n_keys++;
    char *path = m->text[n - BOSC_LEN(keys)].path;

    snprintf(path, sizeof m->text[0].path, "devices[].%s.%s", group, name);
    m->key[n] = (bosc_key){path, BOSC_KEY_REAL, "",      0,     1e12,
                           NULL, true,          meaning, offset};
    return &m->key[n];
}

/* The rates of a kind of work.  Earlier versions did not know all. */
static void add_work(const bosc_mechs *mechs, int k, machine_schema *m)
{
    const char *name = bosc_work_name(mechs, k), *means = bosc_work_meaning(k);
    char *usual = m->text[m->schema.n_keys - (int)BOSC_LEN(keys)].usual;
    const size_t at = (size_t)k * sizeof(double);
    bosc_key *key = add_cost(m, "step", name, means,
                             OF(bosc_machine_device, costs.rates.step) + at);

    if (k >= BOSC_WORK_WAY) {
        snprintf(usual, sizeof m->text[0].usual, "%.17g",
                 k >= BOSC_WORK_MECH      ? mechs->mech[k - BOSC_WORK_MECH]->ns
                 : k == BOSC_WORK_PRODUCT ? 1.0
                                          : 0.0);
        key->standard = usual;
        key->required = false;
    }
    key = add_cost(m, "latency", name, means,
                   OF(bosc_machine_device, costs.rates.latency) + at);
    key->standard = "0";
    key->required = false;
}

static const bosc_schema *create_schema(const bosc_mechs *mechs,
                                        machine_schema *m)
{
    *m = (machine_schema){
        .schema = {.n_keys = (int)BOSC_LEN(keys),
                   .n_lists = (int)BOSC_LEN(lists),
                   .keys = m->key,
                   .lists = lists,
                   .mechs = mechs,
                   .remedy = "measure anew with 'bosc calibrate', or add "
                             "it"}};
    memcpy(m->key, keys, sizeof keys);
    for (int k = 0; k < bosc_n_works(mechs); ++k)
        if (bosc_work_name(mechs, k) != NULL)
            add_work(mechs, k, m);
    for (int k = 0; k < BOSC_N_SETUPS; ++k)
        add_cost(m, "setup", bosc_setups[k].name, bosc_setups[k].meaning,
                 OF(bosc_machine_device, costs.setup) +
                     (size_t)k * sizeof(double));
    return &m->schema;
}

/* --- reading ------------------------------------------------------------- */

/* A file that has none of the keys is something else, such as a job. */
static bosc_status check_kind(const bosc_yaml *root, bosc_error *err)
{
    if (root->kind != BOSC_YAML_MAP)
        return BOSC_OK;
    for (size_t k = 0; k < BOSC_LEN(keys); ++k)
        if (bosc_yaml_get(root, keys[k].path) != NULL)
            return BOSC_OK;
    return bosc_yaml_fail(err, root,
                          "this is no machine's file: it says neither "
                          "'processors' nor 'devices'; 'bosc calibrate' "
                          "writes one");
}

static bosc_status read_tree(const bosc_yaml *root, bosc_machine *machine,
                             bosc_error *err)
{
    machine_schema room;
    bosc_status st = check_kind(root, err);

    if (st == BOSC_OK)
        st = bosc_group_read(create_schema(machine->mechs, &room), root,
                             machine, err);
    if (st == BOSC_OK &&
        (machine->n_devices < 1 || machine->n_devices > BOSC_MACHINE_DEVICES))
        st = bosc_yaml_fail(err, bosc_yaml_get(root, "devices"),
                            "devices is a list of 1 to %d entries, each with "
                            "its name, backend and so on",
                            BOSC_MACHINE_DEVICES);
    return st;
}

static bosc_status parse(const bosc_mechs *mechs, const char *path,
                         bosc_machine **out, bosc_error *err)
{
    char *text = NULL;
    bosc_yaml *root = NULL;
    bosc_machine *machine = bosc_alloc(1, sizeof *machine);
    bosc_status st =
        machine != NULL && (machine->source = bosc_strdup(path)) != NULL
            ? bosc_text_load(path, "a machine's file (YAML in UTF-8)", &text,
                             err)
            : bosc_no_memory(err, path);

    if (st == BOSC_OK)
        machine->mechs = mechs;
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

/* --- this machine -------------------------------------------------------- */

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
    char *host, *file, *path;

    if (named != NULL && named[0] != '\0')
        return bosc_strdup(named);
    host = host_name();
    file = host != NULL ? bosc_format("%s.yaml", host) : NULL;
    path = file != NULL ? bosc_path_of_user("XDG_CONFIG_HOME", ".config", file)
                        : NULL;
    free(host);
    free(file);
    return path;
}

/* A device that nobody has measured. */
static bool add_built_in(bosc_machine *machine, const bosc_method *method,
                         bosc_costs costs)
{
    bosc_machine_device *device = &machine->devices[machine->n_devices++];

    *device =
        (bosc_machine_device){.name = bosc_strdup(method->backend->name),
                              .backend = bosc_strdup(method->backend->name),
                              .method = bosc_strdup(method->name),
                              .solver = method,
                              .ranks = 1,
                              .costs = costs};
    device->costs.lanes = bosc_method_width(method);
    device->costs.threads = machine->processors;
    device->costs.speedup = machine->processors;
    return device->name != NULL && device->backend != NULL &&
           device->method != NULL;
}

bosc_status bosc_machine_here(const bosc_mechs *mechs, bosc_machine **out,
                              bosc_error *err)
{
    static const char *const source = "built-in numbers";
    const bosc_cpuset mine = bosc_cpuset_mine();
    bosc_machine *machine = bosc_alloc(1, sizeof *machine);
    bosc_machine_device *devices =
        bosc_alloc(BOSC_MACHINE_DEVICES, sizeof *devices);

    if (machine == NULL || devices == NULL) {
        free(machine);
        free(devices);
        return bosc_no_memory(err, source);
    }
    *machine = (bosc_machine){.mechs = mechs,
                              .source = bosc_strdup(source),
                              .built_in = true,
                              .host = host_name(),
                              .processors = bosc_cpuset_count(&mine),
                              .memory = (double)sysconf(_SC_PHYS_PAGES) *
                                        (double)sysconf(_SC_PAGE_SIZE),
                              .devices = devices};
    if (!add_built_in(machine, &bosc_methods[0], bosc_costs_standard(mechs)) ||
        machine->source == NULL || machine->host == NULL) {
        bosc_machine_destroy(machine);
        return bosc_no_memory(err, source);
    }
    *out = machine;
    return BOSC_OK;
}

/* The same, and its GPUs, if it has any and this build knows them. */
static bosc_status unmeasured(const bosc_mechs *mechs, bosc_machine **out,
                              bosc_error *err)
{
    static const char *const of_gpus[] = {"cell-blocks", "depth-first"};
    bosc_status st = bosc_machine_here(mechs, out, err);

    for (size_t i = 0; i < BOSC_LEN(of_gpus) && st == BOSC_OK; ++i) {
        const bosc_method *method = bosc_method_find("cuda", of_gpus[i]);

        if (method->engine.ops != NULL &&
            !add_built_in(
                *out, method,
                bosc_costs_of_gpu(mechs, method->engine.limits != NULL))) {
            bosc_machine_destroy(*out);
            *out = NULL;
            st = bosc_no_memory(err, "built-in numbers");
        }
    }
    return st;
}

bosc_status bosc_machine_read(const bosc_mechs *mechs, const char *path,
                              bosc_machine **out, bosc_error *err)
{
    const char *named = getenv("BOSC_MACHINE");
    char *own = path == NULL ? bosc_machine_path() : NULL;
    bosc_status st;

    if (path == NULL && own == NULL)
        return bosc_no_memory(err, "the machine's file");
    if (path == NULL && (named == NULL || named[0] == '\0') &&
        access(own, F_OK) != 0)
        st = unmeasured(mechs, out, err);
    else
        st = parse(mechs, path != NULL ? path : own, out, err);
    free(own);
    return st;
}

void bosc_machine_destroy(bosc_machine *machine)
{
    if (machine == NULL)
        return;
    bosc_group_free(&(bosc_schema){.n_keys = (int)BOSC_LEN(keys),
                                   .n_lists = (int)BOSC_LEN(lists),
                                   .keys = keys,
                                   .lists = lists},
                    machine);
    free(machine->source);
    free(machine);
}

/* How well a device stands for a method. */
static int likeness(const bosc_machine_device *device,
                    const bosc_method *method)
{
    return device->solver == NULL                       ? 0
           : device->solver == method                   ? 3
           : device->solver->backend == method->backend ? 2
                                                        : 1;
}

const bosc_machine_device *bosc_machine_device_of(const bosc_machine *machine,
                                                  int local_rank,
                                                  const bosc_method *method)
{
    const bosc_machine_device *last = NULL;
    int most = 0;

    for (int i = 0; i < machine->n_devices; ++i)
        if (likeness(&machine->devices[i], method) > most)
            most = likeness(&machine->devices[i], method);
    for (int i = 0; i < machine->n_devices; ++i) {
        const bosc_machine_device *device = &machine->devices[i];

        if (likeness(device, method) < most)
            continue;
        last = device;
        if (local_rank < device->ranks)
            break;
        local_rank -= device->ranks;
    }
    return last;
}

/* Of a method that keeps neurons on the chip, those of one that streams all on
 * the same backend. */
static bosc_rates streamed_rates(const bosc_machine *machine,
                                 const bosc_machine_device *device)
{
    const bosc_method *method = device->solver;

    for (int i = 0; method != NULL && i < machine->n_devices; ++i) {
        const bosc_method *other = machine->devices[i].solver;

        if (other != NULL && other->backend == method->backend &&
            other->engine.limits == NULL && method->engine.limits != NULL)
            return machine->devices[i].costs.rates;
    }
    return device->costs.rates;
}

bool bosc_machine_rates(const bosc_machine *machine, int local_rank,
                        const bosc_method *method, bosc_costs *costs)
{
    const bosc_machine_device *device =
        bosc_machine_device_of(machine, local_rank, method);

    *costs = device->costs;
    costs->streamed = streamed_rates(machine, device);
    if (device->solver == method)
        return true;
    costs->lanes = bosc_method_width(method);
    return false;
}

/* --- writing ------------------------------------------------------------- */

/* "key: value # meaning", the meaning in column 'width' of the line. */
static void put_value(FILE *file, const bosc_key *key, const char *base)
{
    const char *leaf = bosc_key_leaf(key), *text;
    const int width = 18 - (int)strlen(leaf);
    int32_t whole;
    double real;

    switch (key->type) {
    case BOSC_KEY_TEXT:
        memcpy(&text, base + key->offset, sizeof text);
        fprintf(file, "%s: \"%s\"\n", leaf, text);
        break;
    case BOSC_KEY_INT:
        memcpy(&whole, base + key->offset, sizeof whole);
        fprintf(file, "%s: %-*d # %s\n", leaf, width, whole, key->meaning);
        break;
    default:
        memcpy(&real, base + key->offset, sizeof real);
        fprintf(file, "%s: %-*.6g # %s\n", leaf, width, real, key->meaning);
    }
}

/* The keys below 'path', indented; an entry of a list begins with 'first'. */
static void put_keys(FILE *file, const bosc_schema *schema, const char *path,
                     int indent, const char *first, const char *base)
{
    for (int k = 0; k < schema->n_keys; ++k) {
        const bosc_key *key = &schema->keys[k];

        if (!bosc_key_is_below(key, path))
            continue;
        fprintf(file, "%*s", indent, first);
        first = "";
        if (key->type == BOSC_KEY_LIST) {
            fprintf(file, "%s:\n", key->path);
        } else if (key->type == BOSC_KEY_GROUP) {
            fprintf(file, "%s: # %s\n", bosc_key_leaf(key), key->meaning);
            put_keys(file, schema, key->path, indent + 2, "", base);
        } else {
            put_value(file, key, base);
        }
    }
}

static void put_machine(FILE *file, const bosc_machine *machine)
{
    machine_schema room;
    const bosc_schema *schema = create_schema(machine->mechs, &room);

    fputs("# Costs on this machine, for 'bosc plan' and the decomposition of "
          "'bosc run';\n"
          "# measured by 'bosc calibrate'.\n",
          file);
    put_keys(file, schema, "", 0, "", (const char *)machine);
    for (int i = 0; i < machine->n_devices; ++i)
        put_keys(file, schema, "devices[]", 4, "- ",
                 (const char *)&machine->devices[i]);
}

bosc_status bosc_machine_write(const bosc_machine *machine, const char *path,
                               bosc_error *err)
{
    char *partial = bosc_format("%s.partial", path);
    FILE *file = NULL;
    struct stat s;
    const bool folder = stat(path, &s) == 0 && S_ISDIR(s.st_mode);
    bool lost;

    if (partial == NULL)
        return bosc_no_memory(err, path);
    bosc_path_make_folders(path, 0777);
    if (!folder && (file = fopen(partial, "w")) != NULL && machine != NULL)
        put_machine(file, machine);
    lost = file == NULL || ferror(file) != 0;
    if (file != NULL && fclose(file) != 0)
        lost = true;
    if (!lost && machine != NULL && rename(partial, path) != 0)
        lost = true;

    const int why = folder ? EISDIR : errno;

    if ((lost || machine == NULL) && file != NULL)
        unlink(partial);
    free(partial);
    return !lost ? BOSC_OK
                 : bosc_fail(err, BOSC_EIO,
                             "%s: %s; choose another with -o FILE, and name it "
                             "in BOSC_MACHINE",
                             path, strerror(why));
}
