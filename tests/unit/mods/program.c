/* The step of GPUs with mechanisms of mod files in it is compiled, for those
 * that are asked for, and kept.  No GPU is needed. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/mech.h"
#include "src/base/mem.h"
#include "src/mods/mods.h"
#include "src/mods/program.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

/* NVRTC has threads that may end while the leak sanitizer, which stops all of
 * them, is looking: then it fails itself ("Tracer caught signal 11"). */
#if defined(__SANITIZE_ADDRESS__)
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}
#endif

/* Of the folder under the sources: translate, compile for this processor, load;
 * how many files there are. */
static bool load(const char *folder, size_t *files)
{
    const char *src = getenv("BOSC_SRC");
    char *path = bosc_format("%s/%s", src != NULL ? src : ".", folder);
    char *pattern = bosc_format("%s/*.mod", path);
    glob_t found = {0};
    bosc_mods mods;
    bosc_error err = {""};
    const bool good =
        bosc_mods_find(1, &path, &(bosc_mods_how){0}, &mods, &err) == BOSC_OK &&
        bosc_mods_load(&mods, test_mechs(), &err) == BOSC_OK;

    if (!good)
        diag("%s", err.text);
    *files = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    bosc_mods_clear(&mods);
    free(pattern);
    free(path);
    return good;
}

static bool contains(const unsigned char *image, size_t bytes, const char *text)
{
    const size_t n = strlen(text);

    for (size_t i = 0; i + n <= bytes; ++i)
        if (memcmp(image + i, text, n) == 0)
            return true;
    return false;
}

static const int32_t SWEEPS = 2; /* one of them */

/* Compile a kernel for those of the bits, for groups of 8 with several blocks
 * of each; what it is made for begins with 'begin'. */
static void compile(const char *what, const char *kernel,
                    const bosc_program *program, const char *begin)
{
    bosc_program_image image[BOSC_PROGRAM_KERNELS];
    bosc_program_image again[BOSC_PROGRAM_KERNELS];
    bosc_error err = {""};
    const bosc_status st = bosc_program_find(program, false, image, &err);
    int n = 0;

    if (st == BOSC_ENOSUP) {
        skip("%s: %s", what, err.text);
        return;
    }
    ok(st == BOSC_OK, "%s: compiled", what);
    if (st != BOSC_OK)
        diag("%s", err.text);
    ok(st == BOSC_OK &&
           bosc_program_find(program, false, again, &err) == BOSC_OK,
       "%s: and kept", what);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS && st == BOSC_OK; ++i) {
        const bool wanted = (program->kernels >> i & 1u) != 0;

        n += wanted == (image[i].bytes != NULL) &&
             image[i].size == again[i].size &&
             (!wanted ||
              memcmp(image[i].bytes, again[i].bytes, image[i].size) == 0);
    }
    ok(n == BOSC_PROGRAM_KERNELS, "%s: what is asked for, twice the same",
       what);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS && st == BOSC_OK; ++i) {
        if (image[i].bytes != NULL && i == 0)
            ok(contains(image[i].bytes, image[i].size, begin) &&
                   contains(image[i].bytes, image[i].size, kernel),
               "%s: has its kernel", what);
        free(image[i].bytes);
        free(again[i].bytes);
    }
}

int main(void)
{
    char cache[] = "/tmp/bosc-program-XXXXXX";
    uint64_t all = 0;
    size_t files, n = 0;
    bosc_program program = {.width = 32,
                            .kernels = 1,
                            .sweeps = SWEEPS,
                            .capability = 90,
                            .only = 1};

    if (mkdtemp(cache) == NULL || setenv("XDG_CACHE_HOME", cache, 1) != 0)
        return 1;
    if (!load("tests/science/mods", &files)) {
        skip("no C compiler here");
        return done_testing();
    }
    for (int m = 0; m < test_mechs()->n; ++m)
        if (bosc_program_needs(test_mechs()->mech[m]) &&
            test_mechs()->mech[m]->made != NULL) {
            all |= UINT64_C(1) << m;
            ++n;
        }
    ok(n == files && n > 0,
       "mechanisms of mod files need a program, ions none");
    program.mechs = test_mechs();
    program.used = all;
    compile("for one kind of GPUs", "bosc_job_steps_32", &program, "\177ELF");
    program.width = 8;
    program.multi_block = all;
    compile("for groups of 8", "bosc_job_steps_8", &program, "\177ELF");
    program.only = 0;
    compile("for later ones, too", "bosc_job_steps_8", &program,
            ".target sm_90");

    char *command = bosc_format("rm -rf '%s'", cache);

    if (command != NULL && system(command) != 0)
        diag("%s is left", cache);
    free(command);
    return done_testing();
}
