#include "src/mods/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/nvrtc.h"
#include "src/base/mem.h"
#include "src/mods/cache.h"
#include "src/mods/hash.h"
#include "src/mods/headers.h"
#include "src/mods/image.h"
#include "src/nmodl/emit/emit_set.h"
#include "src/text/print.h"

int bosc_program_needs(const bosc_mech *mech)
{
    return mech->text != NULL && bosc_mech_has_block(mech);
}

/* --- the text ------------------------------------------------------------- */

static bool is_used(const bosc_program *program, int m)
{
    return (program->used >> m & 1u) != 0 &&
           bosc_program_needs(program->mechs->mech[m]);
}

/* Mechanism m of the set, for the functions of all. */
static bosc_nm_member member_of(const bosc_program *program, int m)
{
    const bosc_mech *mech = program->mechs->mech[m];

    return (bosc_nm_member){
        .name = mech->symbol,
        .number = m,
        .own = mech->text != NULL,
        .builtin = mech->made == NULL,
        .replaces = mech->text != NULL && mech->kind == BOSC_MECH_DENSITY &&
                    strcmp(mech->symbol, mech->name) != 0,
        .point = mech->kind == BOSC_MECH_POINT,
        .stimulus = mech->stimulus && mech->text == NULL,
        .full = bosc_mech_is_own(mech) && mech->text != NULL,
        .flows = mech->flows,
        .evolves = mech->evolves,
        .receives = mech->formula.receive != NULL,
        .watches = mech->formula.watch != NULL,
        .multi_block = (program->multi_block >> m & 1u) != 0};
}

/* Those that are built in, and those of the job that are used. */
static int list_set(const bosc_program *program, bosc_nm_member *members)
{
    const bosc_mechs *mechs = program->mechs;
    int n = 0;

    for (int m = 0; m < mechs->n; ++m) {
        const bosc_mech *mech = mechs->mech[m];
        const bool builtin =
            mech->text == NULL && mech->formula.current != NULL;

        if (builtin || is_used(program, m))
            members[n++] = member_of(program, m);
    }
    return n;
}

/* The kernels of cell blocks, too. */
static void print_cells(FILE *out, const bosc_nm_member *members, int n)
{
    bosc_nm_emit_job_cells(out, members, n);
    fputs("#define BOSC_CELLS_JOB\n"
          "#include \"kernels/gpu/device/cuda_cells_run.h\"\n",
          out);
}

static void print_text(FILE *out, const bosc_program *program)
{
    const bosc_mechs *mechs = program->mechs;
    const int width = (int)program->width;
    const bool parts = width == BOSC_PROGRAM_PARTS;
    bosc_nm_member members[BOSC_MAX_MECHS];
    const int n = list_set(program, members);

    fputs("#define BOSC_PROGRAM\n", out); /* for kernels/mech/relax.h */
    for (int m = 0; m < mechs->n; ++m)
        if (is_used(program, m)) /* the first line may name a user's file */
            fputs(strchr(mechs->mech[m]->text, '\n'), out);
    fputs("#include \"kernels/gpu/device/cuda_builtin.h\"\n"
          "#include \"kernels/gpu/device/cuda_group_job.h\"\n"
          "#include \"kernels/gpu/device/cuda_group_mech.h\"\n\n",
          out);
    bosc_nm_emit_groups(out, members, n);
    fprintf(
        out,
        "#include \"kernels/gpu/device/%s\"\n\n"
        "extern \"C\" __global__ void\n"
        "__launch_bounds__(BOSC_CUDA_WIDTH *BOSC_CUDA_WARPS)\n"
        "bosc_job_steps_%d(bosc_cuda_step s, int64_t from, int64_t to,\n"
        "    bool last, const __grid_constant__ bosc_cuda_job_argument job)\n"
        "{\n"
        "    ",
        parts ? "cuda_group_parts.h" : "cuda_group.h", width);
    if (parts)
        fputs("do_part(&s, job.get(), from);\n}\n", out);
    else
        fprintf(out, "do_steps<%d>(&s, job.get(), from, to, last);\n}\n",
                width);
    if (program->cells)
        print_cells(out, members, n);
}

static bosc_status make_text(const bosc_program *program, char **text,
                             bosc_error *err)
{
    bosc_print print;
    FILE *out = bosc_print_begin(&print);

    if (out != NULL)
        print_text(out, program);
    *text = bosc_print_end(&print);
    return *text != NULL ? BOSC_OK : bosc_no_memory(err, "mechanisms");
}

/* --- the image ------------------------------------------------------------ */

static bosc_status compile(const char *text, const char *target,
                           unsigned char **image, size_t *bytes,
                           bosc_error *err)
{
    int n;
    const bosc_mods_header *headers = bosc_mods_headers(&n);
    bosc_nvrtc_file *files = bosc_alloc((size_t)n, sizeof *files);
    const bosc_nvrtc_program program = {text, (size_t)n, files, target};
    bosc_status st;

    if (files == NULL)
        return bosc_no_memory(err, "mechanisms");
    for (int i = 0; i < n; ++i)
        files[i] = (bosc_nvrtc_file){headers[i].path, headers[i].text};
    st = bosc_nvrtc_compile(&program, image, bytes, err);
    free(files);
    return st == BOSC_OK ? bosc_image_label(image, bytes, err) : st;
}

static const char *key_of(const char *text, const char *target,
                          char digits[BOSC_MODS_DIGITS])
{
    bosc_mods_hash hash = bosc_mods_hash_begin();

    bosc_mods_hash_text(&hash, bosc_image_version((bosc_image_words){0}));
    bosc_mods_hash_text(&hash, target);
    bosc_mods_hash_text(&hash, text);
    return bosc_mods_hash_print(hash, digits);
}

bosc_status bosc_program_find(const bosc_program *program, bool told,
                              unsigned char **image, size_t *bytes,
                              bosc_error *err)
{
    char target[32], *text = NULL, digits[BOSC_MODS_DIGITS];
    bosc_status st = make_text(program, &text, err);
    bosc_cache cache;

    *image = NULL;
    if (st != BOSC_OK)
        return st;
    snprintf(target, sizeof target, "%s_%d", program->only ? "sm" : "compute",
             program->capability);
    cache = bosc_cache_open(told);
    const char *key = key_of(text, target, digits);

    *image = bosc_cache_read(&cache, key, bytes);
    if (*image == NULL) {
        st = compile(text, target, image, bytes, err);
        if (st == BOSC_OK)
            bosc_cache_write(&cache, key, *image, *bytes);
    }
    bosc_cache_clear(&cache);
    free(text);
    return st;
}
