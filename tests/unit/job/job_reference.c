/* jobs/reference.yaml has every key of the table, with its default. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/job/job_keys.h"
#include "tests/lib/job.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

/* The reference with its commented keys, "# key: value" or "# - key: value",
 * made live. */
static char *uncommented(const char *text)
{
    const bosc_schema *schema = &bosc_job_schema;
    char *out = bosc_strdup(text);

    for (char *line = out; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        char *p = line + strspn(line, " ");
        const size_t key = strncmp(p, "# - ", 4) == 0 ? 4 : 2;
        const size_t word = strncmp(p, "# ", 2) == 0
                                ? strspn(p + key, "abcdefghijklmnopqrstuvwxyz_")
                                : 0;
        bool known = false;

        for (int i = 0; word > 0 && p[key + word] == ':' && i < schema->n_keys;
             ++i) {
            const char *leaf = bosc_key_leaf(&schema->keys[i]);

            known = known ||
                    (strlen(leaf) == word && strncmp(leaf, p + key, word) == 0);
        }
        if (known)
            memmove(p, p + 2, strlen(p + 2) + 1);
    }
    return out;
}

/* Whether the reference says the default: as text, or as a number. */
static bool says(const bosc_yaml *node, const char *standard)
{
    char *end;

    if (standard == NULL)
        return true;
    if (node->kind != BOSC_YAML_SCALAR)
        return false;
    if (strcmp(node->text, standard) == 0)
        return true;
    const double value = strtod(node->text, &end);

    return end > node->text && *end == '\0' && value == atof(standard);
}

/* Whether a path like "populations[].regions.REGION.pas.g" is there, in any
 * entry of its lists, and says the default; NULL: whatever it says. */
static bool has(const bosc_yaml *node, const char *path, const char *standard)
{
    const size_t n = strcspn(path, ".[");
    char word[64];

    if (*path == '\0')
        return says(node, standard);
    if (strncmp(path, "[]", 2) == 0) {
        for (size_t i = 0; i < node->n; ++i)
            if (has(node->child[i], path + 2, standard))
                return true;
        return false;
    }
    if (*path == '.')
        return has(node, path + 1, standard);
    snprintf(word, sizeof word, "%.*s", (int)n, path);
    node = bosc_yaml_get(node, strcmp(word, "REGION") == 0 ? "all"
                               : strcmp(word, "DRAW") == 0 ? "weight"
                                                           : word);
    return node != NULL && has(node, path + n, standard);
}

static void check_reference_key(const bosc_yaml *root, const bosc_key *key)
{
    ok(has(root, key->path, NULL), "the reference has %s", key->path);
    if (key->standard != NULL && strcmp(key->standard, "{}") != 0)
        ok(has(root, key->path, key->standard),
           "the reference says the default of %s, %s", key->path,
           key->standard);
}

/* Where the parameters of a mechanism are. */
static const char *path_of_mech(int mech, char *buffer, size_t size)
{
    if (test_mechs()->mech[mech]->receive != NULL)
        return "synapses[]";
    snprintf(buffer, size, "populations[].regions.%s.%s",
             test_mechs()->mech[mech]->n_states == 0 ? "all" : "soma",
             test_mechs()->mech[mech]->name);
    return buffer;
}

static void check_reference_mechs(const bosc_yaml *root)
{
    for (int m = 0; m < test_mechs()->n; ++m)
        for (int p = 0; p < test_mechs()->mech[m]->n_params; ++p) {
            const bosc_mech_param *param = &test_mechs()->mech[m]->params[p];
            char group[100], path[120], standard[40];

            snprintf(path, sizeof path, "%s.%s",
                     path_of_mech(m, group, sizeof group), param->name);
            snprintf(standard, sizeof standard, "%.17g", param->standard);
            ok(has(root, path, standard),
               "the reference has %s and its default", path);
        }
}

static void test_reference(char *text)
{
    bosc_error err;
    bosc_job *job = parse(text, 0, NULL, &err);
    char *live = uncommented(text);
    bosc_yaml *root = NULL;

    if (!ok(job != NULL, "the reference is a valid job"))
        diag("%s", err.text);
    bosc_job_destroy(job);
    const bosc_status st = bosc_yaml_parse(live, "ref", true, &root, &err);

    if (!ok(st == BOSC_OK, "so are its commented keys, as YAML"))
        diag("%s", err.text);
    for (int i = 0; st == BOSC_OK && i < bosc_job_schema.n_keys; ++i)
        check_reference_key(root, &bosc_job_schema.keys[i]);
    if (st == BOSC_OK)
        check_reference_mechs(root);
    bosc_yaml_destroy(root);
    free(live);
}

int main(void)
{
    char *path = bosc_format("%s/jobs/reference.yaml", getenv("BOSC_SRC"));
    char *text = NULL;
    bosc_error err;

    if (ok(bosc_job_load_text(path, &text, &err) == BOSC_OK,
           "the reference is there"))
        test_reference(text);
    free(text);
    free(path);
    return done_testing();
}
