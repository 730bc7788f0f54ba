/* compiler.c - NVRTC for the emulated GPU: a C++ compiler of the host makes a
 * shared object of the text.  The image is the object behind its length.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/base/nvrtc.h"
#include "src/base/mem.h"

/* As cuda_runtime.h declares them. */
const char *emulated_error(int code);
int emulated_load(void **library, const void *image);
int emulated_find(void **kernel, void *library, const char *name);
int emulated_unload(void *library);

enum { FAILED = 1, PATH = 4096 };

/* What emulated_launch() calls: a kernel with its arguments. */
static const char steps_entry[] =
    "extern \"C\" void emulated_%.*s(void *of)\n"
    "{\n"
    "    void **a = (void **)of;\n"
    "    %.*s(*(bosc_cuda_step *)a[0], *(int64_t *)a[1],\n"
    "         *(int64_t *)a[2], *(bool *)a[3],\n"
    "         *(bosc_cuda_job_argument *)a[4]);\n"
    "}\n";

static const char cells_entry[] =
    "extern \"C\" void emulated_bosc_job_cells_%d(void *of)\n"
    "{\n"
    "    void **a = (void **)of;\n"
    "    bosc_job_cells_%d(\n"
    "        *(bosc_cuda_step *)a[0], *(bosc_cuda_chip *)a[1],\n"
    "        *(int32_t *)a[2], *(int64_t *)a[3], *(int64_t *)a[4],\n"
    "        *(bosc_cuda_job_argument *)a[5]);\n"
    "}\n";

/* That of the kernel that the text has. */
static char *make_entry(const char *text)
{
    static const char class_of[] = "#define BOSC_CELLS_JOB ";
    const char *name = strstr(text, "bosc_job_steps_");
    const char *cells = strstr(text, class_of);
    const int n = name != NULL ? (int)strcspn(name, "(") : 0;

    if (cells == NULL)
        return bosc_format(steps_entry, n, name, n, name);

    const int k = atoi(cells + strlen(class_of));

    return bosc_format(cells_entry, k, k);
}

/* --- compiling ------------------------------------------------------------ */

/* Write folder/name, and the folders of its name. */
static bool write_file(const char *folder, const char *name, const char *head,
                       const char *text, const char *end)
{
    char path[PATH];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')) != NULL;
         *p++ = '/') {
        *p = '\0';
        mkdir(path, 0700);
    }
    file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "%s%s%s", head, text, end);
    return fclose(file) == 0;
}

static bool read_image(const char *folder, unsigned char **image, size_t *bytes)
{
    char path[PATH];
    struct stat info;
    uint64_t n;
    FILE *file;

    snprintf(path, sizeof path, "%s/object.so", folder);
    file = fopen(path, "r");
    if (file == NULL || fstat(fileno(file), &info) != 0)
        return false;
    n = (uint64_t)info.st_size;
    *bytes = (size_t)n + sizeof n;
    *image = malloc(*bytes);
    memcpy(*image, &n, sizeof n);
    n = fread(*image + sizeof n, 1, n, file);
    fclose(file);
    return n + sizeof n == *bytes;
}

static bool shell(const char *format, const char *folder)
{
    char command[PATH];

    snprintf(command, sizeof command, format, folder, folder, folder);
    return system(command) == 0;
}

const char *bosc_nvrtc_version(bosc_nvrtc_words text)
{
    snprintf(text, sizeof(bosc_nvrtc_words), "%s", EMULATED_CXX);
    return text;
}

bosc_status bosc_nvrtc_compile(const bosc_nvrtc_program *program,
                               unsigned char **image, size_t *bytes,
                               bosc_error *err)
{
    char folder[] = "/tmp/bosc-emulate-XXXXXX";
    char *entry = make_entry(program->text);
    bool good = entry != NULL && mkdtemp(folder) != NULL;

    for (size_t i = 0; i < program->n && good; ++i)
        good = write_file(folder, program->file[i].name, "",
                          program->file[i].text, "");
    good = good && write_file(folder, "config.h", "", "", "") &&
           write_file(folder, "kernel.cpp",
                      "#include \"tests/emulate/cuda_runtime.h\"\n",
                      program->text, entry) &&
           shell(EMULATED_CXX " -w -O1 -fPIC -shared -I%s -I" EMULATED_SRC
                              " %s/kernel.cpp -o %s/object.so",
                 folder) &&
           read_image(folder, image, bytes);
    shell("rm -rf %s", folder);
    free(entry);
    return good ? BOSC_OK
                : bosc_fail(err, BOSC_EVALUE,
                            "the emulated GPU does not compile mechanisms");
}

/* --- loading -------------------------------------------------------------- */

const char *emulated_error(int code)
{
    return code == FAILED ? dlerror() : "";
}

int emulated_load(void **library, const void *image)
{
    char path[] = "/tmp/bosc-emulate-XXXXXX";
    const int file = mkstemp(path);
    uint64_t n;

    memcpy(&n, image, sizeof n);
    if (file < 0 ||
        write(file, (const char *)image + sizeof n, n) != (ssize_t)n)
        return FAILED;
    close(file);
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    unlink(path);
    return *library != NULL ? 0 : FAILED;
}

int emulated_unload(void *library)
{
    return dlclose(library) == 0 ? 0 : FAILED;
}

int emulated_find(void **kernel, void *library, const char *name)
{
    char entry[64];

    snprintf(entry, sizeof entry, "emulated_%s", name);
    *kernel = dlsym(library, entry);
    return *kernel != NULL ? 0 : FAILED;
}
