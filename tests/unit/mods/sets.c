/* Sets of mechanisms in one process: each has its own images, ions and
 * refusals, and leaves nothing behind, in any order and from several threads.
 */
#include "config.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mech/ion.h"
#include "src/base/mem.h"
#include "src/mods/mods.h"
#include "tests/lib/tap.h"

static char folder[] = "/tmp/bosc-sets-XXXXXX";

/* A mechanism whose conductance is g times the square of 'factor' at first, and
 * that uses an ion of that valence. */
static const char text[] =
    "NEURON { SUFFIX %s USEION mg READ emg WRITE img VALENCE %d RANGE g }\n"
    "PARAMETER { g = 0.25 (S/cm2) }\n"
    "ASSIGNED { v (mV) emg (mV) img (mA/cm2) }\n"
    "STATE { s }\n"
    "INITIAL { s = %d }\n"
    "BREAKPOINT { SOLVE grow METHOD cnexp img = %d * g * s * (v - emg) }\n"
    "DERIVATIVE grow { s' = (1 - s) / 3 }\n";

/* The image of a mechanism of that name and factor, with a comment before. */
static bosc_status build_after(const char *before, const char *name, int factor,
                               bosc_mods *mods, bosc_error *err)
{
    char *path = bosc_format("%s/%s-%d.mod", folder, name, factor);
    FILE *file = fopen(path, "w");
    bosc_status st = BOSC_EIO;

    if (file != NULL) {
        fputs(before, file);
        fprintf(file, text, name, factor, factor, factor);
        fclose(file);
        st = bosc_mods_build(1, &path, false, mods, err);
    }
    free(path);
    return st;
}

static bosc_status build(const char *name, int factor, bosc_mods *mods,
                         bosc_error *err)
{
    return build_after("", name, factor, mods, err);
}

static bosc_mechs *load(const bosc_mods *mods)
{
    bosc_mechs *mechs = NULL;
    bosc_error err = {""};

    if (bosc_mechs_create(&mechs, &err) == BOSC_OK &&
        bosc_mods_load(mods, mechs, &err) == BOSC_OK &&
        bosc_mechs_refuse(mechs, "other", mods->image[0].name, &err) == BOSC_OK)
        return mechs;
    fprintf(stderr, "%s\n", err.text);
    bosc_mechs_destroy(mechs);
    return NULL;
}

/* The conductance by its own formulas; 0: it is not there. */
static double conductance(const bosc_mechs *mechs, const char *name)
{
    static const bosc_mech_instance zero;
    const int m = mechs != NULL ? bosc_mechs_find(mechs, name) : -1;
    bosc_mech_instance one = zero;
    double g = 0, ge = 0;

    if (m < 0)
        return 0;
    one.p[0] = mechs->mech[m]->params[0].standard;
    mechs->mech[m]->formula.prepare(one.p, 6.3, 0.025, one.k);
    mechs->mech[m]->formula.init(&one);
    mechs->mech[m]->formula.current(&one, &g, &ge);
    return g;
}

/* Mappings of images, and open descriptors. */
static int n_held(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    DIR *open = opendir("/proc/self/fd");
    char line[400];
    int n = 0;

    while (fgets(line, sizeof line, maps) != NULL)
        n += strstr(line, "bosc-mechanisms") != NULL;
    while (readdir(open) != NULL)
        ++n;
    fclose(maps);
    closedir(open);
    return n;
}

/* --- two at once ---------------------------------------------------------- */

static void test_two(const bosc_mods *once, const bosc_mods *twice, int first)
{
    const int before = n_held();
    bosc_mechs *sets[] = {load(once), load(twice), load(once)};
    const int n = sets[0] != NULL ? sets[0]->n : 0;

    if (!ok(sets[0] != NULL && sets[1] != NULL && sets[2] != NULL,
            "three sets load two images"))
        return;
    ok(conductance(sets[0], "same") == 0.25 &&
           conductance(sets[1], "same") == 1 &&
           conductance(sets[2], "same") == 0.25,
       "mechanisms of one name have the formulas of their set");
    ok(sets[0]->mech[n - 1] != sets[1]->mech[n - 1] &&
           sets[0]->mech[n - 1] != sets[2]->mech[n - 1] &&
           sets[0]->mech[bosc_ion_find(sets[0], "mg")] !=
               sets[1]->mech[bosc_ion_find(sets[1], "mg")],
       "none is shared, also of one image");
    bosc_mechs_destroy(sets[first]);
    ok(conductance(sets[1 - first], "same") == (first == 0 ? 1 : 0.25) &&
           conductance(sets[2], "same") == 0.25 &&
           bosc_mechs_refused(sets[1 - first], "other") != NULL,
       "the others go on when set %d is gone", first);
    bosc_mechs_destroy(sets[2]);
    bosc_mechs_destroy(sets[1 - first]);
    ok(n_held() == before, "in the end nothing is loaded, nothing open");
}

/* Two images in one set. */
static void test_one(const bosc_mods *same, const bosc_mods *other)
{
    bosc_mechs *mechs = load(same);
    bosc_error err = {""};

    ok(mechs != NULL && bosc_mods_load(other, mechs, &err) == BOSC_OK &&
           conductance(mechs, "same") == 0.25 &&
           conductance(mechs, "other") == 0.25,
       "a set has the mechanisms of two images");
    ok(mechs != NULL && bosc_mods_load(same, mechs, &err) == BOSC_EVALUE &&
           strstr(err.text, "same already") != NULL,
       "but each name once");
    bosc_mechs_destroy(mechs);
}

/* --- many ----------------------------------------------------------------- */

enum { TIMES = 100 };

/* What a thread does, and how often it went wrong. */
typedef struct loader {
    const bosc_mods *mods;
    double want;
    int wrong;
} loader;

static void *load_often(void *of)
{
    loader *l = of;

    for (int i = 0; i < TIMES; ++i) {
        bosc_mechs *mechs = load(l->mods);

        l->wrong += conductance(mechs, "same") != l->want;
        bosc_mechs_destroy(mechs);
    }
    return NULL;
}

/* Pages of the process that hold data. */
static long n_pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long n = 0;

    if (fscanf(file, "%*d %*d %*d %*d %*d %ld", &n) != 1)
        n = -1;
    fclose(file);
    return n;
}

/* Is the mechanism "same" of both known by the same checksum? */
static bool is_made_alike(const bosc_mods *one, const bosc_mods *other)
{
    const bosc_mods *of[] = {one, other};
    char made[2][64] = {"", ""};

    for (int i = 0; i < 2; ++i) {
        bosc_mechs *mechs = load(of[i]);
        const int m = mechs == NULL ? -1 : bosc_mechs_find(mechs, "same");

        if (m >= 0)
            snprintf(made[i], sizeof made[i], "%s", mechs->mech[m]->made);
        bosc_mechs_destroy(mechs);
    }
    return made[0][0] != '\0' && strcmp(made[0], made[1]) == 0;
}

static void test_made(const bosc_mods *mods, const bosc_mods *others)
{
    bosc_mods later;
    bosc_error err = {""};

    ok(build_after(": a comment\n", "same", 1, &later, &err) == BOSC_OK &&
           is_made_alike(mods, &later),
       "a comment more in the file is the same mechanism");
    bosc_mods_clear(&later);
    ok(!is_made_alike(mods, others), "another formula is another one");
}

static void test_growth(const bosc_mods *mods)
{
    const int before = n_held();
    loader l = {mods, 0.25, 0};

    load_often(&l);

    const long pages = n_pages();

    (void)pages;
    load_often(&l);
    ok(l.wrong == 0, "a set is made and destroyed %d times", 2 * TIMES);
    ok(n_held() == before, "and leaves nothing");
#ifdef __SANITIZE_ADDRESS__
    skip("without growth: the address sanitizer keeps what is freed");
#else
    ok(n_pages() < pages + 32, "without growth (of %ld pages by %ld)", pages,
       n_pages() - pages);
#endif
}

static void test_threads(const bosc_mods *once, const bosc_mods *twice)
{
    enum { THREADS = 4 };
    const int before = n_held();
    pthread_t thread[THREADS];
    loader l[THREADS];
    int started = 0, wrong = 0;

    for (int i = 0; i < THREADS; ++i) {
        l[i] = i % 2 == 0 ? (loader){once, 0.25, 0} : (loader){twice, 1, 0};
        started += pthread_create(&thread[i], NULL, load_often, &l[i]) == 0;
    }
    for (int i = 0; i < started; ++i) {
        pthread_join(thread[i], NULL);
        wrong += l[i].wrong;
    }
    ok(started == THREADS && wrong == 0,
       "%d threads load and destroy, each its own", THREADS);
    ok(n_held() == before, "and leave nothing");
}

int main(void)
{
    bosc_mods once = {0}, twice = {0}, other = {0};
    bosc_error err = {""};

    if (mkdtemp(folder) == NULL)
        return 1;

    bosc_status st = build("same", 1, &once, &err);

    if (st == BOSC_OK)
        st = build("same", 2, &twice, &err);
    if (st == BOSC_OK)
        st = build("other", 1, &other, &err);
    if (st == BOSC_ENOSUP) {
        skip("no C compiler here");
    } else if (ok(st == BOSC_OK, "three images are built %s", err.text)) {
        test_two(&once, &twice, 0);
        test_two(&once, &twice, 1);
        test_one(&once, &other);
        test_made(&once, &twice);
        test_growth(&once);
        test_threads(&once, &twice);
    }
    bosc_mods_clear(&once);
    bosc_mods_clear(&twice);
    bosc_mods_clear(&other);

    char *clean = bosc_format("rm -rf '%s'", folder);

    if (system(clean) != 0)
        diag("%s is left", folder);
    free(clean);
    return done_testing();
}
