#include "src/morphology/synthetic.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/text/file_kind.h"

/* Neuron 'number' onto an open file. */
static bosc_status write_neuron(const bosc_synthetic_files *r, int64_t number,
                                FILE *file, const char *path, bosc_error *err)
{
    bosc_swc *swc = NULL;
    bosc_status st = bosc_synthetic_create(&r->what, number, &swc, err);

    if (st == BOSC_OK)
        st = bosc_synthetic_write(&r->what, number, swc, file, path, err);
    if (st == BOSC_OK && fflush(file) != 0)
        st = bosc_fail(err, BOSC_EIO, "%s: cannot write: %s", path,
                       strerror(errno));
    bosc_swc_destroy(swc);
    return st;
}

/* Through a second name, so that 'path' is never half a file; a device or a
 * pipe is written as it is. */
static bosc_status write_file(const bosc_synthetic_files *r, int64_t number,
                              const char *path, bosc_error *err)
{
    struct stat s;
    const bool special = stat(path, &s) == 0 && !S_ISREG(s.st_mode);
    char *name = bosc_format("%s%s", path, special ? "" : ".partial");

    if (name == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", path);

    bosc_status st = BOSC_OK;
    FILE *file = fopen(name, "w");

    if (file == NULL) {
        st = bosc_fail(err, BOSC_EIO, "%s: cannot create: %s", path,
                       strerror(errno));
        goto done;
    }
    st = write_neuron(r, number, file, path, err);
    if (fclose(file) != 0 && st == BOSC_OK)
        st = bosc_fail(err, BOSC_EIO, "%s: cannot write: %s", path,
                       strerror(errno));
    if (st == BOSC_OK && !special && rename(name, path) != 0)
        st = bosc_fail(err, BOSC_EIO, "%s: cannot rename %s to it: %s", path,
                       name, strerror(errno));
    if (st != BOSC_OK && !special)
        remove(name);
done:
    free(name);
    return st;
}

static bosc_status write_folder(const bosc_synthetic_files *r, bosc_error *err)
{
    const int64_t last = r->number + r->count - 1;
    const int width = snprintf(NULL, 0, "%" PRId64, last);
    const size_t length = strlen(r->output);
    const char *slash = r->output[length - 1] == '/' ? "" : "/";
    bosc_status st = BOSC_OK;

    if (mkdir(r->output, 0777) != 0 && !bosc_is_folder(r->output))
        return bosc_fail(err, BOSC_EIO, "%s: cannot make the folder: %s",
                         r->output, strerror(errno));
    for (int64_t k = r->number; k <= last && st == BOSC_OK; ++k) {
        char *path = bosc_format("%s%ssynthetic-%0*" PRId64 ".swc", r->output,
                                 slash, width, k);

        if (path == NULL)
            return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", r->output);
        st = write_file(r, k, path, err);
        free(path);
    }
    return st;
}

bosc_status bosc_synthetic_write_files(const bosc_synthetic_files *r,
                                       bosc_error *err)
{
    if (r->output == NULL && r->count > 1)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--count %" PRId64
                         ": several neurons need a folder; give -o FOLDER/",
                         r->count);
    if (r->output == NULL)
        return write_neuron(r, r->number, stdout, "standard output", err);
    if (r->output[0] == '\0')
        return bosc_fail(err, BOSC_EUSAGE, "-o: the name is empty");
    if (r->count > 1 || r->output[strlen(r->output) - 1] == '/' ||
        bosc_is_folder(r->output))
        return write_folder(r, err);
    return write_file(r, r->number, r->output, err);
}
