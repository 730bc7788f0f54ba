/* Compressed morphologies: the same neuron, damage, the limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "src/base/mem.h"
#include "src/morphology/morphology.h"
#include "src/morphology/read/gzip.h"
#include "tests/lib/tap.h"

static const char asc[] = "( (Axon) (0 0 0 1) (7 0 0 1) ( (8 0 0 1) | "
                          "(7 9 0 1) ) )\n";
static const char swc[] = "1 2 0 0 0 0.5 -1\n2 2 7 0 0 0.5 1\n";
static char folder[] = "/tmp/gzip-XXXXXX";

static char *pack(const char *name, const char *text)
{
    char *path = bosc_format("%s/%s", folder, name);
    gzFile file = gzopen(path, "wb");

    gzputs(file, text);
    gzclose(file);
    return path;
}

static void damage(const char *path, long at, int c)
{
    FILE *file = fopen(path, "r+b");

    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    fputc(c, file);
    fclose(file);
}

static void test_reading(const char *name, const char *text, int32_t sections)
{
    char *path = pack(name, text);
    bosc_morphology *read = NULL;
    bosc_error err = {""};

    if (!ok(bosc_morphology_read(path, true, &read, &err) == BOSC_OK &&
                read->sections->n == sections &&
                read->sections->section[0].length == 7,
            "%s is read by the ending before .gz", name))
        diag("%s", err.text);
    bosc_morphology_destroy(read);
    unlink(path);
    free(path);
}

static void refuse(const char *path, const char *says, const char *what)
{
    bosc_morphology *read = NULL;
    bosc_error err = {""};

    if (!ok(bosc_morphology_read(path, false, &read, &err) == BOSC_EFORMAT &&
                read == NULL && strstr(err.text, says) != NULL,
            "%s", what))
        diag("%s", err.text);
    bosc_morphology_destroy(read);
}

static void test_damage(void)
{
    char *path = pack("a.asc.gz", asc);

    damage(path, -8, 1);
    refuse(path, ": the compressed file is damaged (", "a wrong check sum");
    free(path);
    path = pack("a.asc.gz", asc);
    if (truncate(path, 30) != 0)
        diag("not truncated");
    refuse(path, ": the compressed file is cut off", "a file that is cut off");
    damage(path, 0, '(');
    refuse(path, ": is not from gzip; take .gz off", "a file of another kind");
    if (truncate(path, 0) != 0)
        diag("not truncated");
    refuse(path, "", "an empty file");
    unlink(path);
    free(path);
}

static void test_limit(void)
{
    char *path = pack("a.asc.gz", asc), *text = NULL;
    size_t bytes = 0;
    bosc_error err = {""};

    ok(bosc_gzip_load(path, sizeof asc - 1, &text, &bytes, &err) == BOSC_OK &&
           bytes == sizeof asc - 1 && strcmp(text, asc) == 0,
       "a text of the allowed size");
    free(text);
    text = NULL;
    ok(bosc_gzip_load(path, sizeof asc - 2, &text, &bytes, &err) ==
               BOSC_EFORMAT &&
           text == NULL && strstr(err.text, "when expanded") != NULL,
       "a text of a byte more is refused");
    unlink(path);
    free(path);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    test_reading("a.asc.gz", asc, 3);
    test_reading("b.swc.gz", swc, 1);
    test_reading("C.SWC.GZ", swc, 1);
    test_damage();
    test_limit();
    rmdir(folder);
    return done_testing();
}
