#include "src/select/model.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/text/number.h"

enum {
    METHODS = 16,
    FEATURES = 64,
    NODES = 1 << 20,      /* of a model, at most */
    LARGEST = 64 << 20,   /* file, bytes */
    WORDS = FEATURES + 2, /* of a line */
    WORD = 120            /* bytes of a method's name */
};

/* What a sum goes through: a feature that is compared, or a leaf (-1) and its
 * term.  Nodes come after those that name them, so a way through ends. */
typedef struct node {
    int32_t feature, low, high;
    double value;
} node;

typedef struct method {
    char name[WORD];
    double base;
    int32_t first, last; /* nodes */
} method;

struct bosc_learned {
    int n_methods, n_features;
    int feature[FEATURES]; /* of the key */
    method methods[METHODS];
    int32_t n;
    node *nodes;      /* [n] */
    uint8_t *is_root; /* [n] */
};

void bosc_learned_destroy(bosc_learned *model)
{
    if (model != NULL) {
        free(model->nodes);
        free(model->is_root);
    }
    free(model);
}

/* ---- prediction ---- */

static double sum_of(const bosc_learned *model, const method *m,
                     const double *feature)
{
    double sum = m->base;

    for (int32_t root = m->first; root < m->last; ++root) {
        const node *at = &model->nodes[root];

        if (!model->is_root[root])
            continue;
        while (at->feature >= 0)
            at = &model->nodes[feature[model->feature[at->feature]] <= at->value
                                   ? at->low
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

/* A text that is read line by line; a line's words are cut out of it. */
typedef struct reading {
    const bosc_model_key *key;
    char *at;
    int64_t line;
    int n;
    char *word[WORDS];
    uint64_t sum;     /* of the lines before this one */
    uint64_t next;    /* and with it */
    const char *what; /* is wrong */
} reading;

static uint64_t add_to(uint64_t sum, const char *text, size_t n)
{
    for (size_t k = 0; k < n; ++k)
        sum = (sum ^ (unsigned char)text[k]) * UINT64_C(0x100000001b3);
    return sum;
}

static bool next_line(reading *r)
{
    const size_t n = strcspn(r->at, "\n");
    char *word = r->at, *end = r->at + n;

    if (*end != '\n')
        return false;
    ++r->line;
    r->sum = r->next;
    r->next = add_to(r->sum, r->at, n + 1);
    *end = '\0';
    r->at = end + 1;
    for (r->n = 0; word != NULL && r->n < WORDS; ++r->n) {
        char *tab = strchr(word, '\t');

        r->word[r->n] = word;
        if (tab != NULL)
            *tab++ = '\0';
        word = tab;
    }
    return true;
}

static bool is_line(const reading *r, const char *first, int n)
{
    return r->n == n && strcmp(r->word[0], first) == 0;
}

static bool number_at(const reading *r, int k, double *out)
{
    const char *end = strchr(r->word[k], '\0');

    return bosc_number_parse(r->word[k], end, out) == end && isfinite(*out);
}

static bool whole_at(const reading *r, int k, double low, double high,
                     int32_t *out)
{
    double value;

    if (!number_at(r, k, &value) || value != floor(value) || value < low ||
        value > high)
        return false;
    *out = (int32_t)value;
    return true;
}

static bool read_features(reading *r, bosc_learned *model)
{
    if (!next_line(r) || r->n < 2 || strcmp(r->word[0], "features") != 0 ||
        r->n - 1 > FEATURES)
        return false;
    model->n_features = r->n - 1;
    for (int k = 0; k < model->n_features; ++k) {
        int at = 0;

        while (at < r->key->n_features &&
               strcmp(r->key->features[at], r->word[k + 1]) != 0)
            ++at;
        if (at == r->key->n_features) {
            r->what = "it has a feature that this version does not know";
            return false;
        }
        model->feature[k] = at;
    }
    return true;
}

static bool read_node(reading *r, const bosc_learned *model, int32_t k,
                      int32_t nodes, node *out)
{
    const int32_t first = model->n - k; /* of the tree */

    if (!next_line(r) || r->n != 4 ||
        !whole_at(r, 0, -1, model->n_features - 1, &out->feature) ||
        !number_at(r, 1, &out->value))
        return false;
    if (out->feature < 0)
        return true;
    if (!whole_at(r, 2, k + 1, nodes - 1, &out->low) ||
        !whole_at(r, 3, k + 1, nodes - 1, &out->high))
        return false;
    out->low += first;
    out->high += first;
    return true;
}

/* False also without memory, which 'enough' says. */
static bool read_tree(reading *r, bosc_learned *model, size_t room[2],
                      bool *enough)
{
    int32_t nodes;

    if (!next_line(r) || !is_line(r, "tree", 2) ||
        !whole_at(r, 1, 1, NODES - model->n, &nodes))
        return false;
    for (int32_t k = 0; k < nodes; ++k) {
        const size_t want = (size_t)model->n + 1;
        node one = {.feature = -1};

        if (!read_node(r, model, k, nodes, &one))
            return false;
        *enough =
            bosc_grow(&model->nodes, &room[0], want, sizeof *model->nodes) &&
            bosc_grow(&model->is_root, &room[1], want, 1);
        if (!*enough)
            return false;
        model->is_root[model->n] = k == 0;
        model->nodes[model->n++] = one;
    }
    return true;
}

static bool read_method(reading *r, bosc_learned *model, size_t room[2],
                        bool *enough)
{
    method *m = &model->methods[model->n_methods];
    int32_t trees;

    if (model->n_methods == METHODS || strlen(r->word[1]) >= WORD ||
        !number_at(r, 2, &m->base) || !whole_at(r, 3, 0, NODES, &trees))
        return false;
    strcpy(m->name, r->word[1]);
    m->first = model->n;
    for (int32_t k = 0; k < trees; ++k)
        if (!read_tree(r, model, room, enough))
            return false;
    m->last = model->n;
    ++model->n_methods;
    return true;
}

/* A file may have models of many devices, so what else is wrong with one of
 * them says more. */
static const char elsewhere[] = "it was learned on another device";

/* Is the model of this device and program?  Sets r->what where it is not. */
static bool read_key(reading *r, bool *ours)
{
    const struct {
        const char *name, *want, *what;
    } keys[] = {
        {"device", r->key->device, elsewhere},
        {"program", BOSC_TIMED_AS, "it was learned with another version"},
        {"precision", "fp64", "it is of another precision"},
        {"date", NULL, NULL},
        {"batches", NULL, NULL},
    };
    int32_t threads;

    for (size_t k = 0; k < BOSC_LEN(keys); ++k) {
        if (!next_line(r) || !is_line(r, keys[k].name, 2))
            return false;
        if (keys[k].want != NULL && strcmp(r->word[1], keys[k].want) != 0 &&
            *ours) {
            *ours = false;
            r->what = keys[k].what;
        }
    }
    if (!next_line(r) || !is_line(r, "threads", 2) ||
        !whole_at(r, 1, 0, 1e6, &threads))
        return false;
    if (*ours && threads < r->key->threads) {
        *ours = false;
        r->what = "it was learned with fewer threads";
    }
    return true;
}

/* The rest of a model, whose first line has been read, if it is ours.  False:
 * damaged. */
static bool read_model(reading *r, bosc_learned *model, bool *ours,
                       bool *enough)
{
    size_t room[2] = {0, 0};
    char sum[20];

    if (!read_key(r, ours))
        return false;
    if (!*ours)
        return true;
    if (!read_features(r, model))
        return false;
    while (next_line(r))
        if (is_line(r, "end", 2)) {
            snprintf(sum, sizeof sum, "%016" PRIx64, r->sum);
            return strcmp(r->word[1], sum) == 0 && model->n_methods > 0;
        } else if (!is_line(r, "method", 4) ||
                   !read_method(r, model, room, enough)) {
            return false;
        }
    return false;
}

/* Skip lines that begin no model: most are of models of other devices. */
static void skip_lines(reading *r)
{
    static const char first[] = "bosc-model ";

    for (char *end; strncmp(r->at, first, sizeof first - 1) != 0 &&
                    (end = strchr(r->at, '\n')) != NULL;
         r->at = end + 1)
        ++r->line;
}

/* Skip to the next line that begins a model of the kind. */
static bool find_model(reading *r)
{
    do {
        skip_lines(r);
        r->next = UINT64_C(0xcbf29ce484222325);
    } while (next_line(r) && !(is_line(r, "bosc-model 1", 2) &&
                               strcmp(r->word[1], r->key->kind) == 0));
    return r->n == 2 && strcmp(r->word[0], "bosc-model 1") == 0 &&
           strcmp(r->word[1], r->key->kind) == 0;
}

static bosc_status parse(char *text, const char *path,
                         const bosc_model_key *key, bosc_learned **out,
                         char why[BOSC_MODEL_WHY], bosc_error *err)
{
    reading r = {.key = key, .at = text};

    while (*out == NULL && find_model(&r)) {
        bosc_learned *model = bosc_alloc(1, sizeof *model);
        bool ours = true, enough = model != NULL;

        r.what = "it is damaged";
        const bool fine = enough && read_model(&r, model, &ours, &enough);

        if (fine && ours) {
            *out = model;
            why[0] = '\0';
            return BOSC_OK;
        }
        bosc_learned_destroy(model);
        if (!enough)
            return bosc_no_memory(err, path);
        if (why[0] == '\0' || r.what != elsewhere)
            snprintf(why, BOSC_MODEL_WHY, "%.200s:%" PRId64 ": %s", path,
                     r.line, r.what);
        r.n = 0;
    }
    return BOSC_OK;
}

bosc_status bosc_learned_read(const char *path, const bosc_model_key *key,
                              bosc_learned **out, char why[BOSC_MODEL_WHY],
                              bosc_error *err)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0, n = 0, got = 1;
    bosc_status st = BOSC_OK;

    *out = NULL;
    why[0] = '\0';
    if (file == NULL) {
        if (errno != ENOENT && errno != ENOTDIR)
            snprintf(why, BOSC_MODEL_WHY, "%.200s: %s", path, strerror(errno));
        return BOSC_OK;
    }
    while (st == BOSC_OK && got > 0 && n < LARGEST) {
        if (!bosc_grow(&text, &room, n + 65537, 1)) {
            st = bosc_no_memory(err, path);
        } else {
            got = fread(text + n, 1, 65536, file);
            n += got;
            text[n] = '\0';
        }
    }
    fclose(file);
    if (st == BOSC_OK && n > 0 && strstr(text, "bosc-model 1\t") == NULL)
        snprintf(why, BOSC_MODEL_WHY,
                 "%.200s: it has no model that this version can read", path);
    else if (st == BOSC_OK)
        st = parse(text, path, key, out, why, err);
    free(text);
    return st;
}

bosc_status bosc_learned_find(const bosc_model_key *key, bosc_learned **out,
                              char why[BOSC_MODEL_WHY], bosc_error *err)
{
    const char *named = getenv("BOSC_METHODS"), *home = getenv("HOME");
    const char *config = getenv("XDG_CONFIG_HOME");
    char *own = config != NULL && config[0] == '/'
                    ? bosc_format("%s/bosc/methods.model", config)
                : home != NULL && home[0] == '/'
                    ? bosc_format("%s/.config/bosc/methods.model", home)
                    : bosc_strdup("");
    const char *paths[] = {own, BOSC_SYSCONFDIR "/bosc/methods.model",
                           BOSC_PKGDATADIR "/methods.model"};
    bosc_model_key class = *key;
    bosc_status st = own != NULL ? BOSC_OK : bosc_no_memory(err, "a path");

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
    return st;
}
