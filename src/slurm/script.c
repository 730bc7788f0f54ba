#include "config.h"

#include "src/slurm/script.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/slurm/duration.h"

/* The text that is that of every script begins with this line. */
static const char mark[] = "# From here on the text is that of every script";

__asm__(".section .rodata\n"
        ".global bosc_script_text\n"
        "bosc_script_text:\n"
        ".incbin \"jobs/bosc.sbatch\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char bosc_script_text[];

/* A value in an #SBATCH line: in quotes where it is not a plain word. */
static void put_value(FILE *file, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=.,:/%@[]^*";

    if (value[strspn(value, plain)] == '\0') {
        fputs(value, file);
        return;
    }
    putc('"', file);
    for (; *value != '\0'; ++value)
        fprintf(file, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    putc('"', file);
}

static void put_text(FILE *file, const char *option, const char *value)
{
    if (value == NULL)
        return;
    fprintf(file, "#SBATCH --%s=", option);
    put_value(file, value);
    putc('\n', file);
}

static void put_number(FILE *file, const char *option, int32_t value)
{
    if (value > 0)
        fprintf(file, "#SBATCH --%s=%d\n", option, (int)value);
}

/* Each line of a text, with something before it. */
static void put_lines(FILE *file, const char *before, const char *lines)
{
    for (size_t n; lines != NULL && *lines != '\0';
         lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        fprintf(file, "%s%.*s\n", before, (int)n, lines);
    }
}

/* Each line is an option, "--qos=long"; what is behind '=' may have blanks. */
static void put_options(FILE *file, const char *lines)
{
    for (size_t n; lines != NULL && *lines != '\0';
         lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");

        char *line = bosc_format("%.*s", (int)n, lines);
        char *value = line != NULL ? strchr(line, '=') : NULL;

        if (value == NULL || value[1] == '"' || value[1] == '\'') {
            fprintf(file, "#SBATCH %.*s\n", (int)n, lines);
        } else {
            *value = '\0';
            fprintf(file, "#SBATCH %s=", line);
            put_value(file, value + 1);
            putc('\n', file);
        }
        free(line);
    }
}

void bosc_script_print_header(FILE *file, const bosc_script_header *h,
                              const bosc_site *site)
{
    char limit[40];

    put_text(file, "job-name", h->name);
    put_text(file, "output", h->log);
    put_text(file, "array", h->array);
    put_text(file, "dependency", h->dependency);
    if (h->dependency != NULL) /* else it waits for ever */
        fputs("#SBATCH --kill-on-invalid-dep=yes\n", file);
    put_number(file, "nodes", h->nodes);
    put_number(file, "ntasks", h->ranks);
    put_number(file, "ntasks-per-node", h->per_node);
    put_number(file, "cpus-per-task", h->threads);
    put_number(file, "gpus-per-node", h->gpus);
    if (h->rank_memory > 0)
        fprintf(file, "#SBATCH --mem-per-cpu=%.0fM\n",
                ceil(h->rank_memory / h->threads / (1 << 20)));
    put_text(file, "time", bosc_duration_show(h->seconds, limit));
    if (h->warning > 0)
        fprintf(file,
                "#SBATCH --signal=B:USR1@%.0f\n"
                "#SBATCH --requeue\n"
                "#SBATCH --open-mode=append\n",
                h->warning);
    put_text(file, "partition", h->partition);
    put_text(file, "account", h->account);
    put_options(file, site->sbatch);
}

bosc_status bosc_script_check(const bosc_script_header *h, const char *output,
                              bosc_error *err)
{
    const char *const values[][2] = {
        {"the name of the result (--output)", output},
        {"the name of the job (--name)", h->name},
        {"the partition (--partition)", h->partition},
        {"the account (--account)", h->account}};

    for (size_t i = 0; i < BOSC_LEN(values); ++i) {
        const char *value = values[i][1];
        int n = 0;

        while (value != NULL && value[n] != '\0' &&
               !iscntrl((int)value[n] & 255))
            ++n;
        if (value != NULL && (n == 0 || value[n] != '\0'))
            return bosc_fail(err, BOSC_EUSAGE,
                             value[n] == '\0'
                                 ? "%s is empty; write one%.*s"
                                 : "%s has a line break, tab or other control "
                                   "character behind '%.*s'; choose another",
                             values[i][0], n, value);
    }
    return BOSC_OK;
}

/* A word of a shell command. */
static void put_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=.,:/%@^";

    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, file);
        return;
    }
    putc('\'', file);
    for (; *word != '\0'; ++word)
        fputs(*word == '\'' ? "'\\''" : (char[2]){*word}, file);
    putc('\'', file);
}

static void put_words(FILE *file, int n, const char *const *words)
{
    for (int i = 0; i < n; ++i) {
        putc(' ', file);
        put_word(file, words[i]);
    }
    putc('\n', file);
}

/* Load modules, and stop at the first that cannot be: bosc would run without
 * the libraries it was built with, or not at all. */
static void put_modules(FILE *file, const char *lines)
{
    for (size_t n; lines != NULL && *lines != '\0';
         lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        fprintf(file,
                "module load %.*s || { echo \"bosc.sbatch: cannot load module "
                "%.*s; see 'module avail', and 'modules' of site.yaml\" >&2; "
                "exit 2; }\n",
                (int)n, lines, (int)n, lines);
    }
}

static void put_begin(FILE *file, const bosc_script_header *h,
                      const bosc_site *site)
{
    fputs("#!/bin/bash\n# Written by 'bosc submit', " PACKAGE_STRING ".\n",
          file);
    put_lines(file, "# ", h->about);
    fputs("#\n", file);
    bosc_script_print_header(file, h, site);
    putc('\n', file);
    put_modules(file, site->modules);
    put_lines(file, "", site->commands);
}

void bosc_script_print(FILE *file, const bosc_script_header *header,
                       const bosc_site *site, const char *program, int n,
                       const char *const *words)
{
    const char *body = strstr(bosc_script_text, mark);

    put_begin(file, header, site);
    fputs("BOSC=${BOSC:-", file);
    put_word(file, program);
    fputs("}\n", file);
    if (site->launcher != NULL) {
        fputs("BOSC_LAUNCHER=${BOSC_LAUNCHER:-", file);
        put_word(file, site->launcher);
        fputs("}\n", file);
    }
    fputs("set --", file);
    put_words(file, n, words);
    if (header->array != NULL)
        fputs("set -- \"$@\" --group \"$SLURM_ARRAY_TASK_ID\"\n", file);
    putc('\n', file);
    fputs(body != NULL ? body : bosc_script_text, file);
}

void bosc_script_print_command(FILE *file, const bosc_script_header *header,
                               const bosc_site *site, const char *program,
                               int n, const char *const *words)
{
    put_begin(file, header, site);
    fputs("exec ", file);
    put_word(file, program);
    put_words(file, n, words);
}
