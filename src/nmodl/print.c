/* print.c - print headers of the built-in mechanisms, which are made of mod
 * files: a small program that is used while bosc is built, and not installed.
 *
 *     print builtin FILES   kernels/mech/builtin.h: formulas
 *     print cuda FILES      kernels/gpu/device/cuda_builtin.h: what GPUs call
 *     print cells FILES     kernels/gpu/device/cuda_cells_builtin.h, and
 *     print groups FILES    kernels/gpu/device/cuda_group_builtin.h: which of
 *                           these, by numbers
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/emit/emit_set.h"
#include "src/nmodl/nmodl.h"
#include "src/nmodl/report.h"

enum { MOST = 16 };

/* All of them. */
typedef struct builtin {
    int n;
    bosc_nm_result result[MOST];
} builtin;

static const bosc_nm_program *program_of(const builtin *all, int i)
{
    return all->result[i].program;
}

static bool is_stimulus(const bosc_nm_program *p)
{
    return bosc_nm_uses_of(p).stimulus;
}

/* Does it need more than v and its own states?  GPUs have no functions of it
 * but in the program of a job that uses it. */
static bool is_full(const bosc_nm_program *p)
{
    return p->form == BOSC_NM_FULL && !is_stimulus(p);
}

/* Those that have functions, as members of a set. */
static int list(const builtin *all, bosc_nm_member *members)
{
    int n = 0;

    for (int i = 0; i < all->n; ++i) {
        const bosc_nm_program *p = program_of(all, i);

        if (p->form != BOSC_NM_STATIC && !is_full(p))
            members[n++] =
                (bosc_nm_member){.name = p->m->name,
                                 .number = i,
                                 .point = p->m->kind == BOSC_NM_POINT_PROCESS,
                                 .stimulus = is_stimulus(p),
                                 .receives = p->m->receive != NULL};
    }
    return n;
}

/* --- headers -------------------------------------------------------------- */

static void print_numbers(const builtin *all)
{
    fputs("/* Their numbers. */\nenum {\n", stdout);
    for (int i = 0; i < all->n; ++i)
        printf("    BOSC_MECH_%s,\n", program_of(all, i)->m->name);
    fputs("    BOSC_N_BUILTIN_MECHS\n};\n\n"
          "/* Their descriptions, in this order. */\n"
          "#define BOSC_BUILTIN_MECHS",
          stdout);
    for (int i = 0; i < all->n; ++i)
        printf("%s \\\n    &bosc_%s", i > 0 ? "," : "",
               program_of(all, i)->m->name);
    fputs("\n\n", stdout);
}

/* Stimuli by their numbers, for the neurons on a chip. */
static void print_stimuli(const builtin *all)
{
    fputs("/* What a stimulus injects at t (ms), in nA; x[]: its parameters, "
          "then its\n * constants. */\n"
          "BOSC_HD static inline double bosc_stimulus(int mech, const double "
          "*x, double t)\n{\n"
          "    const double here[] = {0, t, 0, 0};\n"
          "    double i = 0, g, ge = 0;\n\n    switch (mech) {\n"
          "    default:\n",
          stdout);
    for (int i = 0; i < all->n; ++i)
        if (is_stimulus(program_of(all, i)))
            bosc_nm_emit_named(stdout, program_of(all, i)->m->name,
                               "    case BOSC_MECH_@:\n"
                               "        bosc_@_current(x, x + BOSC_@_PARAMS, "
                               "here, NULL, &i, &g, &ge);\n"
                               "        break;\n");
    fputs("    }\n    return ge;\n}\n\n", stdout);
}

static void print_builtin(const builtin *all)
{
    for (int i = 0; i < all->n; ++i) {
        const bosc_nm_program *p = program_of(all, i);

        if (is_full(p)) /* cuda_builtin.h has the rest of its text */
            fputs("#undef BOSC_MECH_TEXT\n"
                  "#define BOSC_MECH_TEXT \"\\n\"\n",
                  stdout);
        bosc_nm_emit_formulas(stdout, p);
        fputs(is_full(p) ? "#undef BOSC_MECH_TEXT\n"
                           "#define BOSC_MECH_TEXT NULL\n\n"
                         : "\n",
              stdout);
    }
    print_numbers(all);
    print_stimuli(all);
}

static void print_cuda(const builtin *all)
{
    for (int i = 0; i < all->n; ++i)
        bosc_nm_emit_blocks(stdout, program_of(all, i));
    fputs("#if defined(BOSC_PROGRAM)\n\n", stdout);
    for (int i = 0; i < all->n; ++i)
        if (is_full(program_of(all, i)))
            bosc_nm_emit_cuda(stdout, program_of(all, i));
    fputs("#endif\n\n", stdout);
}

static void print_cells(const builtin *all)
{
    bosc_nm_member members[MOST];

    bosc_nm_emit_cells(stdout, members, list(all, members));
}

static void print_groups(const builtin *all)
{
    bosc_nm_member members[MOST];

    bosc_nm_emit_groups(stdout, members, list(all, members));
}

static const struct {
    const char *what, *path, *is, *includes;
    void (*print)(const builtin *all);
} headers[] = {
    {"builtin", "kernels/mech/builtin.h",
     "the mechanisms that bosc brings along", "", print_builtin},
    {"cuda", "kernels/gpu/device/cuda_builtin.h",
     "the mechanisms that bosc brings along, on GPUs",
     "#include \"kernels/gpu/device/cuda_mech.h\"\n"
     "#include \"kernels/mech/builtin.h\"\n\n",
     print_cuda},
    {"cells", "kernels/gpu/device/cuda_cells_builtin.h",
     "built-in mechanisms in cell blocks, by their numbers",
     "#include \"kernels/gpu/device/cuda_builtin.h\"\n\n", print_cells},
    {"groups", "kernels/gpu/device/cuda_group_builtin.h",
     "built-in mechanisms in groups, by their numbers",
     "#include \"kernels/gpu/device/cuda_builtin.h\"\n"
     "#include \"kernels/gpu/device/cuda_group_job.h\"\n"
     "#include \"kernels/gpu/device/cuda_group_mech.h\"\n\n",
     print_groups},
};

/* Write "kernels/mech/mech.h" as BOSC_KERNELS_MECH_MECH_H. */
static const char *guard_of(const char *path, char guard[64])
{
    int n = snprintf(guard, 64, "BOSC_%s", path);

    for (int i = 0; i < n; ++i)
        guard[i] = (char)(isalnum((unsigned char)guard[i])
                              ? toupper((unsigned char)guard[i])
                              : '_');
    return guard;
}

static bool print_header(const char *what, const builtin *all)
{
    char guard[64];

    for (size_t i = 0; i < BOSC_LEN(headers); ++i) {
        const char *path = headers[i].path;

        if (strcmp(headers[i].what, what) != 0)
            continue;
        printf("/* %s - %s;\n * made of the mod files in kernels/mech when "
               "bosc is "
               "built (src/nmodl/print.c).\n */\n#ifndef %s\n#define %s\n\n%s",
               strrchr(path, '/') + 1, headers[i].is, guard_of(path, guard),
               guard, headers[i].includes);
        headers[i].print(all);
        puts("#endif");
        return fflush(stdout) == 0;
    }
    fprintf(stderr, "%s is no header\n", what);
    return false;
}

/* --- files ---------------------------------------------------------------- */

static bool read_file(const char *path, bosc_nm_result *result)
{
    bosc_error err;

    if (bosc_nm_translate_file(path, result, &err) != BOSC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    if (!result->accepted) {
        bosc_nm_report(stderr, path, &result->problems, result->mechanism,
                       BOSC_NM_BRIEF);
        return false;
    }
    if (is_full(result->program) &&
        result->program->m->kind != BOSC_NM_POINT_PROCESS) {
        fprintf(stderr,
                "%s: what is built in follows v and its own states alone, or "
                "is a point process\n",
                path);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    builtin all = {.n = 0};
    bool good = argc > 2 && argc - 2 <= MOST;

    for (int i = 2; i < argc && good; ++i)
        good = read_file(argv[i], &all.result[all.n++]);
    good = good && print_header(argv[1], &all);
    for (int i = 0; i < all.n; ++i)
        bosc_nm_result_clear(&all.result[i]);
    return good ? 0 : 1;
}
