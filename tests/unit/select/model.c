/* What a model predicts, and which files are survived. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/select/choose.h"
#include "tests/lib/tap.h"

static const char *const known[] = {"depth", "size", "width"};
static const bosc_model_key key = {"things", "a device", "a class",
                                   2,        3,          known};

#define HEAD_OF(device, program, threads)                                      \
    "bosc-model 1\tthings\ndevice\t" device "\nprogram\t" program              \
    "\nprecision\tfp64\ndate\t2026-01-01\nbatches\t9\n"                        \
    "threads\t" threads "\n"
#define HEAD(device, program) HEAD_OF(device, program, "2")
#define HERE HEAD("a device", BOSC_TIMED_AS)
#define BODY                                                                   \
    "features\tsize\tdepth\n"                                                  \
    "method\tone\t-1\t1\n"                                                     \
    "tree\t3\n0\t10\t1\t2\n-1\t0.5\t0\t0\n-1\t2\t0\t0\n"                       \
    "method\ttwo\t0.25\t2\n"                                                   \
    "tree\t1\n-1\t0.25\t0\t0\n"                                                \
    "tree\t5\n0\t5\t1\t2\n-1\t-3\t0\t0\n1\t1\t3\t4\n-1\t1\t0\t0\n"             \
    "-1\t-1\t0\t0\n"

/* A model with the end that its lines need. */
static char *sealed(const char *text)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (const char *p = text; *p != '\0'; ++p)
        sum = (sum ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return bosc_format("%send\t%016" PRIx64 "\n", text, sum);
}

/* Read this text; the caller destroys *out. */
static bosc_status read_text(const char *text, bosc_learned **out,
                             char why[BOSC_MODEL_WHY])
{
    char path[] = "/tmp/bosc-XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    bosc_error err;
    bosc_status st;

    fputs(text, file);
    fclose(file);
    st = bosc_learned_read(path, &key, out, why, &err);
    unlink(path);
    return st;
}

static double predicted(const bosc_learned *model, const char *method,
                        double depth, double size)
{
    double seconds = NAN;

    bosc_learned_predict(model, method, (const double[]){depth, size, 1e300},
                         &seconds);
    return log(seconds);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void test_prediction(void)
{
    char *text = sealed(HERE BODY), why[BOSC_MODEL_WHY];
    bosc_learned *model = NULL;
    double none;

    if (ok(read_text(text, &model, why) == BOSC_OK && model != NULL,
           "a model is read %s", why)) {
        ok(near(predicted(model, "one", 0, 10), -0.5) &&
               near(predicted(model, "one", 0, 10.5), 1),
           "a tree goes low up to its number, then high");
        ok(near(predicted(model, "two", 0, 4), -0.5 + 0.5 - 3) &&
               near(predicted(model, "two", 1, 6), -0.5 + 0.5 + 1) &&
               near(predicted(model, "two", 2, 60), 1 + 0.5 - 1),
           "another method's trees are added to the first's");
        ok(!bosc_learned_predict(model, "three", (const double[]){0, 0, 0},
                                 &none),
           "it says nothing of a method that it does not know");
    }
    bosc_learned_destroy(model);
    free(text);
}

/* Whether a text has a model, and what is said. */
static void test_file(const char *text, bool fine, const char *says,
                      const char *what)
{
    char why[BOSC_MODEL_WHY];
    bosc_learned *model = NULL;
    const bosc_status st = read_text(text, &model, why);

    ok(st == BOSC_OK && (model != NULL) == fine && strstr(why, says) != NULL,
       "%s: %.70s", what, why);
    bosc_learned_destroy(model);
}

static void test_files(void)
{
    static const struct {
        const char *what, *text, *says;
        bool fine;
    } cases[] = {
        {"another device's is left alone", HEAD("b", BOSC_TIMED_AS) BODY,
         "another device", false},
        {"another version's, too", HEAD("a device", "bosc 0.0.9") BODY,
         "another version", false},
        {"one of fewer threads, too",
         HEAD_OF("a device", BOSC_TIMED_AS, "1") BODY, "fewer threads", false},
        {"one with an unknown feature", HERE "features\tcolour\n",
         "does not know", false},
        {"a node that goes back is damage",
         HERE "features\tsize\nmethod\tone\t0\t1\ntree\t2\n0\t1\t0\t1\n"
              "-1\t0\t0\t0\n",
         "damaged", false},
        {"a node past the end, too",
         HERE "features\tsize\nmethod\tone\t0\t1\ntree\t2\n0\t1\t1\t2\n"
              "-1\t0\t0\t0\n",
         "damaged", false},
        {"a feature past the end, too",
         HERE "features\tsize\nmethod\tone\t0\t1\ntree\t3\n1\t1\t1\t2\n"
              "-1\t0\t0\t0\n-1\t0\t0\t0\n",
         "damaged", false},
        {"a number that is none, too",
         HERE "features\tsize\nmethod\tone\tnan\t0\n", "damaged", false},
        {"a model without a method, too", HERE "features\tsize\n", "damaged",
         false},
        {"trees without end, too",
         HERE "features\tsize\nmethod\tone\t0\t99999999999\n", "damaged",
         false},
    };
    char *whole = sealed(HERE BODY);
    char *other = sealed(HEAD("b", BOSC_TIMED_AS) BODY);
    char *both = bosc_format("%s%s", other, whole);
    int survived = 0;

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        char *text = sealed(cases[i].text);

        test_file(text, cases[i].fine, cases[i].says, cases[i].what);
        free(text);
    }
    test_file("", false, "", "an empty file has none");
    test_file("\x89HDF\r\n\n\n", false, "can read",
              "a file of another kind has none");
    test_file("bosc-model 2\tthings\n", false, "can read",
              "nor has one of a later format");
    test_file("bosc-model 1\tothers\n", false, "",
              "nothing is wrong with models of other things");
    test_file(both, true, "", "of several the one of this device is found");

    for (size_t n = 1; n < strlen(whole); ++n) { /* cut anywhere */
        char why[BOSC_MODEL_WHY], *part = bosc_strdup(whole);
        bosc_learned *model = NULL;

        part[n - 1] = '\0';
        survived += read_text(part, &model, why) == BOSC_OK && model == NULL;
        bosc_learned_destroy(model);
        free(part);
    }
    ok(survived == (int)strlen(whole) - 1, "a file cut anywhere has none");
    survived = 0;
    for (size_t n = 0; n < strlen(whole); ++n) { /* a letter changed */
        char why[BOSC_MODEL_WHY], *part = bosc_strdup(whole);
        bosc_learned *model = NULL;

        part[n] ^= 1;
        survived += read_text(part, &model, why) == BOSC_OK && model == NULL;
        bosc_learned_destroy(model);
        free(part);
    }
    ok(survived == (int)strlen(whole), "one with any letter changed has none");
    free(whole);
    free(other);
    free(both);
}

/* A model of the time loop that finds one neuron by itself slow. */
static void test_choice(void)
{
    const bosc_model_key loops = {"things",        "a device",
                                  "a class",       0,
                                  BOSC_N_FEATURES, bosc_feature_names};
    char *text = sealed(HERE "features\tneurons\n"
                             "method\tdepth-first\t-18\t0\n"
                             "method\thines-flat\t0\t1\n"
                             "tree\t3\n0\t100\t1\t2\n-1\t-1\t0\t0\n"
                             "-1\t1\t0\t0\n");
    char path[] = "/tmp/bosc-XXXXXX", why[BOSC_MODEL_WHY];
    FILE *file = fdopen(mkstemp(path), "w");
    bosc_features f = {.of = {0}};
    bosc_learned *model = NULL;
    bosc_choice few, many, huge, ref;
    bosc_error err;

    fputs(text, file);
    fclose(file);
    bosc_learned_read(path, &loops, &model, why, &err);
    unlink(path);
    f.of[BOSC_FEATURE_compartments] = 1e4;
    f.of[BOSC_FEATURE_neurons] = 10;
    bosc_choose(&bosc_methods[0], false, &f, model, &few);
    f.of[BOSC_FEATURE_neurons] = 1000;
    bosc_choose(&bosc_methods[0], false, &f, model, &many);
    bosc_choose(bosc_method_find("ref", "hines"), false, &f, model, &ref);
    f.of[BOSC_FEATURE_compartments] = 2 * BOSC_LEARNED_MOST;
    bosc_choose(&bosc_methods[0], false, &f, model, &huge);
    ok(strcmp(few.method->name, "hines-flat") == 0 &&
           strcmp(many.method->name, "depth-first") == 0,
       "a model chooses what it has learned");
    ok(strcmp(few.by, "a model") == 0 &&
           fabs(few.seconds / (1e4 * exp(-19)) - 1) < 1e-9,
       "it says so, and what it expects");
    ok(strcmp(ref.by, "rules") == 0, "what it has not learned is for rules");
    ok(strcmp(huge.by, "rules") == 0, "and so is more than it can have seen");
    ok(strstr(huge.note, "3e+07 compartments") != NULL && few.note[0] == '\0',
       "which is told");
    bosc_learned_destroy(model);
    free(text);
}

int main(void)
{
    test_prediction();
    test_files();
    test_choice();
    return done_testing();
}
