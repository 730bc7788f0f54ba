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

/* Those that are used. */
static int list_set(const bosc_program *program, bosc_nm_member *members)
{
    const bosc_mechs *mechs = program->mechs;
    int n = 0;

    for (int m = 0; m < mechs->n; ++m) {
        const bosc_mech *mech = mechs->mech[m];
        const bool builtin = mech->text == NULL &&
                             mech->formula.current != NULL &&
                             (program->used >> m & 1u) != 0;

        if (builtin || is_used(program, m))
            members[n++] = member_of(program, m);
    }
    return n;
}

/* The kernel of cell blocks of a class. */
static void print_cells(FILE *out, const bosc_nm_member *members, int n,
                        int class)
{
    bosc_nm_emit_job_cells(out, members, n);
    fprintf(out,
            "#define BOSC_CELLS_JOB %d\n"
            "#include \"kernels/gpu/device/cuda_cells_run.h\"\n\n"
            "extern \"C\" __global__ void\n"
            "__launch_bounds__(cells_own::warps *LANES, cells_own::at_once)\n"
            "bosc_job_cells_%d(const __grid_constant__ bosc_cuda_step step,\n"
            "    const __grid_constant__ bosc_cuda_chip chip, int32_t first,\n"
            "    int64_t from, int64_t to,\n"
            "    const __grid_constant__ bosc_cuda_job_argument job)\n"
            "{\n"
            "    run_cell_block<cells_own::shared != 0, cells_own::warps,\n"
            "                   cells_own::far != 0>(&step, &chip, job.get(),\n"
            "                                        first, from, to);\n"
            "}\n",
            class, class);
}

/* The kernel of groups that are streamed, or of parts of their steps. */
static void print_steps(FILE *out, const bosc_program *program)
{
    const int width = (int)program->width;

    fprintf(out,
            "extern \"C\" __global__ void\n"
            "__launch_bounds__(BOSC_CUDA_WIDTH *BOSC_CUDA_WARPS)\n"
            "bosc_job_steps_%d(bosc_cuda_step s, int64_t from, int64_t to,\n"
            "    bool last, const __grid_constant__ bosc_cuda_job_argument "
            "job)\n"
            "{\n"
            "    ",
            width);
    if (width == BOSC_PROGRAM_PARTS)
        fputs("do_part(&s, job.get(), from);\n}\n", out);
    else
        fprintf(out, "do_steps<%d>(&s, job.get(), from, to, last);\n}\n",
                width);
}

static void print_text(FILE *out, const bosc_program *program, int kernel)
{
    const bosc_mechs *mechs = program->mechs;
    const bool parts = program->width == BOSC_PROGRAM_PARTS;
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
    if (kernel == 0 && !parts)
        fprintf(out, "#define BOSC_GROUP_SWEEPS %uu\n",
                (unsigned)program->sweeps);
    fprintf(out, "#include \"kernels/gpu/device/%s\"\n\n",
            parts ? "cuda_group_parts.h" : "cuda_group.h");
    if (kernel == 0)
        print_steps(out, program);
    else
        print_cells(out, members, n, kernel - 1);
}

static bosc_status make_text(const bosc_program *program, int kernel,
                             char **text, bosc_error *err)
{
    bosc_print print;
    FILE *out = bosc_print_begin(&print);

    if (out != NULL)
        print_text(out, program, kernel);
    *text = bosc_print_end(&print);
    return *text != NULL ? BOSC_OK : bosc_no_memory(err, "mechanisms");
}

/* --- the images ----------------------------------------------------------- */

/* A kernel whose image is looked for. */
typedef struct search {
    char *text;
    char key[BOSC_MODS_DIGITS];
    bosc_status st;
    bosc_error err; /* of its thread */
} search;

static bosc_status compile(const char *text, const char *target,
                           bosc_program_image *image, bosc_error *err)
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
    st = bosc_nvrtc_compile(&program, &image->bytes, &image->size, err);
    free(files);
    return st == BOSC_OK ? bosc_image_label(&image->bytes, &image->size, err)
                         : st;
}

static void make_key(search *s, const char *target)
{
    bosc_mods_hash hash = bosc_mods_hash_begin();

    bosc_mods_hash_text(&hash, bosc_image_version((bosc_image_words){0}));
    bosc_mods_hash_text(&hash, bosc_nvrtc_version((bosc_nvrtc_words){0}));
    bosc_mods_hash_text(&hash, target);
    bosc_mods_hash_text(&hash, s->text);
    bosc_mods_hash_print(hash, s->key);
}

/* Compile those that the cache has not; the first failure is told. */
static bosc_status compile_missing(search *all, const char *target,
                                   bosc_program_image *image, bosc_error *err)
{
    bosc_status st = BOSC_OK;

#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < BOSC_PROGRAM_KERNELS; ++i)
        if (all[i].text != NULL && image[i].bytes == NULL)
            all[i].st = compile(all[i].text, target, &image[i], &all[i].err);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS && st == BOSC_OK; ++i)
        if (all[i].st != BOSC_OK)
            st = bosc_fail(err, all[i].st, "%s", all[i].err.text);
    return st;
}

bosc_status bosc_program_find(const bosc_program *program, bool told,
                              bosc_program_image *image, bosc_error *err)
{
    search all[BOSC_PROGRAM_KERNELS] = {{NULL}};
    bool kept[BOSC_PROGRAM_KERNELS] = {false};
    bosc_cache cache = bosc_cache_open(told);
    bosc_status st = BOSC_OK;
    char target[32];

    snprintf(target, sizeof target, "%s_%d", program->only ? "sm" : "compute",
             program->capability);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS; ++i)
        image[i] = (bosc_program_image){NULL, 0};
    for (int i = 0; i < BOSC_PROGRAM_KERNELS && st == BOSC_OK; ++i) {
        if ((program->kernels >> i & 1u) == 0)
            continue;
        st = make_text(program, i, &all[i].text, err);
        if (st != BOSC_OK)
            break;
        make_key(&all[i], target);
        image[i].bytes = bosc_cache_read(&cache, all[i].key, &image[i].size);
        kept[i] = image[i].bytes != NULL;
    }
    if (st == BOSC_OK)
        st = compile_missing(all, target, image, err);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS; ++i) {
        if (all[i].text != NULL && all[i].st == BOSC_OK && !kept[i] &&
            image[i].bytes != NULL)
            bosc_cache_write(&cache, all[i].key, image[i].bytes, image[i].size);
        free(all[i].text);
    }
    bosc_cache_clear(&cache);
    return st;
}
