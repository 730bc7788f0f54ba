#include "src/sim/mechanisms.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/isa.h"
#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/comm/cpuset.h"
#include "src/job/job.h"
#include "src/mods/program.h"
#include "src/sim/sim.h"

uint64_t bosc_mechanisms_isas(void)
{
    const int isa = bosc_isa();

    return UINT64_C(1) << (isa < 0 ? 0 : isa);
}

bosc_status bosc_mechanisms_find(const bosc_job_source *job, uint64_t isas,
                                 bosc_mods *mods, bosc_error *err)
{
    char **paths = NULL, **recorded = NULL;
    int n = 0, n_recorded = 0;
    bosc_status st = bosc_job_mechanisms(job->path, job->text, job->set->n,
                                         job->set->text, &paths, &n, err);

    *mods = (bosc_mods){.n = 0};
    if (st == BOSC_OK)
        st = bosc_job_recorded(job->path, job->text, job->set->n,
                               job->set->text, &recorded, &n_recorded, err);
    if (st == BOSC_OK && n + n_recorded > 0)
        st = bosc_mods_find(n, paths,
                            &(bosc_mods_how){isas, job->told, job->shown,
                                             (const char *const *)recorded},
                            mods, err);
    for (int i = 0; i < n_recorded; ++i)
        free(recorded[i]);
    free(recorded);
    for (int i = 0; i < n; ++i)
        free(paths[i]);
    free(paths);
    return st;
}

/* Give the bytes of an image to all ranks. */
static bosc_status share_image(const bosc_comm *comm, int rank,
                               bosc_mods_image *image, bosc_error *err)
{
    size_t sizes[2] = {rank == 0 ? strlen(image->name) + 1 : 0, image->size};
    bosc_status st = BOSC_OK;

    bosc_bcast(comm, sizes, sizeof sizes, 0);
    if (rank != 0) {
        image->size = sizes[1];
        image->name = malloc(sizes[0]);
        image->bytes = malloc(sizes[1]);
        if (image->name == NULL || image->bytes == NULL)
            st = bosc_no_memory(err, "mechanisms");
    }
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        return st;
    bosc_bcast(comm, image->name, sizes[0], 0);
    bosc_bcast(comm, image->bytes, sizes[1], 0);
    return BOSC_OK;
}

/* And the lines about what was refused. */
static bosc_status share_refused(const bosc_comm *comm, int rank,
                                 bosc_mods *mods, bosc_error *err)
{
    size_t n = mods->refused != NULL ? strlen(mods->refused) + 1 : 0;
    bosc_status st = BOSC_OK;

    bosc_bcast(comm, &n, sizeof n, 0);
    if (n == 0)
        return BOSC_OK;
    if (rank != 0 && (mods->refused = malloc(n)) == NULL)
        st = bosc_no_memory(err, "mechanisms");
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        bosc_bcast(comm, mods->refused, n, 0);
    return st;
}

static bosc_status share(const bosc_comm *comm, int rank, bosc_mods *mods,
                         bosc_error *err)
{
    bosc_status st = share_refused(comm, rank, mods, err);

    if (st != BOSC_OK)
        return st;
    bosc_bcast(comm, &mods->n, sizeof mods->n, 0);
    if (mods->n == 0)
        return BOSC_OK;
    if (rank != 0 && (mods->image = bosc_alloc((size_t)mods->n,
                                               sizeof *mods->image)) == NULL)
        st = bosc_no_memory(err, "mechanisms");
    st = bosc_agree(comm, st, err);
    for (int i = 0; i < mods->n && st == BOSC_OK; ++i)
        st = share_image(comm, rank, &mods->image[i], err);
    return st;
}

/* Those of all ranks on this machine: the others wait while rank 0 builds. */
static bosc_status find_processors(const bosc_comm *comm, bosc_cpuset *all,
                                   bosc_error *err)
{
    uint64_t words[BOSC_LEN(all->bits)];
    bosc_comm *node = NULL;
    bosc_status st;

    if (comm->ranks == 1)
        return BOSC_OK;
    if ((st = bosc_comm_node(comm, &node, err)) != BOSC_OK)
        return st;
    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        words[i] = all->bits[i];
    bosc_reduce(node, BOSC_OR_UINT64, words, (int)BOSC_LEN(words));
    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        all->bits[i] = words[i];
    bosc_comm_destroy(node);
    return BOSC_OK;
}

bosc_status bosc_mechanisms_load(const bosc_comm *comm,
                                 const bosc_job_source *job, bosc_mechs *mechs,
                                 bosc_compiled *compiled, bosc_error *err)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    uint64_t isas = job->every_isa ? 0 : bosc_mechanisms_isas();
    bosc_mods mods = {.n = 0};
    bosc_cpuset all = mine;
    bosc_status st;
    int rank;

    rank = comm->rank;
    bosc_reduce(comm, BOSC_OR_UINT64, &isas, 1);
    st = find_processors(comm, &all, err);
    if (st == BOSC_OK && rank == 0) {
        bosc_cpuset_use(&all);
        st = bosc_mechanisms_find(job, isas, &mods, err);
        bosc_cpuset_use(&mine);
    }
    *compiled = (bosc_compiled){mods.n_built, mods.seconds};
    st = bosc_agree(comm, st, err);
    if (st == BOSC_OK)
        st = share(comm, rank, &mods, err);
    if (st == BOSC_OK)
        st = bosc_agree(comm, bosc_mods_load(&mods, mechs, err), err);
    if (st == BOSC_OK)
        st = bosc_agree(comm, bosc_mechs_name_params(mechs, err), err);
    bosc_mods_clear(&mods);
    return st;
}

/* --- on GPUs -------------------------------------------------------------- */

/* Of all ranks: which mechanisms; the capabilities of GPUs, and the width of
 * groups there, which is one. */
typedef struct wanted {
    uint64_t present;           /* bit m: mechanism m of the set is there */
    uint64_t used, multi_block; /* bosc_mech_program */
    int low, high, width;
    bool cells; /* the method keeps neurons on the chip, and all may be there */
} wanted;

static wanted find_wanted(const bosc_comm *comm, const bosc_batch *batch,
                          int capability)
{
    wanted all = {.low = capability > 0 ? capability : INT_MAX,
                  .high = capability,
                  .width = capability > 0 ? batch->program.width : 0,
                  .cells = capability == 0 || batch->program.cells};

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;
        const uint64_t bit = UINT64_C(1)
                             << bosc_mechs_find(batch->mechs, mech->name);

        all.present |= bit;
        if (!bosc_program_needs(mech))
            continue;
        all.multi_block |= all.used & bit;
        all.used |= bit;
        all.cells = all.cells && mech->kind == BOSC_MECH_DENSITY;
    }

    int64_t least[] = {all.low, -all.high, -all.width, all.cells};
    uint64_t bits[] = {all.present, all.used, all.multi_block};

    bosc_reduce(comm, BOSC_OR_UINT64, bits, BOSC_LEN(bits));
    bosc_min_int64(comm, least, BOSC_LEN(least));
    all.present = bits[0];
    all.used = bits[1];
    all.multi_block = bits[2];
    all.low = (int)least[0];
    all.high = (int)-least[1];
    all.width = (int)-least[2];
    all.cells = least[3] != 0;
    return all;
}

/* Give an image to all ranks. */
static bosc_status share_kernel(const bosc_comm *comm,
                                bosc_program_image *image, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    bosc_bcast(comm, &image->size, sizeof image->size, 0);
    if (comm->rank != 0 && (image->bytes = malloc(image->size)) == NULL)
        st = bosc_no_memory(err, "mechanisms");
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        bosc_bcast(comm, image->bytes, image->size, 0);
    return st;
}

/* Give the batch of each rank the kernels that the engine of any rank asks for:
 * compiled at rank 0, or taken from the cache there.  Collective. */
static bosc_status find_kernels(const bosc_sim *sim, const wanted *all,
                                bosc_batch *batch, bosc_error *err)
{
    const bosc_comm *comm = sim->comm;
    uint64_t bits[] = {batch->program.kernels, batch->program.sweeps};
    bosc_program_image image[BOSC_PROGRAM_KERNELS] = {{NULL, 0}};
    bosc_status st = BOSC_OK;

    bosc_reduce(comm, BOSC_OR_UINT64, bits, BOSC_LEN(bits));
    if (comm->rank == 0)
        st = bosc_program_find(&(bosc_program){.mechs = batch->mechs,
                                               .used = all->present,
                                               .multi_block = all->multi_block,
                                               .width = all->width,
                                               .kernels = (uint32_t)bits[0],
                                               .sweeps = (uint32_t)bits[1],
                                               .capability = all->low,
                                               .only = all->low == all->high},
                               sim->request.told, image, err);
    st = bosc_agree(comm, st, err);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS; ++i) {
        if (st == BOSC_OK && (bits[0] >> i & 1u) != 0)
            st = share_kernel(comm, &image[i], err);
        free(batch->program.image[i]);
        batch->program.image[i] = image[i].bytes;
    }
    return st;
}

bosc_status bosc_mechanisms_create_engine(const bosc_sim *sim,
                                          bosc_batch *batch,
                                          const bosc_method *method,
                                          bosc_engine **out, bosc_error *err)
{
    const bosc_engine_ops *ops = method->engine.ops;
    const wanted all = find_wanted(sim->comm, batch, sim->gpu.capability);
    const bool own = all.used != 0 && all.high != 0;
    bosc_status st;

    if (own) {
        batch->program.width = all.width;
        batch->program.used = all.used;
        batch->program.multi_block = all.multi_block;
        batch->program.cells = all.cells;
    }
    st = ops->create(batch, method->engine.variant, sim->threads, out, err);
    st = bosc_agree(sim->comm, st, err);
    if (st != BOSC_OK || !own)
        return st;
    st = find_kernels(sim, &all, batch, err);
    if (st == BOSC_OK && ops->load != NULL)
        st = ops->load(*out, err);
    return bosc_agree(sim->comm, st, err);
}
