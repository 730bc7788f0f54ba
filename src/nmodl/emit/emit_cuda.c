/* emit_cuda.c - the functions of a mechanism that the time loops of GPUs call,
 * behind its formulas.
 *
 * A mechanism that follows v and its own states alone has
 *     current_of_NAME, advance_of_NAME, receive_of_NAME
 * for an instance of a block; a built-in stimulus has
 *     stimulus_of_NAME.
 * As a mechanism of the job's own it has the
 * arguments bosc_cuda_mech_args_NAME of the kernel; a density also
 *     bosc_cuda_one_NAME   an instance at the lane's slot,
 *     job_read_NAME        its states before its turn comes, and
 *     job_current_NAME, job_advance_NAME;
 * a full point process
 *     bosc_cuda_one_NAME   an instance by itself,
 *     job_load_NAME, job_keep_NAME   it from memory, and its states back,
 *     job_current_NAME, job_advance_NAME   loops over those of a part, and
 *     job_receive_NAME, job_watch_NAME.
 * What does nothing is not printed.  All of them call what is in cuda_mech.h
 * and cuda_group_job.h.
 */
#include "src/nmodl/emit/emit.h"
#include "src/nmodl/emit/emit_text.h"

/* --- an instance of a block ----------------------------------------------- */

/* There are parameters and states: else it is no plain mechanism. */
static void emit_loads(FILE *out, const bosc_nm_program *p, bool params,
                       bool constants)
{
    if (params)
        fputs("    load_p(p, block, i);\n", out);
    if (constants && p->n_slots > 0)
        fputs("    load_k(k, block, i);\n", out);
    fputs("    load_states(s, x, step);\n", out);
}

static void emit_current_of(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p,
                          "Add to d and b what an instance gives at v (mV)",
                          BOSC_NM_CURRENT);
    bosc_nm_write_named(
        out, p,
        "static __device__ __forceinline__ void\n"
        "current_of_@(const bosc_cuda_block *block, ptrdiff_t i,\n"
        "    double *x, ptrdiff_t step, double scale, double v,\n"
        "    double *d, double *b)\n{\n");
    bosc_nm_write_arrays(out, p->params.n, 0, p->states.n, 0, "g, ge");
    fputs("\n", out);
    emit_loads(out, p, true, false);
    c = bosc_nm_call_begin(out, 1, "", p, "current");
    bosc_nm_call_add_step(&c, p, BOSC_NM_CURRENT, "v", "s");
    fputs(");\n", out);
    if (bosc_nm_uses_of(p).current_states)
        fputs("    keep_states(x, step, s);\n", out);
    fputs("    *d = fma(scale, g, *d);\n    *b = fma(scale, ge, *b);\n}\n\n",
          out);
}

static void emit_advance_of(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p, "Advance its states by a step at v",
                          BOSC_NM_ADVANCE);
    bosc_nm_write_named(
        out, p,
        "static __device__ __forceinline__ void\n"
        "advance_of_@(const bosc_cuda_block *block, ptrdiff_t i, double *x,\n"
        "    ptrdiff_t step, double v)\n{\n");
    bosc_nm_write_arrays(out, p->params.n, p->n_slots, p->states.n, 0, "");
    fputs("\n", out);
    emit_loads(out, p, true, true);
    c = bosc_nm_call_begin(out, 1, "", p, "advance");
    bosc_nm_call_add_step(&c, p, BOSC_NM_ADVANCE, "v", "s");
    fputs(");\n    keep_states(x, step, s);\n}\n\n", out);
}

static void emit_receive_of(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p, "Let an instance receive an event",
                          BOSC_NM_RECEIVE);
    bosc_nm_write_named(
        out, p,
        "static __device__ void\n"
        "receive_of_@(const bosc_cuda_block *block, ptrdiff_t i, double *x,\n"
        "    ptrdiff_t step, double weight)\n{\n");
    bosc_nm_write_arrays(out, 0, p->n_slots, p->states.n, 0, "");
    fputs("\n", out);
    emit_loads(out, p, false, true);
    c = bosc_nm_call_begin(out, 1, "", p, "receive");
    bosc_nm_call_add(&c, "", p->n_slots > 0 ? "k" : "NULL");
    bosc_nm_call_add(&c, "", "weight");
    bosc_nm_call_add(&c, "", "s");
    fputs(");\n    keep_states(x, step, s);\n}\n\n", out);
}

static void emit_stimulus_of(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p,
                          "What instance i of a block injects at t (ms), in nA",
                          BOSC_NM_CURRENT);
    bosc_nm_write_named(
        out, p,
        "static __device__ __forceinline__ double\n"
        "stimulus_of_@(const bosc_cuda_block *block, ptrdiff_t i, double t)\n"
        "{\n    const double here[] = {0, t, 0, 0};\n");
    bosc_nm_write_arrays(out, p->params.n, p->n_slots, p->states.n, 0, "g, ge");
    fputs("\n", out);
    if (p->params.n > 0)
        fputs("    load_p(p, block, i);\n", out);
    if (p->n_slots > 0)
        fputs("    load_k(k, block, i);\n", out);
    c = bosc_nm_call_begin(out, 1, "", p, "current");
    bosc_nm_call_add_full(&c, p, BOSC_NM_CURRENT, "", "s");
    fputs(");\n    return ge;\n}\n\n", out);
}

void bosc_nm_emit_blocks(FILE *out, const bosc_nm_program *p)
{
    if (bosc_nm_uses_of(p).stimulus)
        emit_stimulus_of(out, p);
    if (p->form != BOSC_NM_PLAIN)
        return;
    bosc_nm_write_named(out, p,
                        "/* --- @ on GPUs: instance i of a block ---\n *\n"
                        " * Its state j is at x[j * step]. */\n\n");
    emit_current_of(out, p);
    emit_advance_of(out, p);
    if (p->m->receive != NULL)
        emit_receive_of(out, p);
}

/* --- of the job: arguments, and an instance ------------------------------- */

/* The names of ion[] behind a line. */
static void emit_ion_names(FILE *out, const bosc_nm_program *p)
{
    for (int i = 0; i < p->ions.n; ++i)
        fprintf(out, "%s%s", i == 0 ? " /* " : ", ",
                ((const bosc_nm_symbol *)p->ions.item[i])->name);
    fputs(" */\n", out);
}

static void emit_args(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_write_named(
        out, p,
        "/* --- @ on GPUs: of the job's own mechanisms --- */\n\n"
        "/* What the job has of it, among the arguments of the kernel. */\n"
        "typedef struct bosc_cuda_mech_args_@ {\n"
        "    bosc_cuda_mech_args head;\n");
    if (p->ions.n > 0) {
        fprintf(out, "    double *ion[%d];", p->ions.n);
        emit_ion_names(out, p);
    }
    if (p->params.n > 0)
        fprintf(out, "    bosc_cuda_value p[%d];\n", p->params.n);
    if (p->n_slots > 0)
        fprintf(out, "    bosc_cuda_value k[%d];\n", p->n_slots);
    bosc_nm_write_named(out, p, "} bosc_cuda_mech_args_@;\n\n");
}

/* --- of the job: densities ------------------------------------------------ */

static void emit_one(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_write_named(out, p,
                        "/* An instance at the lane's slot. */\n"
                        "typedef struct bosc_cuda_one_@ {\n"
                        "    uint2 mask; /* bosc_cuda_slot_mask of the row */\n"
                        "    uint32_t i; /* which one it is */\n");
    if (bosc_nm_n_kept(p) > 0)
        fprintf(out, "    double s[%d];\n", bosc_nm_n_kept(p));
    bosc_nm_write_named(
        out, p,
        "} bosc_cuda_one_@;\n\n"
        "/* With 'mask', before its turn comes: which instance is at the slot "
        "of lane k,\n * and its states. */\n"
        "static __device__ __forceinline__ void\n"
        "job_read_@(const bosc_cuda_mech_args_@ *of, int32_t k,\n    "
        "bosc_cuda_one_@ *one)\n{\n"
        "    one->i = number_of(one->mask, k);\n");
    if (bosc_nm_n_kept(p) > 0)
        fputs("    read_states(one->s, &of->head, one->i, is_bit(one->mask.y, "
              "k));\n",
              out);
    fputs("}\n\n", out);
}

/* The values of an instance at its slot. */
static void emit_values(FILE *out, const bosc_nm_program *p,
                        bosc_nm_entry_kind kind)
{
    const bool full = p->form == BOSC_NM_FULL;
    const bool constants = p->n_slots > 0 && (full || kind == BOSC_NM_ADVANCE);
    const char *const sums = kind == BOSC_NM_CURRENT ? "g, ge" : "";

    bosc_nm_write_arrays(out, p->params.n, constants ? p->n_slots : 0, 0,
                         p->ions.n, sums);
    if (full)
        fputs(bosc_nm_uses_of(p).geometry
                  ? "    const double here[] = {at->v, at->t, "
                    "of->head.diam[at->slot],\n"
                    "                           of->head.area[at->slot]};\n"
                  : "    const double here[] = {at->v, at->t, 0, 0};\n",
              out);
    if (p->m->drawn != NULL)
        fputs("    const uint32_t *stream = of->head.stream + 4 * "
              "(ptrdiff_t)one->i;\n",
              out);
    fputs("\n", out);
    if (p->params.n > 0)
        fputs("    load_values(p, of->p, of->head.varies != 0, one->i);\n",
              out);
    if (constants)
        fputs("    load_values(k, of->k, of->head.varies != 0, one->i);\n",
              out);
    bosc_nm_write_ion_loads(out, p, "", "at->slot");
}

static void emit_gives(FILE *out, const bosc_nm_program *p, unsigned written)
{
    for (int j = 0; j < p->ions.n; ++j)
        if ((written >> j & 1u) != 0)
            fprintf(out,
                    "    give(&of->head, of->ion, %d, at->slot, ion[%d]); /* "
                    "%s */\n",
                    j, j, bosc_nm_ion_name(p, j));
}

static void emit_write(FILE *out, const bosc_nm_program *p)
{
    if (bosc_nm_n_kept(p) > 0)
        fputs("    write_states(&of->head, one->i, one->s);\n", out);
}

static void emit_density_current(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p, "Add what the instance gives at its slot",
                          BOSC_NM_CURRENT);
    bosc_nm_write_named(
        out, p,
        "static __device__ __forceinline__ void\n"
        "job_current_@(const bosc_cuda_mech_args_@ *of, slot *at,\n"
        "    bosc_cuda_one_@ *one)\n{\n");
    emit_values(out, p, BOSC_NM_CURRENT);
    c = bosc_nm_call_begin(out, 1, "", p, "current");
    bosc_nm_call_add_step(&c, p, BOSC_NM_CURRENT, "at->v", "one->s");
    fputs(");\n", out);
    if (uses.current_states)
        emit_write(out, p);
    fputs("    add(at, g, ge);\n", out);
    emit_gives(out, p, uses.currents);
    fputs("}\n\n", out);
}

static void emit_density_advance(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(
        out, p,
        p->has_near
            ? "Advance its states.  With 'quick' only where a form with "
              "quick quotients\n * holds; else it is false, and nothing "
              "has changed"
            : "Advance its states; true, as 'quick' makes no difference",
        BOSC_NM_ADVANCE);
    bosc_nm_write_named(
        out, p,
        "static __device__ __forceinline__ bool\n"
        "job_advance_@(const bosc_cuda_mech_args_@ *of, const slot *at,\n"
        "    bosc_cuda_one_@ *one, bool quick)\n{\n");
    emit_values(out, p, BOSC_NM_ADVANCE);
    if (!p->has_near)
        fputs("    (void)quick;\n", out);
    else
        fputs("    if (!quick)\n", out);
    c = bosc_nm_call_begin(out, p->has_near ? 2 : 1, "", p, "advance");
    bosc_nm_call_add_step(&c, p, BOSC_NM_ADVANCE, "at->v", "one->s");
    fputs(");\n", out);
    if (p->has_near) {
        c = bosc_nm_call_begin(out, 1, "else if (!", p, "advance_by");
        bosc_nm_call_add_step(&c, p, BOSC_NM_ADVANCE, "at->v", "one->s");
        bosc_nm_call_add(&c, "", "true");
        fputs("))\n        return false;\n", out);
    }
    emit_write(out, p);
    emit_gives(out, p, bosc_nm_uses_of(p).advances);
    fputs("    return true;\n}\n\n", out);
}

static void emit_density(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);
    const bool plain = p->form == BOSC_NM_PLAIN;

    emit_one(out, p);
    if (plain || uses.flows)
        emit_density_current(out, p);
    if (plain || uses.evolves)
        emit_density_advance(out, p);
}

void bosc_nm_emit_cuda(FILE *out, const bosc_nm_program *p)
{
    if (p->form == BOSC_NM_STATIC)
        return;
    fputs("#if defined(__CUDACC__)\n"
          "#include \"kernels/gpu/device/cuda_mech.h\"\n"
          "#include \"kernels/gpu/device/cuda_group_job.h\"\n\n",
          out);
    bosc_nm_emit_blocks(out, p);
    emit_args(out, p);
    if (!bosc_nm_is_point(p))
        emit_density(out, p);
    else if (p->form == BOSC_NM_FULL)
        bosc_nm_emit_point(out, p);
    fputs("#endif\n\n", out);
}
