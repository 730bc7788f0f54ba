/* How often rules choose the fastest method or format, of recorded
 * measurements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/select/choose.h"
#include "src/select/choose_format.h"
#include "src/select/rules.h"
#include "src/text/number.h"
#include "tests/lib/tap.h"

enum { METHODS = 3, LONGEST = 4096, BATCHES = 4000 };

/* Of all batches. */
typedef struct tally {
    int n, right, close;
    double loss[BATCHES];
} tally;

typedef struct line {
    char method[40];
    double median, least, most;
    bosc_features features; /* of products a bosc_matrix_features, with zeros
                               behind */
} line;

/* What is recorded: methods of each batch, and which rules choose. */
typedef struct kind {
    int n;
    int features; /* that all files have; others are 0 */
    const char *names[METHODS];
    const char *(*choose)(const bosc_features *features);
    bool by_medians;
} kind;

static const char *choose_loop(const bosc_features *features)
{
    bosc_choice choice;

    bosc_choose(&bosc_methods[0], false, features, NULL, &choice);
    return choice.method->name;
}

/* A build without CUDA has rules for GPUs, too. */
static const char *choose_gpu_loop(const bosc_features *features)
{
    const bosc_method *cells = bosc_method_find("cuda", "cell-blocks");
    const bosc_method *dfs = bosc_method_find("cuda", "depth-first");

    return bosc_rule_seconds(dfs, features) < bosc_rule_seconds(cells, features)
               ? dfs->name
               : cells->name;
}

static const char *choose_product(const bosc_features *features)
{
    bosc_format_choice choice;
    bosc_matrix_features f;

    memcpy(f.of, features->of, sizeof f.of);
    bosc_choose_format(&f, 0, BOSC_SPMV_AUTO, NULL, &choice);
    return bosc_spmv_format_names[choice.format];
}

/* Older files lack the last features, which are of GPUs. */
static const kind loops = {2,
                           BOSC_FEATURE_processors,
                           {"depth-first", "hines-flat"},
                           choose_loop,
                           false};
static const kind many_threads = {
    2, BOSC_N_FEATURES, {"depth-first", "hines-flat"}, choose_loop, true};
static const kind gpu_loops = {
    2, BOSC_N_FEATURES, {"cell-blocks", "depth-first"}, choose_gpu_loop, true};
static const kind products = {3,
                              BOSC_N_MATRIX_FEATURES,
                              {"csr", "ellpack", "dense"},
                              choose_product,
                              false};

/* The columns after three others, in the order of the titles, which is that of
 * the features. */
static bool parse(char *text, const kind *of, line *out)
{
    double number[3 + BOSC_N_FEATURES] = {0};
    char *word = strtok(text, "\t\n");
    int k = -3;

    *out = (line){.method = ""};
    for (; word != NULL && k < (int)BOSC_LEN(number);
         word = strtok(NULL, "\t\n"), ++k)
        if (k == -1)
            snprintf(out->method, sizeof out->method, "%s", word);
        else if (k >= 0 && bosc_number_parse(word, strchr(word, '\0'),
                                             &number[k]) == NULL)
            return false;
    out->median = number[0];
    out->least = number[1];
    out->most = number[2];
    memcpy(out->features.of, number + 3, sizeof out->features.of);
    out->features.needs.epoch = (int64_t)out->features.of[BOSC_FEATURE_epoch];
    return word == NULL && k >= 3 + of->features;
}

/* A time is the least of seven rounds, which other programs touch less than
 * their median; or that, where there were none and threads wait for each other.
 * Right is also what is within 2 %, or half the range of the rounds. */
static double seconds_of(const kind *of, const line *l)
{
    return of->by_medians ? l->median : l->least;
}

static void judge(const kind *of, const line *batch, tally *t)
{
    const char *name = of->choose(&batch[0].features);
    int chosen = 0, best = 0;

    for (int m = 0; m < of->n; ++m) {
        chosen = strcmp(name, batch[m].method) == 0 ? m : chosen;
        best =
            seconds_of(of, &batch[m]) < seconds_of(of, &batch[best]) ? m : best;
    }

    const line *c = &batch[chosen];
    const double seconds = seconds_of(of, c);
    const double loss = seconds / seconds_of(of, &batch[best]) - 1;

    t->right += loss <= fmax(0.02, (c->most - c->least) / 2 / seconds);
    t->close += loss <= 0.02;
    t->loss[t->n++] = loss;
}

static bool read_file(const char *name, const kind *of, tally *t)
{
    const char *source = getenv("BOSC_SRC");
    char *path = bosc_format("%s/bench/select/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    char text[LONGEST];
    line batch[METHODS];
    int m = 0;
    bool fine = file != NULL;

    while (fine && fgets(text, sizeof text, file) != NULL) {
        if (text[0] == '#' || strncmp(text, "batch", 5) == 0)
            continue;
        fine = parse(text, of, &batch[m]) &&
               strcmp(batch[m].method, of->names[m]) == 0 && t->n < BATCHES;
        if (fine && ++m == of->n) {
            judge(of, batch, t);
            m = 0;
        }
    }
    if (file != NULL)
        fclose(file);
    free(path);
    return fine && m == 0;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Wanted of rules: 80 %; 10 % lost in the mean, 100 % at the 99th percentile.
 */
static void test_rules(const char *name, const kind *of)
{
    tally *t = bosc_alloc(1, sizeof *t);
    double mean = 0;

    ok(read_file(name, of, t) && t->n > 300, "%s can be read", name);
    qsort(t->loss, (size_t)t->n, sizeof *t->loss, by_value);
    for (int k = 0; k < t->n; ++k)
        mean += t->loss[k] / t->n;

    const double right = t->n > 0 ? 100.0 * t->right / t->n : 0;
    const double late = t->n > 0 ? 100 * t->loss[(t->n - 1) * 99 / 100] : 0;

    diag("| rules, %s | %.1f | %.1f | %.1f | %.1f | %.1f |", name, right,
         t->n > 0 ? 100.0 * t->close / t->n : 0, 100 * mean, late,
         t->n > 0 ? 100 * t->loss[t->n - 1] : 0);
    ok(right >= 80, "rules choose the fastest, or a tie, of four in five");
    ok(mean <= 0.1, "and lose a tenth of the time at most, in the mean");
    ok(late <= 100, "and of 99 %% of batches no more than the time again");
    free(t);
}

int main(void)
{
    test_rules("avx512-loops-1.tsv", &loops);
    test_rules("avx512-loops-2.tsv", &many_threads);
    test_rules("avx2-loops-1.tsv", &loops);
    test_rules("h200-loops-1.tsv", &gpu_loops);
    test_rules("avx512-products-1.tsv", &products);
    test_rules("avx2-products-1.tsv", &products);
    return done_testing();
}
