#include "src/mods/mods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/isa.h"
#include "kernels/mech/ion.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/mods/cache.h"
#include "src/mods/compile.h"
#include "src/mods/hash.h"
#include "src/mods/image.h"
#include "src/mods/own_file.h"
#include "src/mods/translate.h"

/* --- building ------------------------------------------------------------- */

/* Compile, and take each object, labelled, into an image. */
static bosc_status compile(const bosc_mods_texts *texts, bool apart,
                           const bosc_mods_how *how, bosc_mods_image *const *to,
                           bosc_error *err)
{
    const int n = apart ? texts->n : 1;
    bosc_mods_object *made = bosc_alloc((size_t)n, sizeof *made);
    bosc_status st = made == NULL
                         ? bosc_no_memory(err, "mechanisms")
                         : bosc_mods_compile(texts, apart, how, made, err);

    for (int i = 0; made != NULL && i < n; ++i) {
        to[i]->bytes = made[i].bytes;
        to[i]->size = made[i].size;
        if (st == BOSC_OK)
            st = bosc_image_label(&to[i]->bytes, &to[i]->size, err);
    }
    free(made);
    return st;
}

static bosc_status name_image(const char *name, bosc_mods_image *image,
                              bosc_error *err)
{
    image->name = bosc_strdup(name);
    return image->name == NULL ? bosc_no_memory(err, name) : BOSC_OK;
}

/* What was refused goes to who tells of it. */
static void pass_on(bosc_mods_texts *texts, bosc_mods *mods)
{
    mods->refused = texts->refused;
    texts->refused = NULL;
}

bosc_status bosc_mods_build(int n, char *const *paths, bool shown,
                            bosc_mods *mods, bosc_error *err)
{
    bosc_mods_texts texts;
    bosc_status st = bosc_mods_translate(n, paths, NULL, &texts, err);

    *mods = (bosc_mods){.n = 1};
    mods->image = bosc_alloc(1, sizeof *mods->image);
    if (mods->image == NULL)
        st = bosc_no_memory(err, "mechanisms");
    pass_on(&texts, mods);
    if (st == BOSC_OK)
        st = name_image(paths[0], mods->image, err);
    if (st == BOSC_OK)
        st = compile(&texts, false, &(bosc_mods_how){.shown = shown},
                     &mods->image, err);
    bosc_mods_texts_clear(&texts);
    return st;
}

/* The text holds all of the mod file and of the translator. */
static const char *key_of(const bosc_mods_text *text, const bosc_mods_how *how,
                          char digits[BOSC_MODS_DIGITS])
{
    bosc_mods_hash hash = bosc_mods_hash_begin();

    bosc_mods_hash_text(&hash, bosc_image_version((bosc_image_words){0}));
    bosc_mods_hash_text(&hash, bosc_mods_compiler());
    bosc_mods_hash_text(&hash, bosc_mods_compile_flags((bosc_mods_flags){0}));
    bosc_mods_hash_add(&hash, &how->isas, sizeof how->isas);
    bosc_mods_hash_text(&hash, strchr(text->text, '\n'));
    return bosc_mods_hash_print(hash, digits);
}

/* Compile those that the cache has not, and leave them there. */
static bosc_status build_missing(const bosc_cache *cache,
                                 const bosc_mods_texts *missing,
                                 bosc_mods_image *const *to,
                                 const bosc_mods_how *how, bosc_mods *mods,
                                 bosc_error *err)
{
    const double began = bosc_now();
    const bosc_status st = compile(missing, true, how, to, err);
    char digits[BOSC_MODS_DIGITS];

    for (int i = 0; i < missing->n && st == BOSC_OK; ++i)
        bosc_cache_write(cache, key_of(&missing->text[i], how, digits),
                         to[i]->bytes, to[i]->size);
    mods->n_built = missing->n;
    mods->seconds = bosc_now() - began;
    return st;
}

/* An image for each text: from the cache, or built. */
static bosc_status find_built(const bosc_mods_texts *texts,
                              const bosc_mods_how *how, bosc_mods *mods,
                              bosc_error *err)
{
    bosc_cache cache = bosc_cache_open(how->told);
    bosc_mods_texts missing = {.n = 0};
    bosc_mods_image **to = NULL;
    char digits[BOSC_MODS_DIGITS];
    bosc_status st =
        BOSC_ALLOC(err, "mechanisms", BOSC_ARRAY(missing.text, texts->n),
                   BOSC_ARRAY(to, texts->n));

    for (int i = 0; i < texts->n && st == BOSC_OK; ++i) {
        bosc_mods_image *image = &mods->image[mods->n++];

        st = name_image(texts->text[i].file, image, err);
        image->bytes = bosc_cache_read(
            &cache, key_of(&texts->text[i], how, digits), &image->size);
        if (image->bytes == NULL) {
            missing.text[missing.n] = texts->text[i];
            to[missing.n++] = image;
        }
    }
    if (st == BOSC_OK && missing.n > 0)
        st = build_missing(&cache, &missing, to, how, mods, err);
    bosc_cache_clear(&cache);
    free(missing.text);
    free(to);
    return st;
}

/* --- finding -------------------------------------------------------------- */

static bool is_image(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && strcmp(dot, ".bmod") == 0;
}

static bosc_status read_image(const char *path, bosc_mods_image *image,
                              bosc_error *err)
{
    bosc_status st = name_image(path, image, err);
    bosc_error why;

    if (st != BOSC_OK)
        return st;
    st = bosc_own_file_read(path, &image->bytes, &image->size, &why);
    if (st == BOSC_EVALUE)
        return bosc_fail(err, st,
                         "%s; build it with 'bosc mods build' in a folder that "
                         "you alone can write (chmod go-w), or copy it there "
                         "if you trust them",
                         why.text);
    if (st != BOSC_OK)
        return bosc_fail(err, st, "%s", why.text);
    return bosc_image_check(path, image->bytes, image->size, err);
}

bosc_status bosc_mods_find(int n, char *const *paths, const bosc_mods_how *how,
                           bosc_mods *mods, bosc_error *err)
{
    char **sources = bosc_alloc((size_t)n, sizeof *sources);
    bosc_mods_texts texts = {.n = 0};
    int n_sources = 0;
    bosc_status st = BOSC_OK;

    *mods = (bosc_mods){.n = 0};
    mods->image = bosc_alloc((size_t)n + 1, sizeof *mods->image);
    if (sources == NULL || mods->image == NULL)
        st = bosc_no_memory(err, "mechanisms");
    for (int i = 0; i < n && st == BOSC_OK; ++i)
        if (is_image(paths[i]))
            st = read_image(paths[i], &mods->image[mods->n++], err);
        else
            sources[n_sources++] = paths[i];
    if (st == BOSC_OK)
        st =
            bosc_mods_translate(n_sources, sources, how->recorded, &texts, err);
    if (st == BOSC_OK && texts.n > 0) {
        size_t room = (size_t)n + 1;

        /* found so far, and one of each text */
        if (!bosc_grow(&mods->image, &room, (size_t)(mods->n + texts.n),
                       sizeof *mods->image))
            st = bosc_no_memory(err, "mechanisms");
        for (int i = 0; st == BOSC_OK && i < texts.n; ++i)
            mods->image[mods->n + i] = (bosc_mods_image){.name = NULL};
    }
    if (st == BOSC_OK && texts.n > 0)
        st = find_built(&texts, how, mods, err);
    pass_on(&texts, mods);
    bosc_mods_texts_clear(&texts);
    free(sources);
    return st;
}

void bosc_mods_clear(bosc_mods *mods)
{
    for (int i = 0; mods->image != NULL && i < mods->n; ++i) {
        free(mods->image[i].name);
        free(mods->image[i].bytes);
    }
    free(mods->image);
    free(mods->refused);
    *mods = (bosc_mods){.n = 0};
}

/* --- loading -------------------------------------------------------------- */

/* Those that write concentrations first, then by name, whatever the order of
 * folders and files: it is that of sums. */
static int by_order(const void *a, const void *b)
{
    const bosc_mech *x = *(const bosc_mech *const *)a;
    const bosc_mech *y = *(const bosc_mech *const *)b;
    const bool first = bosc_ion_is_written(x, NULL);

    if (first != bosc_ion_is_written(y, NULL))
        return first ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Those that say the valence first: others may leave it to them. */
static bosc_status add_ions(size_t n, const bosc_mech *const *all,
                            bosc_mechs *mechs, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int pass = 0; pass < 2; ++pass)
        for (size_t i = 0; i < n; ++i)
            for (int j = 0; j < all[i]->n_ions && st == BOSC_OK; ++j) {
                const bosc_mech_ion *use = &all[i]->ions[j];

                if (isnan(use->valence) == (pass == 1))
                    st = bosc_ion_add(mechs, use->ion, use->valence, err);
            }
    return st;
}

/* Has it code for what this process uses? */
static bosc_status check_isa(const char *file, const bosc_mech *mech,
                             bosc_error *err)
{
    const int isa = bosc_isa();

    if (mech->formula.current == NULL || isa < 0 || mech->loops[isa] != NULL)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOSUP,
                     "%s: mechanism %s is not built for the vectors that this "
                     "process uses; is BOSC_ISA the same on all ranks?",
                     file, mech->name);
}

static bosc_status load_all(const bosc_mods *mods, bosc_mechs *mechs,
                            const bosc_mech ***all, size_t *n, bosc_error *err)
{
    size_t capacity = 0;
    bosc_status st = BOSC_OK;

    for (int i = 0; i < mods->n && st == BOSC_OK; ++i) {
        const bosc_mods_image *image = &mods->image[i];
        const bosc_mech_object *object;

        st = bosc_image_load(image->name, image->bytes, image->size, mechs,
                             &object, err);
        if (st == BOSC_OK &&
            !bosc_grow(all, &capacity, *n + (size_t)object->n, sizeof **all))
            st = bosc_no_memory(err, "mechanisms");
        for (int m = 0; st == BOSC_OK && m < object->n; ++m) {
            const bosc_mech *mech = object->mech[m];

            st = check_isa(image->name, mech, err);
            if (strcmp(mech->symbol, mech->name) == 0)
                (*all)[(*n)++] = mech;
            else /* as it is built in, but with what is recorded */
                bosc_mechs_replace(mechs, mech);
        }
    }
    return st;
}

/* Tell the set of those that cannot be had, line by line. */
static bosc_status add_refused(const char *lines, bosc_mechs *mechs,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    while (lines != NULL && *lines != '\0' && st == BOSC_OK) {
        const size_t n = strcspn(lines, "\t"), all = strcspn(lines, "\n");
        char *name = bosc_format("%.*s", (int)n, lines);
        char *why = bosc_format("%.*s", (int)(all - n - 1), lines + n + 1);

        st = name == NULL || why == NULL
                 ? bosc_no_memory(err, "mechanisms")
                 : bosc_mechs_refuse(mechs, name, why, err);
        free(name);
        free(why);
        lines += all + (lines[all] == '\n');
    }
    return st;
}

bosc_status bosc_mods_load(const bosc_mods *mods, bosc_mechs *mechs,
                           bosc_error *err)
{
    const bosc_mech **all = NULL;
    size_t n = 0;
    bosc_status st = load_all(mods, mechs, &all, &n, err);

    if (st == BOSC_OK && n > 1)
        qsort(all, n, sizeof *all, by_order);
    if (st == BOSC_OK)
        st = add_ions(n, all, mechs, err);
    for (size_t i = 0; i < n && st == BOSC_OK; ++i)
        st = bosc_mechs_add(mechs, all[i], err);
    if (st == BOSC_OK)
        st = add_refused(mods->refused, mechs, err);
    free(all);
    return st;
}
