#include <stdio.h>
#include <string.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/cli/commands.h"
#include "src/cli/program.h"
#include "src/job/job.h"
#include "src/text/did_you_mean.h"

static const struct {
    const char *name, *what;
    bosc_command *run;
} commands[] = {
#define COMMAND(name, what) {#name, what, bosc_cmd_##name},
    BOSC_COMMANDS(COMMAND)
#undef COMMAND
};

/* Commands of earlier versions, which no help lists. */
static const char *const former[] = {"bench", "tune"};

static void print_help(FILE *file)
{
    fputs("usage: bosc COMMAND [ARGUMENT]... [OPTION]...\n\n"
          "Simulate the membrane voltage of many branched neurons.\n\n",
          file);
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].what);
    fputs(
        "\n'bosc help COMMAND' shows the options of a command, 'bosc help KEY' "
        "the keys\nof a job that begin so, such as 'sweep'; the manual is "
        "bosc(1).\n",
        file);
}

static bosc_command *find(const char *name)
{
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run;
    for (size_t i = 0; i < BOSC_LEN(former); ++i)
        if (strcmp(name, former[i]) == 0)
            return bosc_cmd_former;
    return NULL;
}

/* What was meant by a word that is none of the commands. */
static const char *guess(const char *word, char *buffer, size_t size)
{
    static const struct {
        const char *ending, *command;
    } files[] = {{".yaml", "run"}, {".yml", "run"}, {".swc", "inspect"}};
    static const char *const options[] = {"help", "version"};
    const char *names[BOSC_LEN(commands)];
    const char *bare = word + strspn(word, "-"), *ending = strrchr(word, '.');
    const char *option = bosc_suggest(bare, BOSC_LEN(options), options);

    for (size_t i = 0; ending != NULL && i < BOSC_LEN(files); ++i)
        if (strcmp(ending, files[i].ending) == 0) {
            snprintf(buffer, size, "did you mean 'bosc %s %s'?",
                     files[i].command, word);
            return buffer;
        }
    if (option != NULL) {
        snprintf(buffer, size, "did you mean '--%s'?", option);
        return buffer;
    }
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        names[i] = commands[i].name;
    return bosc_did_you_mean(bare, BOSC_LEN(names), names, "the commands are",
                             buffer, size);
}

/* 'bosc help sweep': the keys of a job that begin so. */
static bool print_key_help(int argc, char **argv)
{
    bosc_mechs *mechs = NULL;
    bosc_error ignored;
    bool found = false;

    if (argc != 3 || strcmp(argv[2], "--help") != 0)
        return false;
    if (bosc_mechs_create(&mechs, &ignored) == BOSC_OK)
        found = bosc_job_print_group(mechs, argv[1], stdout);
    bosc_mechs_destroy(mechs);
    return found;
}

int main(int argc, char **argv)
{
    bosc_error err = {""};

    bosc_program_begin();
    bosc_program_turn_help(argc, argv);

    const char *name = argc > 1 ? argv[1] : "--help";
    bosc_command *run = find(name);

    if (run != NULL)
        return bosc_program_end("bosc", name, run(argc - 1, argv + 1, &err),
                                &err);
    if (strcmp(name, "--version") == 0) {
        puts(PACKAGE_STRING);
        return bosc_program_end("bosc", NULL, BOSC_OK, &err);
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 ||
        strcmp(name, "-h") == 0) {
        print_help(argc > 1 ? stdout : stderr);
        return bosc_program_end("bosc", NULL, argc > 1 ? BOSC_OK : BOSC_EUSAGE,
                                &err);
    }
    if (print_key_help(argc, argv))
        return bosc_program_end("bosc", NULL, BOSC_OK, &err);
    fprintf(stderr, "bosc: '%s' is not a command; %s\n", name,
            guess(name, (char[300]){0}, 300));
    return 2;
}
