/* How often rules choose the fastest method, of recorded measurements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/select/choose.h"
#include "src/text/number.h"
#include "tests/lib/tap.h"

enum { METHODS = 2, LONGEST = 4096, BATCHES = 4000 };
static const char *const names[METHODS] = {"depth-first", "hines-flat"};

/* Of all batches. */
typedef struct tally {
    int n, right, close;
    double loss[BATCHES];
} tally;

typedef struct line {
    char method[40];
    double median, least, most;
    bosc_features features;
} line;

/* The columns after three others, in the order of the titles, which is that of
 * the features; the last ones may be missing, which are of GPUs. */
static bool parse(char *text, line *out)
{
    double number[3 + BOSC_N_FEATURES] = {0};
    char *word = strtok(text, "\t\n");
    int k = -3;

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
    return word == NULL && k >= 3 + BOSC_FEATURE_processors;
}

/* Right is also what is within 2 %, or half the range of the medians. */
static void judge(const line *batch, tally *t)
{
    bosc_choice choice;
    int chosen = 0, best = 0;

    bosc_choose(&bosc_methods[0], false, &batch[0].features, NULL, &choice);
    for (int m = 0; m < METHODS; ++m) {
        chosen = strcmp(choice.method->name, batch[m].method) == 0 ? m : chosen;
        best = batch[m].median < batch[best].median ? m : best;
    }

    const line *c = &batch[chosen];
    const double loss = c->median / batch[best].median - 1;

    t->right += loss <= fmax(0.02, (c->most - c->least) / 2 / c->median);
    t->close += loss <= 0.02;
    t->loss[t->n++] = loss;
}

static bool read_file(const char *name, tally *t)
{
    const char *source = getenv("BOSC_SRC");
    char *path =
        bosc_format("%s/src/select/data/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    char text[LONGEST];
    line batch[METHODS];
    int m = 0;
    bool fine = file != NULL;

    while (fine && fgets(text, sizeof text, file) != NULL) {
        if (text[0] == '#' || strncmp(text, "batch", 5) == 0)
            continue;
        fine = parse(text, &batch[m]) &&
               strcmp(batch[m].method, names[m]) == 0 && t->n < BATCHES;
        if (fine && ++m == METHODS) {
            judge(batch, t);
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

int main(void)
{
    static tally t;
    double mean = 0;

    ok(read_file("avx512-loops-1.tsv", &t) &&
           read_file("avx512-loops-2.tsv", &t) && t.n > 1000,
       "the recorded measurements can be read");
    qsort(t.loss, (size_t)t.n, sizeof *t.loss, by_value);
    for (int k = 0; k < t.n; ++k)
        mean += t.loss[k] / t.n;

    const double right = t.n > 0 ? 100.0 * t.right / t.n : 0;
    const double late = t.n > 0 ? 100 * t.loss[(t.n - 1) * 99 / 100] : 0;

    diag("| rules, loops | %.1f | %.1f | %.1f | %.1f | %.1f |", right,
         t.n > 0 ? 100.0 * t.close / t.n : 0, 100 * mean, late,
         t.n > 0 ? 100 * t.loss[t.n - 1] : 0);
    ok(right >= 80, "rules choose the fastest, or a tie, of four in five");
    ok(mean <= 0.1, "and lose a tenth of the time at most, in the mean");
    ok(late <= 100, "and of 99 %% of batches no more than the time again");
    return done_testing();
}
