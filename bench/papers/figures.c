/* figures.c - the figures of the papers, as data. */
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/solve/csv.h"
#include "src/base/mem.h"

#define SIX_SIZES                                                              \
    {                                                                          \
        "small-low", "small-high", "medium-low", "medium-high", "big-low",     \
            "big-high"                                                         \
    }
#define THREE_SIZES                                                            \
    {                                                                          \
        "small-high", "medium-high", "big-high"                                \
    }
#define THOMAS_BATCH                                                           \
    "thomas-batch-flat,thomas-batch-interleaved,thomas-batch-unified,"         \
    "gtsv2-strided,gtsv-interleaved-0,gtsv-interleaved-1,gtsv-interleaved-2"
#define WHOLE_NEURONS                                                          \
    "hines-flat,hines-interleaved,hines-block,hines-vbatch-cp,"                \
    "hines-vbatch-ncp,level-schedule-cp,level-schedule-ncp,cell-blocks,"       \
    "depth-first"

const bosc_papers_figure bosc_papers_figures[] = {
    {"hines-3",
     "cuHinesBatch, Fig. 3 and 4",
     "layouts by number of neurons, six sizes of one shape each",
     "hines-flat,hines-interleaved,hines-block,hines-block-shared,cell-blocks,"
     "depth-first",
     SIX_SIZES,
     {256, 2560, 25600, 256000},
     {0},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {"hines-5",
     "cuHinesBatch, Fig. 5",
     "Block-Interleaved by neurons in a block, blocks of 128 threads",
     "hines-block",
     THREE_SIZES,
     {25600},
     {32, 64, 128, 256, 512},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {"hines-6",
     "cuHinesBatch, Fig. 6",
     "Block-Shared by neurons in a block, where shared memory takes them",
     "hines-block-shared",
     THREE_SIZES,
     {25600},
     {32, 64, 128, 256, 512},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {"hines-layout",
     "cuHinesBatch, change of layout",
     "u, d and b from flat to interleaved to blocks of 128, and back",
     "hines-interleaved,hines-block",
     THREE_SIZES,
     {2560, 25600},
     {0},
     1,
     false,
     BOSC_PAPERS_RELAYOUTS},
    {"levels-6",
     "multi-morphology, Fig. 6",
     "levels: half of the neuron in the root's section, 2 to 4 levels",
     "level-schedule-cp,level-schedule-ncp,cell-blocks,hines-interleaved,"
     "depth-first",
     {"rooted:2", "rooted:3", "rooted:4"},
     {256, 2560, 25600},
     {0},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {"levels-7",
     "multi-morphology, Fig. 7",
     "slices: sections sorted by length or padded, all neurons different",
     "level-schedule-cp,level-schedule-ncp,cell-blocks,hines-vbatch-cp,"
     "hines-vbatch-ncp,depth-first",
     {"mix"},
     {256, 2560, 25600},
     {0},
     BOSC_BENCH_DISTINCT,
     false,
     BOSC_PAPERS_SOLVES},
    {"levels-9",
     "multi-morphology, Fig. 9",
     "cuThomasBatch: 20 to 20,000 systems of 64 to 512 rows, fp64",
     THOMAS_BATCH,
     {"chain:64", "chain:128", "chain:256", "chain:512"},
     {20, 200, 2000, 20000},
     {0},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {"levels-10",
     "multi-morphology, Fig. 10",
     "the same in fp32",
     THOMAS_BATCH,
     {"chain:64", "chain:128", "chain:256", "chain:512"},
     {20, 200, 2000, 20000},
     {0},
     1,
     true,
     BOSC_PAPERS_SOLVES},
    {"levels-11",
     "multi-morphology, Fig. 11",
     "cuThomasBatch: systems of 1,024 to 8,192 rows, fp64",
     THOMAS_BATCH,
     {"chain:1024", "chain:2048", "chain:4096", "chain:8192"},
     {20, 200, 2000},
     {0},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {.name = "levels-12",
     .paper = "multi-morphology, Fig. 12",
     .what = "error by number of rows, fp64 and fp32",
     .shapes = {"64,512,4096,32768"},
     .kind = BOSC_PAPERS_CHAINS},
    {"levels-13",
     "multi-morphology, Fig. 13",
     "cuThomasVBatch: CP, NCP and sliced, systems of 256 to 512 rows",
     "thomas-vbatch-cp,thomas-vbatch-ncp,thomas-vbatch-sliced",
     {"chain:256-512"},
     {20, 200, 2000, 20000},
     {0},
     512,
     false,
     BOSC_PAPERS_SOLVES},
    {"levels-14",
     "multi-morphology, Fig. 14",
     "256,000 neurons whose root has half of them, fp32: CP and NCP",
     "level-schedule-cp,level-schedule-ncp,cell-blocks,hines-interleaved",
     {"rooted:3"},
     {256000},
     {0},
     1,
     true,
     BOSC_PAPERS_SOLVES},
    {"thesis-600",
     "thesis, Figs. 4.1 to 4.9: 600",
     "neurons of 600 compartments, one shape",
     WHOLE_NEURONS,
     {"tree:600"},
     {256, 2560, 25600},
     {0},
     1,
     false,
     BOSC_PAPERS_SOLVES},
    {"thesis-multi-600",
     "thesis, Figs. 4.1 to 4.9: multi-600",
     "neurons of 600 compartments, all different",
     WHOLE_NEURONS,
     {"tree:600"},
     {256, 2560, 25600},
     {0},
     BOSC_BENCH_DISTINCT,
     false,
     BOSC_PAPERS_SOLVES},
    {"thesis-600-700",
     "thesis, Figs. 4.1 to 4.9: 600-700",
     "neurons of 600 to 700 compartments, all different",
     WHOLE_NEURONS,
     {"tree:600-700"},
     {256, 2560, 25600},
     {0},
     BOSC_BENCH_DISTINCT,
     false,
     BOSC_PAPERS_SOLVES},
    {.name = "formats",
     .paper = "ANNarchy, sparse formats",
     .what = "a sparse matrix times a vector in each format",
     .shapes = {"1,10,60"},
     .sizes = {1000, 5000, 10000},
     .kind = BOSC_PAPERS_PRODUCTS},
};

const size_t bosc_papers_n_figures = BOSC_LEN(bosc_papers_figures);

enum { SAMPLE = 16 }; /* trees that the mean is of */

static bool is_figure(const char *word)
{
    for (size_t i = 0; i < BOSC_LEN(bosc_papers_figures); ++i)
        if (strcmp(bosc_papers_figures[i].name, word) == 0)
            return true;
    return false;
}

bool bosc_papers_is_chosen(const bosc_bench_request *request,
                           const bosc_papers_figure *figure)
{
    const char *list = request->figures;
    char word[64];

    if (list == NULL || bosc_csv_has(list, figure->name))
        return true;
    for (int k = 0; bosc_csv_at(list, k, word, sizeof word); ++k) {
        const size_t length = strlen(word);

        if (!is_figure(word) && strncmp(word, figure->name, length) == 0 &&
            figure->name[length] == '-')
            return true;
    }
    return false;
}

/* With --quick the first and the last shape. */
const char *bosc_papers_shape(const bosc_bench_request *request,
                              const bosc_papers_figure *figure, int k)
{
    int last = 0;

    while (last + 1 < BOSC_PAPERS_SHAPES && figure->shapes[last + 1] != NULL)
        ++last;
    if (request->quick && k == 1 && last > 0)
        return figure->shapes[last];
    return k > last || (request->quick && k > 0) ? NULL : figure->shapes[k];
}

int32_t bosc_papers_size(const bosc_bench_request *request,
                         const bosc_papers_figure *figure, int k)
{
    static const int32_t quick[] = {16, 48};

    if (request->n_sizes > 0)
        return k < request->n_sizes ? request->sizes[k] : 0;
    if (request->quick)
        return k < (int)BOSC_LEN(quick) ? quick[k] : 0;
    return k < BOSC_PAPERS_SIZES ? figure->sizes[k] : 0;
}

bool bosc_papers_is_too_large(const bosc_bench_request *request,
                              double compartments)
{
    return request->n_sizes == 0 && compartments > BOSC_PAPERS_MOST;
}

bosc_status bosc_papers_mean(const char *word, double *mean, bosc_error *err)
{
    bosc_bench_shape shape;
    bosc_status st = bosc_bench_shape_create(word, &shape, err);

    *mean = 0;
    if (st != BOSC_OK)
        return st;
    for (int32_t k = 0; k < SAMPLE && st == BOSC_OK; ++k) {
        bosc_tree tree = {0};

        st = bosc_bench_shape_tree(&shape, k, &tree, err);
        *mean += (double)tree.n / SAMPLE;
        free((void *)tree.parent);
    }
    bosc_bench_shape_clear(&shape);
    return st;
}
