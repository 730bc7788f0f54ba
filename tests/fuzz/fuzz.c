#include "config.h" /* memfd_create */

#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char folder[] = "/tmp/bosc-fuzz-XXXXXX";
static const char *const names[] = {"input", "list.tsv", "a.swc", "b.swc"};
static int memory = -1; /* the file */

void fuzz_found(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: this must hold: %s\n", file, line, condition);
    abort();
}

void fuzz_must_explain(bosc_status st, const bosc_error *err)
{
    const size_t length = strnlen(err->text, sizeof err->text);

    must(length < sizeof err->text);
    must((st == BOSC_OK) == (length == 0));
    if (strpbrk(err->text, "\r\n") != NULL) {
        fprintf(stderr, "[%s]\n", err->text);
        must(!"a message is one line");
    }
}

const char *fuzz_path(const char *name)
{
    static char path[sizeof folder + 100];

    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    return path;
}

static void remove_folder(void)
{
    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        unlink(fuzz_path(names[i]));
    rmdir(folder);
}

const char *fuzz_folder(void)
{
    char target[40];

    if (memory >= 0)
        return folder;
    memory = memfd_create("fuzz", 0);
    must(memory >= 0 && mkdtemp(folder) != NULL);
    snprintf(target, sizeof target, "/proc/self/fd/%d", memory);
    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        must(symlink(target, fuzz_path(names[i])) == 0);
    atexit(remove_folder);
    return folder;
}

void fuzz_put(const void *bytes, size_t n)
{
    fuzz_folder();
    must(ftruncate(memory, 0) == 0);
    must(pwrite(memory, bytes, n, 0) == (ssize_t)n);
}

int fuzz_take(fuzz_bytes *from)
{
    return from->at < from->end ? *from->at++ : 0;
}
