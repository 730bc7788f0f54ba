/* print.c - print the built-in mechanisms (kernels/mech/builtin.h), which are
 * made of mod files: a small program that is used while bosc is built, and not
 * installed. */
#include <stdio.h>
#include <stdlib.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "src/nmodl/report.h"

/* Of the mechanism of a file: its text, and a line of the list of all. */
static bool print_file(const char *path, FILE *list)
{
    bosc_nm_result result;
    bosc_error err;
    bool accepted;

    if (bosc_nm_translate_file(path, &result, &err) != BOSC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    accepted = result.accepted;
    if (accepted) {
        const bosc_nm_program *p = result.program;

        bosc_nm_emit(stdout, p);
        fputs("\n", stdout);
        fprintf(list, " X(%s, %s)", p->m->name,
                p->form == BOSC_NM_STATIC ? "STATIC"
                : p->m->receive == NULL   ? "LOOPS"
                                          : "POINT");
    } else {
        bosc_nm_report(stderr, path, &result.problems, result.mechanism,
                       BOSC_NM_BRIEF);
    }
    bosc_nm_result_clear(&result);
    return accepted;
}

int main(int argc, char **argv)
{
    char *text = NULL;
    size_t bytes;
    FILE *list = open_memstream(&text, &bytes);
    bool good = list != NULL;

    puts("/* builtin.h - the mechanisms that bosc brings along, made of their "
         "mod files\n * beside this one when bosc is built. */\n"
         "#ifndef BOSC_KERNELS_MECH_BUILTIN_H\n"
         "#define BOSC_KERNELS_MECH_BUILTIN_H\n");
    for (int i = 1; i < argc && good; ++i)
        good = print_file(argv[i], list);
    if (list != NULL && fclose(list) == 0)
        printf("/* X(name, kind): STATIC has no loops, LOOPS has, POINT "
               "receives events, too. */\n"
               "#define BOSC_BUILTIN_MECHS(X)%s\n\n"
               "/* Their numbers. */\n"
               "#define BOSC_BUILTIN_NUMBER(name, kind) BOSC_MECH_##name,\n"
               "enum { BOSC_BUILTIN_MECHS(BOSC_BUILTIN_NUMBER) "
               "BOSC_N_BUILTIN_MECHS };\n"
               "#undef BOSC_BUILTIN_NUMBER\n\n#endif\n",
               text);
    free(text);
    return good && fflush(stdout) == 0 ? 0 : 1;
}
