#include "src/slurm/site.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/job/job.h"
#include "src/job/key_group.h"
#include "src/slurm/duration.h"
#include "src/text/path.h"
#include "src/text/wrap.h"

#define OF(field) offsetof(bosc_site, field)
#define NO_RANGE 0, 0

/* clang-format off */
static const bosc_key keys[] = {
{"partition", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "the partition of jobs", OF(partition)},
{"account", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "the account of jobs", OF(account)},
{"modules", BOSC_KEY_PATHS, "", NO_RANGE, NULL, false,
 "modules that a job loads, such as [gcc, mpich, bosc]", OF(modules)},
{"commands", BOSC_KEY_PATHS, "", NO_RANGE, NULL, false,
 "lines of shell that a job begins with, such as [export UCX_TLS=rc]",
 OF(commands)},
{"sbatch", BOSC_KEY_PATHS, "", NO_RANGE, NULL, false,
 "more options of sbatch, such as ['--qos=long', '--exclusive']", OF(sbatch)},
{"launcher", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "what starts the ranks: srun (default), mpiexec, or a command line",
 OF(launcher)},
{"program", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "the path of bosc on compute nodes (default the one that submits)",
 OF(program)},
{"processors", BOSC_KEY_INT, "", 1, 65536, NULL, false,
 "of a node (default as the machine file of 'bosc plan' has it)",
 OF(processors)},
{"memory", BOSC_KEY_REAL, "GB", 0.1, 1e6, NULL, false,
 "of a node, in GB (default as processors)", OF(memory)},
{"gpus", BOSC_KEY_INT, "", 1, 64, NULL, false,
 "of a node, for jobs with backend cuda (default 1)", OF(gpus)},
{"time_limit", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "the longest one of the partition, such as 24 h: longer jobs are requeued",
 OF(time_limit)},
{"time_margin", BOSC_KEY_REAL, "", 1, 100, "2", false,
 "time limit over the seconds that are expected", OF(time_margin)},
{"memory_margin", BOSC_KEY_REAL, "", 1, 100, "1.25", false,
 "memory of a job over what is expected", OF(memory_margin)},
{"warning", BOSC_KEY_REAL, "", 10, 3600, "120", false,
 "seconds before the time limit when SLURM asks for a checkpoint",
 OF(warning)},
};
/* clang-format on */

static const bosc_schema schema = {
    .n_keys = (int)BOSC_LEN(keys), .keys = keys, .remedy = "add it"};

static bosc_status read_tree(const char *path, bosc_yaml **root,
                             bosc_error *err)
{
    char *text = NULL;
    bosc_status st =
        bosc_text_load(path, "a file of site defaults (YAML)", &text, err);

    if (st == BOSC_OK)
        st = bosc_yaml_parse(text, path, true, root, err);
    if (st == BOSC_OK)
        st = bosc_group_check(&schema, *root, "", err);
    free(text);
    return st;
}

/* Move what the tree 'below' says, and 'root' does not, to 'root'. */
static bool merge(bosc_yaml *root, bosc_yaml *below)
{
    while (below->n > 0) {
        bosc_yaml *child = below->child[below->n - 1];

        if (bosc_yaml_get(root, child->key) != NULL)
            bosc_yaml_destroy(child);
        else if (!bosc_yaml_append(root, child))
            return false;
        --below->n;
    }
    return true;
}

static bosc_status add_file(const char *path, bosc_yaml *root, bosc_error *err)
{
    bosc_yaml *own = NULL;
    bosc_status st = read_tree(path, &own, err);

    if (st == BOSC_OK && !merge(root, own))
        st = bosc_no_memory(err, path);
    bosc_yaml_destroy(own);
    return st;
}

static bosc_status check_values(const bosc_yaml *root, const bosc_site *site,
                                bosc_error *err)
{
    const char *limit = site->time_limit;
    double seconds;

    if (limit != NULL && limit[strspn(limit, "0123456789.")] == '\0')
        return bosc_yaml_fail(err, bosc_yaml_get(root, "time_limit"),
                              "time_limit '%s' needs a unit; write '%s h' for "
                              "hours or '%s min' for minutes",
                              limit, limit, limit);
    if (site->time_limit == NULL ||
        bosc_duration_parse(site->time_limit, &seconds))
        return BOSC_OK;
    return bosc_yaml_fail(err, bosc_yaml_get(root, "time_limit"),
                          "time_limit '%s' is no duration; write it such as "
                          "24 h or 1-00:00:00",
                          site->time_limit);
}

static bosc_status note_launcher(const bosc_yaml *root, bosc_site *site,
                                 bosc_error *err)
{
    char *where = bosc_yaml_where(bosc_yaml_get(root, "launcher"));

    if (where != NULL)
        site->launcher_where = bosc_format("%s: launcher", where);
    free(where);
    return site->launcher_where != NULL
               ? BOSC_OK
               : bosc_no_memory(err, "the site's defaults");
}

bosc_status bosc_site_read(const char *path, bosc_site *site, bosc_error *err)
{
    static const char of_cluster[] = BOSC_SYSCONFDIR "/bosc/site.yaml";
    char *own = bosc_path_of_user("XDG_CONFIG_HOME", ".config", "site.yaml");
    bosc_yaml *root = bosc_yaml_create(BOSC_YAML_MAP, "site.yaml", 0, NULL, 0);
    bosc_status st = own == NULL || root == NULL
                         ? bosc_no_memory(err, "the site's defaults")
                         : BOSC_OK;

    *site = (bosc_site){0};
    if (st == BOSC_OK && path != NULL)
        st = add_file(path, root, err);
    if (st == BOSC_OK && path == NULL && access(own, F_OK) == 0)
        st = add_file(own, root, err);
    if (st == BOSC_OK && path == NULL && access(of_cluster, F_OK) == 0)
        st = add_file(of_cluster, root, err);
    if (st == BOSC_OK)
        st = bosc_group_read(&schema, root, site, err);
    if (st == BOSC_OK)
        st = check_values(root, site, err);
    if (st == BOSC_OK && site->launcher != NULL)
        st = note_launcher(root, site, err);
    bosc_yaml_destroy(root);
    free(own);
    return st;
}

void bosc_site_clear(bosc_site *site)
{
    free(site->launcher_where);
    bosc_group_free(&schema, site);
    *site = (bosc_site){0};
}

void bosc_site_print_keys(FILE *file)
{
    enum { INDENT = 19 };

    bosc_wrap_print(file, 0, "", "%s",
                    "Keys of site.yaml, in ~/.config/bosc or, for all "
                    "users, " BOSC_SYSCONFDIR "/bosc:");
    for (size_t i = 0; i < BOSC_LEN(keys); ++i) {
        bosc_wrap w = bosc_wrap_begin(file, INDENT, "  %s", keys[i].path);

        bosc_wrap_add(&w, "%s", keys[i].meaning);
        if (keys[i].standard != NULL)
            bosc_wrap_add(&w, " (default %s)", keys[i].standard);
        bosc_wrap_end(&w);
    }
}
