/* Synthetic neurons: the promised size after the way through an SWC file, looks
 * within a real cell's bounds, and the same bytes everywhere. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/cli/commands.h"
#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "src/morphology/synthetic.h"
#include "tests/lib/tap.h"

/* The SWC file of a neuron as text (free()). */
static char *as_text(const bosc_synthetic *what, int64_t number)
{
    bosc_error err = {""};
    bosc_swc *swc = NULL;
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    if (bosc_synthetic_create(what, number, &swc, &err) != BOSC_OK ||
        bosc_synthetic_write(what, number, swc, file, "memory", &err) !=
            BOSC_OK)
        diag("%s", err.text);
    bosc_swc_destroy(swc);
    fclose(file);
    return text;
}

/* True when cutting these samples gives the numbers asked for. */
static bool right_size(bosc_swc *swc, const bosc_synthetic *what)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_sections *sections = NULL;
    bosc_cable *cable = NULL;
    bosc_error err = {""};

    spec.policy = BOSC_PER_SAMPLE;

    const bool cut =
        bosc_sections_create(swc, &sections, &err) == BOSC_OK &&
        bosc_cable_create(sections, &spec, swc->path, &cable, &err) == BOSC_OK;
    const bool right = cut && cable->n == what->compartments &&
                       cable->n_sections == what->sections &&
                       swc->repairs.n == 0;

    if (!right)
        diag("%s: %" PRId32 " compartments, %" PRId32 " sections; %s",
             swc->path, cut ? cable->n : 0, cut ? cable->n_sections : 0,
             swc->repairs.n > 0 ? swc->repairs.text[0] : err.text);
    bosc_cable_destroy(cable);
    bosc_sections_destroy(sections);
    return right;
}

static bool same_samples(const bosc_swc *a, const bosc_swc *b)
{
    const size_t n = (size_t)a->n;

    return a->n == b->n && memcmp(a->parent, b->parent, 4 * n) == 0 &&
           memcmp(a->type, b->type, 4 * n) == 0 &&
           memcmp(a->line, b->line, 8 * n) == 0 &&
           memcmp(a->xyz, b->xyz, 24 * n) == 0 &&
           memcmp(a->radius, b->radius, 8 * n) == 0 &&
           a->file.samples == b->file.samples &&
           a->file.roots == b->file.roots && a->file.tips == b->file.tips &&
           a->file.branch_points == b->file.branch_points &&
           fabs(a->file.length - b->file.length) <= 1e-9 * a->file.length;
}

/* From memory and from the text: same samples, and the right size. */
static bool round_trip(const bosc_synthetic *what, int64_t number)
{
    char *text = as_text(what, number);
    bosc_swc *made = NULL, *read = NULL;
    bosc_error err = {""};
    const bool good =
        bosc_synthetic_create(what, number, &made, &err) == BOSC_OK &&
        bosc_swc_parse(text, strlen(text), "text", true, &read, &err) ==
            BOSC_OK &&
        same_samples(made, read) && right_size(made, what) &&
        right_size(read, what);

    if (!good)
        diag("compartments %" PRId32 " sections %" PRId32 " number %" PRId64
             ": %s",
             what->compartments, what->sections, number, err.text);
    bosc_swc_destroy(made);
    bosc_swc_destroy(read);
    free(text);
    return good;
}

static void test_sizes(void)
{
    static const struct {
        bosc_synthetic what;
        int numbers;
    } cases[] = {
        {{76, 7, 1}, 200},     {{76, 29, 1}, 200},      {{305, 30, 1}, 100},
        {{319, 157, 1}, 100},  {{695, 66, 1}, 50},      {{691, 341, 1}, 50},
        {{100000, 2, 3}, 1},   {{100001, 50000, 3}, 1}, {{4000, 1999, 3}, 20},
        {{20000, 1234, 3}, 2},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        int good = 0;

        while (good < cases[i].numbers && round_trip(&cases[i].what, good))
            good++;
        ok(good == cases[i].numbers,
           "%" PRId32 " compartments in %" PRId32
           " sections are just that, from memory and from SWC",
           cases[i].what.compartments, cases[i].what.sections);
    }
}

/* Every small pair either works or is refused, as the header says. */
static void test_domain(void)
{
    int wrong = 0;

    for (int32_t c = -1; c <= 45; ++c)
        for (int32_t s = -1; s <= 24 && wrong < 3; ++s) {
            const bosc_synthetic what = {c, s, 7};
            const bool good = (s == 1 && c == 3) || (s >= 2 && c >= 2 * s + 1);
            bosc_error err = {""};
            bosc_swc *swc = NULL;

            if (good)
                wrong += bosc_synthetic_check(&what, &err) != BOSC_OK ||
                         !round_trip(&what, c);
            else
                wrong += bosc_synthetic_create(&what, 0, &swc, &err) !=
                             BOSC_EVALUE ||
                         swc != NULL || err.text[0] == '\0';
        }
    ok(wrong == 0, "all pairs up to 45 and 24 work or are refused");
}

static void test_messages(void)
{
    static const struct {
        bosc_synthetic what;
        const char *want;
    } cases[] = {
        {{20, 15, 1}, "at least 31 compartments, or sections 9"},
        {{4, 2, 1},
         "at least 5 compartments, or sections 1 with "
         "compartments 3"},
        {{10, 1, 1}, "use compartments 3, or at least 2 sections"},
        {{10, 0, 1}, "at least 1 section"},
        {{INT32_MAX, INT32_MAX, 1}, "at least 4294967295 compartments"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error err = {""};

        bosc_synthetic_check(&cases[i].what, &err);
        if (!ok(strstr(err.text, cases[i].want) != NULL,
                "%" PRId32 " and %" PRId32 ": the message tells what would do",
                cases[i].what.compartments, cases[i].what.sections))
            diag("%s", err.text);
    }
}

static double distance(const bosc_swc *swc, int32_t i)
{
    const double *a = swc->xyz + 3 * i, *b = swc->xyz + 3 * swc->parent[i];

    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void test_looks(void)
{
    const bosc_synthetic what = {695, 66, 5};
    int thick = 0, length = 0, soma = 0, types[5] = {0}, triples = 0;

    for (int64_t k = 0; k < 100; ++k) {
        bosc_error err;
        bosc_swc *swc = NULL;
        int *children = calloc(700, sizeof *children);

        bosc_synthetic_create(&what, k, &swc, &err);
        soma += swc->radius[0] < 4 || swc->radius[0] > 10;
        for (int32_t i = 1; i < swc->n; ++i) {
            const double most = swc->type[i] == BOSC_SWC_AXON ? 40 : 30;
            const double d = distance(swc, i);

            types[swc->type[i]]++;
            thick += swc->radius[i] < 0.15 || swc->radius[i] > 1.6;
            if (swc->parent[i] == 0)
                length += fabs(d - swc->radius[0]) > 0.002;
            else
                length += d < 4.998 || d > most + 0.002;
            triples += ++children[swc->parent[i]] == 3 && swc->parent[i] > 0;
        }
        bosc_swc_destroy(swc);
        free(children);
    }
    ok(soma == 0, "somata are 8 to 20 um thick");
    ok(thick == 0, "neurites are 0.3 to 3.2 um thick");
    ok(length == 0, "frusta are 5 to 30 um long, of the axon 10 to 40, and "
                    "stems start on the soma's surface");
    ok(types[2] > 5000 && types[3] > 5000 && types[4] > 5000,
       "there are dendrites, apical dendrites and axons");
    ok(triples > 20 && triples < 400, "some branch points are threefold");
}

static void test_streams(void)
{
    const bosc_synthetic a = {76, 29, 1}, b = {76, 29, 1 | 1ULL << 40};
    char *text[] = {as_text(&a, 0), as_text(&a, 0), as_text(&a, 1),
                    as_text(&a, 1LL << 40), as_text(&b, 0)};
    int equal = 0;

    ok(strcmp(text[0], text[1]) == 0, "a neuron is the same every time");
    for (size_t i = 1; i < BOSC_LEN(text); ++i)
        for (size_t k = i + 1; k < BOSC_LEN(text); ++k)
            equal += strcmp(strchr(text[i], '\n'), strchr(text[k], '\n')) == 0;
    ok(equal == 0, "other numbers and seeds, also large ones, give others");
    for (size_t i = 0; i < BOSC_LEN(text); ++i)
        free(text[i]);
}

/* The size of each number is within the range and every one can be made; both
 * ends are met, evenly often, and neighbours are independent. */
static void test_draws(void)
{
    const bosc_synthetic_range range = {{76, 691}, {7, 341}, 3};
    bosc_error err;
    int64_t sum = 0, together = 0;
    int outside = 0, unmade = 0, least = 0, most = 0, crowded = 0;
    enum { N = 200000 };

    for (int64_t k = 0; k < N; ++k) {
        const bosc_synthetic size = bosc_synthetic_draw(&range, k),
                             next = bosc_synthetic_draw(&range, k + 1);
        const int32_t c = size.compartments, s = size.sections;

        outside += c < 76 || c > 691 || s < 7 || s > 341 || size.seed != 3;
        unmade += bosc_synthetic_check(&size, &err) != BOSC_OK;
        least += c == 76;
        most += c == 691;
        crowded += 2 * s + 2 >= c;
        sum += c;
        together += (c < 384) == (next.compartments < 384);
    }
    ok(outside == 0 && unmade == 0, "drawn sizes are in the range and can be");
    ok(abs(least - N / 616) < 100 && abs(most - N / 616) < 100 && crowded > 500,
       "ends are drawn like others, and as many sections as there may be");
    ok(fabs((double)sum / N - 383.5) < 2 && fabs(together - N / 2.) < 1000,
       "sizes are even, and those of neighbours independent");
}

static void test_drawn_trees(void)
{
    const bosc_synthetic_range range = {{76, 691}, {7, 341}, 3},
                               other = {{76, 691}, {7, 341}, 4},
                               one = {{76, 76}, {29, 29}, 1};
    const bosc_synthetic fixed = bosc_synthetic_draw(&one, 9);
    int good = 0, same = 0;

    for (int64_t k = 1LL << 40; k < (1LL << 40) + 40; ++k) {
        const bosc_synthetic size = bosc_synthetic_draw(&range, k);

        good += round_trip(&size, k);
        same +=
            size.compartments == bosc_synthetic_draw(&other, k).compartments;
    }
    ok(good == 40, "neurons have the sizes that were drawn");
    ok(same < 5, "another seed draws other sizes");
    ok(fixed.compartments == 76 && fixed.sections == 29 && fixed.seed == 1,
       "where the ends are the same nothing is drawn");
}

static void test_ranges(void)
{
    static const struct {
        bosc_synthetic_range range;
        const char *want; /* NULL: good */
    } cases[] = {
        {{{76, 691}, {7, 341}, 1}, NULL},
        {{{3, 3}, {1, 1}, 1}, NULL},
        {{{5, 9}, {2, 4}, 1}, NULL},
        {{{5, 9}, {2, 5}, 1}, "use sections up to 4"},
        {{{4, 9}, {2, 4}, 1}, "at least 5 compartments"},
        {{{3, 9}, {1, 1}, 1}, "use compartments 3, or at least 2 sections"},
        {{{3, 9}, {1, 3}, 1}, "use compartments 3, or at least 2 sections"},
        {{{3, 3}, {1, 2}, 1}, "use sections up to 1"},
        {{{INT32_MAX, INT32_MAX}, {2, INT32_MAX}, 1}, "up to 1073741823"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error err = {""};
        const bosc_status st =
            bosc_synthetic_check_range(&cases[i].range, &err);

        if (!ok(cases[i].want == NULL ? st == BOSC_OK
                                      : strstr(err.text, cases[i].want) != NULL,
                "range %zu is %s", i,
                cases[i].want == NULL ? "taken" : "refused"))
            diag("%s", err.text);
    }
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 17);

    if (file != NULL) {
        text[fread(text, 1, (1 << 17) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

static void test_committed(void)
{
    const char *source = getenv("BOSC_SRC");

    for (size_t i = 0; i < BOSC_N_SYNTHETIC_CLASSES; ++i) {
        const bosc_synthetic_class *c = &bosc_synthetic_classes[i];
        const bosc_synthetic what = {c->compartments, c->sections, 1};
        char *path = bosc_format("%s/morphologies/%s.swc",
                                 source != NULL ? source : ".", c->name);
        char *want = as_text(&what, 0), *got = read_file(path);

        ok(strcmp(want, got) == 0,
           "morphologies/%s.swc is what the generator writes, byte for byte",
           c->name);
        free(path);
        free(want);
        free(got);
    }
}

static void test_full_disk(void)
{
    const bosc_synthetic what = {695, 66, 1};
    FILE *full = fopen("/dev/full", "w");
    bosc_error err = {""};
    bosc_swc *swc = NULL;

    if (full == NULL) {
        skip("no /dev/full here");
        return;
    }
    bosc_synthetic_create(&what, 0, &swc, &err);
    ok(bosc_synthetic_write(&what, 0, swc, full, "full.swc", &err) ==
               BOSC_EIO &&
           strstr(err.text, "full.swc: cannot write: No space left") != NULL,
       "a full disk is noticed");
    bosc_swc_destroy(swc);
    fclose(full);
}

/* Run "generate WORDS" with '@' as the scratch folder. */
static bosc_status command(const char *words, const char *folder,
                           bosc_error *err)
{
    char line[512] = "", *argv[32] = {"generate"};
    size_t n = 0;
    int argc = 1;

    for (; *words != '\0'; ++words)
        if (*words == '@')
            n += (size_t)sprintf(line + n, "%s", folder);
        else
            line[n++] = *words;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    err->text[0] = '\0';
    return bosc_cmd_generate(argc, argv, err);
}

static void test_refusals(const char *folder)
{
    static const struct {
        const char *words, *want;
        bosc_status status;
    } cases[] = {
        {"", "no size; give --class", BOSC_EUSAGE},
        {"--sections 7", "no size; give --class", BOSC_EUSAGE},
        {"--class tiny", "there is no such class", BOSC_EUSAGE},
        {"--class", "--class: needs a value", BOSC_EUSAGE},
        {"--frobnicate 3", "no such option", BOSC_EUSAGE},
        {"--class big-low more", "unexpected argument 'more'", BOSC_EUSAGE},
        {"--compartments 7x --sections 2", "--compartments 7x: not a whole",
         BOSC_EUSAGE},
        {"--class big-low --seed -1", "--seed -1: not a whole", BOSC_EUSAGE},
        {"--compartments 10 --sections 7", "at least 15", BOSC_EVALUE},
        {"--class big-low --count 2", "give -o FOLDER/", BOSC_EUSAGE},
        {"--class big-low -o @/none/x.swc", "No such file", BOSC_EIO},
        {"--class big-low -o @/none/x/", "cannot make the folder", BOSC_EIO},
        {"--class big-low -o /dev/full", "No space left", BOSC_EIO},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error err;
        const bosc_status st = command(cases[i].words, folder, &err);

        if (!ok(st == cases[i].status &&
                    strstr(err.text, cases[i].want) != NULL,
                "'generate %s' is refused with the reason", cases[i].words))
            diag("%d %s", (int)st, err.text);
    }
}

static void test_command(void)
{
    const bosc_synthetic what = {76, 29, 5};
    char folder[] = "/tmp/bosc-generate-XXXXXX", path[64];
    bosc_error err;

    if (mkdtemp(folder) == NULL)
        return;
    test_refusals(folder);
    ok(rmdir(folder) == 0 && mkdir(folder, 0755) == 0,
       "a refused command leaves nothing");
    command("--class small-high --seed 5 --number 9 --count 3 -o @/some/",
            folder, &err);
    for (int k = 9; k < 12; ++k) {
        snprintf(path, sizeof path, "%s/some/synthetic-%02d.swc", folder, k);

        char *want = as_text(&what, k), *got = read_file(path);

        ok(strcmp(want, got) == 0, "file %d of a folder is neuron %d", k - 9,
           k);
        free(want);
        free(got);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/one.swc", folder);
    ok(command("--class small-high -o @/one.swc", folder, &err) == BOSC_OK &&
           command("--class small-low -o @/one.swc", folder, &err) == BOSC_OK,
       "a file can be written, and written again");
    unlink(path);
    snprintf(path, sizeof path, "%s/some", folder);
    ok(rmdir(path) == 0 && rmdir(folder) == 0, "and nothing else is left");
}

int main(void)
{
    test_command();
    test_sizes();
    test_domain();
    test_messages();
    test_looks();
    test_streams();
    test_draws();
    test_drawn_trees();
    test_ranges();
    test_committed();
    test_full_disk();
    return done_testing();
}
