#include "src/select/model.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/text/lines.h"
#include "src/text/number.h"
#include "src/text/path.h"

enum { METHODS = 16, FEATURES = 64, NODES = 1 << 20, LARGEST = 64 << 20 };

/* What a sum goes through: a feature that is compared, or a leaf (-1) and its
 * term.  Nodes come after those that name them, so a way through ends. */
typedef struct node {
    int32_t feature, low, high; /* of the key; nodes */
    int32_t next;               /* of a root: the next one */
    double value;
} node;

typedef struct method {
    char name[40];
    double base;
    int32_t first, last; /* nodes */
} method;

struct bosc_learned {
    int n_methods;
    method methods[METHODS];
    int32_t n;
    node *nodes; /* [n] */
};

void bosc_learned_destroy(bosc_learned *model)
{
    if (model != NULL)
        free(model->nodes);
    free(model);
}

/* ---- prediction ---- */

static double sum_of(const bosc_learned *model, const method *m,
                     const double *feature)
{
    double sum = m->base;

    for (int32_t root = m->first; root < m->last;
         root = model->nodes[root].next) {
        const node *at = &model->nodes[root];

        while (at->feature >= 0)
            at = &model->nodes[feature[at->feature] <= at->value ? at->low
                                                                 : at->high];
        sum += at->value;
    }
    return sum;
}

bool bosc_learned_predict(const bosc_learned *model, const char *name,
                          const double *feature, double *seconds)
{
    for (int k = 0; k < model->n_methods; ++k)
        if (strcmp(model->methods[k].name, name) == 0) {
            *seconds =
                exp(sum_of(model, &model->methods[0], feature) +
                    (k > 0 ? sum_of(model, &model->methods[k], feature) : 0));
            return isfinite(*seconds) && *seconds > 0;
        }
    return false;
}

/* ---- reading ---- */

/* The words of a model, each ended by a zero; what is wrong stays so. */
typedef struct reading {
    const char *at, *end;
    const char *what; /* is wrong; NULL: nothing yet */
} reading;

static const char damaged[] = "it is damaged";
/* A file may have models of many devices, so what else is wrong with one of
 * them says more. */
static const char elsewhere[] = "it was learned on another device";

static void fail(reading *r, const char *what)
{
    r->what = r->what != NULL ? r->what : what;
    r->at = r->end;
}

static const char *next_word(reading *r)
{
    const char *word = r->at;

    if (r->at >= r->end) {
        fail(r, damaged);
        return "";
    }
    r->at += strlen(word) + 1;
    return word;
}

static bool is_next(const reading *r, const char *name)
{
    return r->at < r->end && strcmp(r->at, name) == 0;
}

static double next_number(reading *r, double low, double high)
{
    const char *word = next_word(r), *end = strchr(word, '\0');
    double value = low;

    if (bosc_number_parse(word, end, &value) == end && value >= low &&
        value <= high)
        return value;
    fail(r, damaged);
    return low;
}

/* "name", and what it should be, or anything with NULL. */
static void check(reading *r, const char *name, const char *want,
                  const char *what)
{
    if (strcmp(next_word(r), name) != 0)
        fail(r, damaged);

    const char *word = next_word(r);

    if (want != NULL && strcmp(word, want) != 0)
        fail(r, what);
}

/* What the model is of. */
static void read_key(reading *r, const bosc_model_key *key)
{
    check(r, "device", key->device, elsewhere);
    check(r, "program", BOSC_TIMED_AS, "it was learned with another version");
    check(r, "precision", "fp64", "it is of another precision");
    check(r, "date", NULL, NULL);
    check(r, "batches", NULL, NULL);
    if (strcmp(next_word(r), "threads") != 0)
        fail(r, damaged);
    if (next_number(r, 0, 1e6) < key->threads)
        fail(r, "it was learned with fewer threads");
}

/* The numbers of the features in the key; how many. */
static int read_features(reading *r, const bosc_model_key *key,
                         int feature[FEATURES])
{
    int n = 0;

    if (strcmp(next_word(r), "features") != 0)
        fail(r, damaged);
    while (r->at < r->end && !is_next(r, "method")) {
        const char *word = next_word(r);
        int k = 0;

        while (k < key->n_features && strcmp(key->features[k], word) != 0)
            ++k;
        if (k == key->n_features || n == FEATURES)
            fail(r, "it has a feature that this version does not know");
        else
            feature[n++] = k;
    }
    return n;
}

/* A tree of one or more nodes; false without memory. */
static bool read_tree(reading *r, const int *feature, int n_features,
                      bosc_learned *model, size_t *room)
{
    const int32_t first = model->n;
    int32_t n;

    if (strcmp(next_word(r), "tree") != 0)
        fail(r, damaged);
    n = (int32_t)next_number(r, 1, NODES - first);
    for (int32_t k = 0; k < n && r->what == NULL; ++k) {
        const int f = (int)next_number(r, -1, n_features - 1);
        const double low = f < 0 ? 0 : k + 1, high = f < 0 ? 0 : n - 1;
        node *one;

        if (!bosc_grow(&model->nodes, room, (size_t)model->n + 1, sizeof *one))
            return false;
        one = &model->nodes[model->n++];
        one->feature = f < 0 ? -1 : feature[f];
        one->next = first + n;
        one->value = next_number(r, -1e300, 1e300);
        one->low = first + (int32_t)next_number(r, low, high);
        one->high = first + (int32_t)next_number(r, low, high);
    }
    return true;
}

/* The methods of a model; false without memory. */
static bool read_methods(reading *r, const bosc_model_key *key,
                         bosc_learned *model)
{
    int feature[FEATURES];
    const int n_features = read_features(r, key, feature);
    size_t room = 0;
    bool enough = true;

    while (enough && is_next(r, "method")) {
        method *m = &model->methods[model->n_methods++];
        int32_t trees;

        next_word(r);
        *m = (method){.first = model->n};
        snprintf(m->name, sizeof m->name, "%s", next_word(r));
        m->base = next_number(r, -1e300, 1e300);
        trees = (int32_t)next_number(r, 0, NODES);
        for (; enough && trees > 0 && r->what == NULL; --trees)
            enough = read_tree(r, feature, n_features, model, &room);
        m->last = model->n;
        if (model->n_methods == METHODS)
            break;
    }
    if (model->n_methods == 0 || r->at != r->end)
        fail(r, damaged);
    return enough;
}

/* The line that ends the model at 'at', whose sum fits; NULL: there is none. */
static char *find_end(const char *at)
{
    char *end = strstr(at, "\nend\t");
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    char text[20];

    if (end == NULL)
        return NULL;
    for (++end; at < end; ++at)
        sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    snprintf(text, sizeof text, "%016" PRIx64 "\n", sum);
    return strncmp(end + 4, text, 17) == 0 ? end : NULL;
}

/* The model that begins at 'at', behind its first line, and ends at 'end';
 * *what is wrong with it, NULL: nothing.  False without memory. */
static bool read_model(char *at, char *end, const bosc_model_key *key,
                       bosc_learned **out, const char **what)
{
    reading r = {at, end, NULL};
    bosc_learned *model = bosc_alloc(1, sizeof *model);
    bool enough = model != NULL;

    for (; at < end; ++at)
        *at = *at == '\t' || *at == '\n' ? '\0' : *at;
    read_key(&r, key);
    if (enough && r.what == NULL)
        enough = read_methods(&r, key, model);
    *what = r.what;
    if (enough && r.what == NULL)
        *out = model;
    else
        bosc_learned_destroy(model);
    return enough;
}

/* The first model of the key in a text. */
static bosc_status parse(char *text, const char *path,
                         const bosc_model_key *key, bosc_learned **out,
                         char why[BOSC_MODEL_WHY], bosc_error *err)
{
    static const char first[] = "bosc-model 1\t";
    const char *told = NULL;

    for (char *at = text, *next; at != NULL && *out == NULL; at = next) {
        char *kind = at + sizeof first - 1, *end;
        const size_t n = strlen(key->kind);
        const char *what = damaged;

        next = strstr(at, "\nbosc-model ");
        next += next != NULL ? 1 : 0;
        if (strncmp(at, first, sizeof first - 1) != 0 ||
            strncmp(kind, key->kind, n) != 0 || kind[n] != '\n')
            continue;
        end = find_end(at);
        if (end != NULL && !read_model(kind + n + 1, end, key, out, &what))
            return bosc_no_memory(err, path);
        if (what != NULL && (told == NULL || what != elsewhere))
            told = what;
    }
    if (*out == NULL && told != NULL)
        snprintf(why, BOSC_MODEL_WHY, "%.200s: %s", path, told);
    return BOSC_OK;
}

bosc_status bosc_learned_read(const char *path, const bosc_model_key *key,
                              bosc_learned **out, char why[BOSC_MODEL_WHY],
                              bosc_error *err)
{
    FILE *file = fopen(path, "r");
    char *text;
    size_t n = 0;
    bosc_status st = BOSC_OK;

    *out = NULL;
    why[0] = '\0';
    if (file == NULL) {
        if (errno != ENOENT && errno != ENOTDIR)
            snprintf(why, BOSC_MODEL_WHY, "%.200s: %s", path, strerror(errno));
        return BOSC_OK;
    }
    text = bosc_lines_all(file, LARGEST, &n);
    fclose(file);
    if (text == NULL)
        return bosc_no_memory(err, path);
    if (n > 0 && strstr(text, "bosc-model 1\t") == NULL)
        snprintf(why, BOSC_MODEL_WHY,
                 "%.200s: it has no model that this version can read", path);
    else
        st = parse(text, path, key, out, why, err);
    free(text);
    return st;
}

bosc_status bosc_learned_find(const bosc_model_key *key, bosc_learned **out,
                              char why[BOSC_MODEL_WHY], bosc_error *err)
{
    const char *named = getenv("BOSC_METHODS");
    char *own =
        bosc_path_of_user("XDG_CONFIG_HOME", ".config", "methods.model");
    char *bundled = NULL;
    const bool enough =
        own != NULL && bosc_path_of_bosc("methods.model", &bundled);
    const char *paths[] = {own, BOSC_SYSCONFDIR "/bosc/methods.model",
                           bundled != NULL ? bundled : ""};
    bosc_model_key class = *key;
    bosc_status st = enough ? BOSC_OK : bosc_no_memory(err, "a path");

    *out = NULL;
    why[0] = '\0';
    if (named != NULL && named[0] != '\0') {
        paths[0] = named;
        paths[1] = paths[2] = "";
    }
    class.device = key->class;
    for (size_t k = 0; k < BOSC_LEN(paths) && st == BOSC_OK && *out == NULL;
         ++k) {
        char text[BOSC_MODEL_WHY] = "", other[BOSC_MODEL_WHY] = "";

        if (paths[k][0] == '\0')
            continue;
        st = bosc_learned_read(paths[k], key, out, text, err);
        if (st == BOSC_OK && *out == NULL)
            st = bosc_learned_read(paths[k], &class, out, other, err);
        if (strstr(text, elsewhere) != NULL)
            memcpy(text, other, sizeof text);
        if (why[0] == '\0' && k < 2)
            snprintf(why, BOSC_MODEL_WHY, "%s", text);
    }
    if (*out != NULL)
        why[0] = '\0';
    free(own);
    free(bundled);
    return st;
}
