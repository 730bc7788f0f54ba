/* bench_loop_job.c - the jobs whose time loops are measured.
 *
 *   ring           that of jobs/compare: cell i excites cell i + 1, every 16th
 *                  gets a kick; delays are two epochs
 *   heterogeneous  that of jobs/heterogeneous-256k.yaml: all somata get a
 *                  current, up to 1,000 are recorded; with synapses, which
 *                  Poisson sources excite
 */
#include "bench/loop/bench_loop_job.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"

const char *const bosc_loop_jobs[BOSC_LOOP_JOBS] = {"ring", "heterogeneous"};

enum { KICK_EVERY = 16, PROBED = 1000, RING_SHAPES = 32 };

static bool is_ring(const bosc_loop_case *what)
{
    return what->job == bosc_loop_jobs[0];
}

/* Of another size, cells of the ring have a section for five compartments as
 * well, and others have from one for ten to as many as can be. */
static bosc_synthetic_range sizes_of(const bosc_loop_case *what)
{
    const int32_t *n = what->request->loop.compartments;
    bosc_synthetic_range sizes =
        is_ring(what) ? (bosc_synthetic_range){{155, 155}, {31, 31}, .seed = 1}
                      : (bosc_synthetic_range){{76, 691}, {7, 341}, .seed = 5};

    for (int k = 0; k < 2 && n[0] > 0; ++k) {
        sizes.compartments[k] = n[k];
        sizes.sections[k] = is_ring(what) ? n[k] / 5
                            : k == 0      ? n[k] / 10
                                          : (n[k] - 1) / 2;
    }
    return sizes;
}

static bosc_loop_cells cells_of(const bosc_loop_case *what)
{
    return (bosc_loop_cells){what->neurons, what->shapes, sizes_of(what)};
}

bosc_loop_case bosc_loop_case_of(const bosc_bench_request *request,
                                 const char *job, int32_t neurons)
{
    bosc_loop_case what = {.request = request,
                           .job = job,
                           .neurons = neurons,
                           .shapes = request->loop.shapes};

    if (what.shapes < 0)
        what.shapes = is_ring(&what) ? RING_SHAPES : 0;
    if (what.shapes > neurons)
        what.shapes = neurons;
    return what;
}

char *bosc_loop_describe(const bosc_loop_case *what)
{
    const char *hh =
        what->request->loop.everywhere ? "everywhere" : "in somata";

    if (is_ring(what))
        return bosc_format("ring, hh %s", hh);
    if (what->request->loop.synapses == 0)
        return bosc_format("heterogeneous, hh %s", hh);
    return bosc_format("heterogeneous, hh %s, %d synapses of %g Hz each", hh,
                       (int)what->request->loop.synapses,
                       what->request->loop.rate);
}

/* ---- files ---- */

static bosc_status name_files(bosc_loop_folder *folder, bosc_error *err)
{
    folder->job = bosc_format("%s/loop.yaml", folder->path);
    folder->result = bosc_format("%s/loop.nc", folder->path);
    return folder->job != NULL && folder->result != NULL
               ? BOSC_OK
               : bosc_no_memory(err, "a folder");
}

bosc_status bosc_loop_folder_create(bosc_loop_folder *folder, bosc_error *err)
{
    const char *where = getenv("TMPDIR");

    *folder = (bosc_loop_folder){
        .path =
            bosc_format("%s/bosc-XXXXXX",
                        where != NULL && where[0] != '\0' ? where : "/tmp")};
    if (folder->path == NULL)
        return bosc_no_memory(err, "a folder");
    if (mkdtemp(folder->path) == NULL) {
        const bosc_status st = bosc_fail(err, BOSC_EIO, "%s: %s; set TMPDIR",
                                         folder->path, strerror(errno));

        free(folder->path);
        folder->path = NULL;
        return st;
    }
    return name_files(folder, err);
}

bosc_status bosc_loop_folder_share(const bosc_bench_ranks *ranks,
                                   bosc_loop_folder *folder, bosc_error *err)
{
    const bosc_comm *comm = bosc_bench_comm(ranks);
    char path[PATH_MAX] = "";
    bosc_status st = BOSC_OK;

    *folder = (bosc_loop_folder){.of_another = comm->rank > 0};
    if (!folder->of_another)
        st = bosc_loop_folder_create(folder, err);
    st = bosc_bench_agree(ranks, st, err);
    if (st != BOSC_OK || comm->ranks == 1)
        return st;
    if (!folder->of_another)
        snprintf(path, sizeof path, "%s", folder->path);
    bosc_bcast(comm, path, sizeof path, 0);
    if (folder->of_another)
        st = (folder->path = bosc_strdup(path)) != NULL
                 ? name_files(folder, err)
                 : bosc_no_memory(err, "a folder");
    return bosc_bench_agree(ranks, st, err);
}

void bosc_loop_folder_clear(bosc_loop_folder *folder)
{
    const bool mine = folder->path != NULL && !folder->of_another;
    DIR *dir = mine ? opendir(folder->path) : NULL;

    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        char *path = bosc_format("%s/%s", folder->path, e->d_name);

        if (path != NULL && strcmp(e->d_name, ".") != 0 &&
            strcmp(e->d_name, "..") != 0)
            unlink(path);
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
    if (mine)
        rmdir(folder->path);
    free(folder->path);
    free(folder->job);
    free(folder->result);
}

bosc_status bosc_loop_write_file(const char *path, const void *of,
                                 void (*print)(FILE *file, const void *of),
                                 bosc_error *err)
{
    FILE *file = fopen(path, "w");
    bool fine = file != NULL;

    if (fine) {
        print(file, of);
        fine = ferror(file) == 0;
        fine = fclose(file) == 0 && fine;
    }
    return fine ? BOSC_OK
                : bosc_fail(err, BOSC_EIO, "%s: %s; set TMPDIR", path,
                            strerror(errno));
}

static bosc_status write_in(const bosc_loop_folder *folder, const char *name,
                            const void *of,
                            void (*print)(FILE *file, const void *of),
                            bosc_error *err)
{
    char *path = bosc_format("%s/%s", folder->path, name);
    const bosc_status st = path != NULL
                               ? bosc_loop_write_file(path, of, print, err)
                               : bosc_no_memory(err, "a file");

    free(path);
    return st;
}

/* ---- lists ---- */

static void print_kicks(FILE *file, const void *of)
{
    const bosc_loop_case *what = of;

    fputs("source\ttarget\n", file);
    for (int32_t i = 0; i < what->neurons; i += KICK_EVERY)
        fprintf(file, "0\t%d\n", (int)i);
}

/* Neurons of one shape are neighbours. */
static void print_shapes(FILE *file, const void *of)
{
    const bosc_loop_cells *cells = of;
    const int32_t each = cells->neurons / cells->shapes;

    fputs("path\tcount\tpopulation\n", file);
    for (int32_t s = 0; s < cells->shapes; ++s)
        fprintf(file, "shape-%d.swc\t%d\tcells\n", (int)s,
                (int)(each + (s < cells->neurons % cells->shapes ? 1 : 0)));
}

static bosc_status write_shape(const bosc_loop_folder *folder,
                               const bosc_synthetic_range *sizes, int32_t s,
                               bosc_error *err)
{
    char *path = bosc_format("%s/shape-%d.swc", folder->path, (int)s);
    const bosc_synthetic_files files = {
        bosc_synthetic_draw(sizes, s), .number = s, .count = 1, .output = path};
    const bosc_status st = path != NULL
                               ? bosc_synthetic_write_files(&files, err)
                               : bosc_no_memory(err, "a file");

    free(path);
    return st;
}

bosc_status bosc_loop_write_shapes(const bosc_loop_folder *folder,
                                   const bosc_loop_cells *cells,
                                   bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int32_t s = 0; s < cells->shapes && st == BOSC_OK; ++s)
        st = write_shape(folder, &cells->sizes, s, err);
    return st == BOSC_OK && cells->shapes > 0
               ? write_in(folder, "shapes.tsv", cells, print_shapes, err)
               : st;
}

bosc_status bosc_loop_write_lists(const bosc_loop_folder *folder,
                                  const bosc_loop_case *what, bosc_error *err)
{
    const bosc_loop_cells cells = cells_of(what);
    const bosc_status st = bosc_loop_write_shapes(folder, &cells, err);

    return st == BOSC_OK && is_ring(what)
               ? write_in(folder, "kicks.tsv", what, print_kicks, err)
               : st;
}

/* ---- the job ---- */

/* A case, and what integrates it. */
typedef struct task {
    const bosc_loop_case *what;
    const bosc_method *method;
} task;

void bosc_loop_print_cells(FILE *file, const bosc_loop_cells *cells)
{
    const bosc_synthetic_range *sizes = &cells->sizes;

    fputs("populations:\n  - name: cells\n", file);
    if (cells->shapes > 0)
        fputs("    morphologies: shapes.tsv\n"
              "    discretisation: {policy: per_sample}\n",
              file);
    else
        fprintf(file,
                "    synthetic: {compartments: [%d, %d], sections: [%d, %d],"
                " seed: %d}\n"
                "    count: %d\n",
                (int)sizes->compartments[0], (int)sizes->compartments[1],
                (int)sizes->sections[0], (int)sizes->sections[1],
                (int)sizes->seed, (int)cells->neurons);
}

static void print_regions(FILE *file, const bosc_loop_case *what)
{
    const bool everywhere = what->request->loop.everywhere;

    fprintf(file,
            "    regions:\n"
            "      all: {Ra: 100, cm: 1, %s}\n"
            "      soma: {%shh: {}}\n",
            everywhere ? "hh: {}" : "pas: {g: 1.0e-4, e: -65}",
            is_ring(what) && !everywhere ? "pas: false, " : "");
}

static void print_ring(FILE *file, const bosc_loop_case *what)
{
    fprintf(file,
            "synapses: [{name: excite, type: ExpSyn, tau: 2, e: 0}]\n"
            "sources: [{name: kick, type: regular, start: 1, number: 1,"
            " interval: 1}]\n"
            "projections:\n"
            "  - {name: ring, from: cells, to: cells, rule: ring,"
            " synapse: excite, weight: 0.01, delay: %.17g}\n"
            "  - {name: kicks, from: kick, to: cells, rule: list,"
            " file: kicks.tsv, synapse: excite, weight: 0.05}\n",
            2 * what->epoch * BOSC_LOOP_DT);
}

static void print_heterogeneous(FILE *file, const bosc_loop_case *what)
{
    const int32_t synapses = what->request->loop.synapses;

    fprintf(file,
            "clamps: [{at: soma, delay: 1, duration: 1e9, amplitude: 0.15}]\n"
            "probes: [{name: soma, neurons: \"0-%d\", at: soma,"
            " interval: 0.1}]\n",
            (int)(what->neurons < PROBED ? what->neurons : PROBED) - 1);
    if (synapses > 0)
        fprintf(file,
                "synapses: [{name: excite, type: ExpSyn, tau: 2, e: 0}]\n"
                "sources: [{name: others, type: poisson, count: %d,"
                " rate: %.17g}]\n"
                "projections:\n"
                "  - {from: others, to: cells, synapse: excite,"
                " rule: fixed_indegree, indegree: %d, weight: 0.0005,"
                " delay: 0, at: {region: [dendrite, apical]}}\n",
                (int)what->neurons, what->request->loop.rate, (int)synapses);
}

static void print_job(FILE *file, const void *of)
{
    const task *t = of;
    const bosc_loop_case *what = t->what;
    const bosc_loop_cells cells = cells_of(what);

    fprintf(file,
            "dt: %g\n"
            "tstop: %.17g\n"
            "backend: %s\n"
            "method: %s\n"
            "threads: %d\n",
            BOSC_LOOP_DT, what->request->loop.steps * BOSC_LOOP_DT,
            t->method->backend->name, t->method->name,
            what->request->solver.threads);
    bosc_loop_print_cells(file, &cells);
    print_regions(file, what);
    if (is_ring(what))
        print_ring(file, what);
    else
        print_heterogeneous(file, what);
}

bosc_status bosc_loop_write_job(const bosc_loop_folder *folder,
                                const bosc_loop_case *what,
                                const bosc_method *method, bosc_error *err)
{
    return bosc_loop_write_file(folder->job, &(task){what, method}, print_job,
                                err);
}
