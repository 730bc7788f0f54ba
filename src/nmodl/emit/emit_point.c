/* emit_point.c - what GPUs call of a full point process of the job's own
 * (emit_cuda.c). */
#include "src/nmodl/emit/emit_text.h"

static bool watches(const bosc_nm_program *p)
{
    return p->entry[BOSC_NM_WATCHES].code.n > 0;
}

static void emit_instance(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_write_named(
        out, p,
        "/* An instance by itself. */\ntypedef struct bosc_cuda_one_@ {\n");
    bosc_nm_write_arrays(out, p->params.n, p->n_slots, bosc_nm_n_kept(p),
                         p->ions.n, "");
    fputs("    double here[4]; /* v, t, diam, area */\n", out);
    if (p->m->drawn != NULL)
        fputs("    const uint32_t *stream;\n", out);
    if (p->sends)
        fputs("    bosc_mech_sent sent;\n", out);
    bosc_nm_write_named(out, p, "} bosc_cuda_one_@;\n\n");
}

static void emit_load(FILE *out, const bosc_nm_program *p)
{
    const bool geometry = bosc_nm_uses_of(p).geometry;

    bosc_nm_write_named(
        out, p,
        "/* Instance i, at a slot, at time t (ms). */\n"
        "static __device__ __forceinline__ void\n"
        "job_load_@(const bosc_cuda_mech_args_@ *of, const lane *me,\n"
        "    ptrdiff_t i, ptrdiff_t slot, double t, bosc_cuda_one_@ "
        "*one)\n{\n");
    if (p->params.n > 0)
        fputs("    load_values(one->p, of->p, of->head.varies != 0, i);\n",
              out);
    if (p->n_slots > 0)
        fputs("    load_values(one->k, of->k, of->head.varies != 0, i);\n",
              out);
    if (bosc_nm_n_kept(p) > 0)
        fputs("    load_states(one->s, of->head.state + i, "
              "(ptrdiff_t)of->head.n);\n",
              out);
    bosc_nm_write_ion_loads(out, p, "one->", "slot");
    fprintf(out,
            "    one->here[0] = me->s->v[slot];\n    one->here[1] = t;\n"
            "    one->here[2] = %s;\n    one->here[3] = %s;\n",
            geometry ? "of->head.diam[slot]" : "0",
            geometry ? "of->head.area[slot]" : "0");
    if (p->m->drawn != NULL)
        fputs("    one->stream = of->head.stream + 4 * i;\n", out);
    if (p->sends)
        fputs("    one->sent.n = 0;\n", out);
    fputs("}\n\n", out);
    if (bosc_nm_n_kept(p) > 0)
        bosc_nm_write_named(
            out, p,
            "/* Its states back. */\n"
            "static __device__ __forceinline__ void\n"
            "job_keep_@(const bosc_cuda_mech_args_@ *of, ptrdiff_t i,\n"
            "    const bosc_cuda_one_@ *one)\n{\n"
            "    keep_states(of->head.state + i, (ptrdiff_t)of->head.n, "
            "one->s);\n}\n\n");
}

/* The head of a loop over the instances of a part; 'when' is the time of their
 * step. */
static void emit_loop(FILE *out, const bosc_nm_program *p, const char *what,
                      const char *when, const char *more)
{
    fprintf(out,
            "static __device__ __forceinline__ void\n"
            "job_%s_%s(const bosc_cuda_mech_args_%s *of, const lane *me,\n"
            "    const item *it, int64_t step)\n{\n"
            "    const bosc_cuda_mech_args *head = &of->head;\n"
            "    const ptrdiff_t end = head->first[it->row + it->rows];\n"
            "    const double t = ((double)step + %s) * me->s->dt;\n\n"
            "#pragma unroll 1\n"
            "    for (ptrdiff_t i = head->first[it->row] + me->k; i < end;\n"
            "         i += BOSC_CUDA_WIDTH) {\n"
            "        const ptrdiff_t slot = me->group.first + head->at[i];\n"
            "        bosc_cuda_one_%s one;\n%s\n"
            "        job_load_%s(of, me, i, slot, t, &one);\n",
            what, p->m->name, p->m->name, when, p->m->name, more, p->m->name);
}

static void emit_keep(FILE *out, const bosc_nm_program *p, int depth)
{
    if (bosc_nm_n_kept(p) > 0) {
        fprintf(out, "%*s", 4 * depth, "");
        bosc_nm_write_named(out, p, "job_keep_@(of, i, &one);\n");
    }
}

static void emit_point_current(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p, "Add what the instances of a part give",
                          BOSC_NM_CURRENT);
    emit_loop(out, p, "current", "0.5", "        double g, ge;\n");
    c = bosc_nm_call_begin(out, 2, "", p, "current");
    bosc_nm_call_add_full(&c, p, BOSC_NM_CURRENT, "one.", "one.s");
    fputs(");\n", out);
    if (uses.current_states)
        emit_keep(out, p, 2);
    fputs("        *scratch_at(head, 0, i) = g;\n"
          "        *scratch_at(head, 1, i) = ge;\n",
          out);
    for (int j = 0; j < p->ions.n; ++j)
        if ((uses.currents >> j & 1u) != 0)
            fprintf(
                out,
                "        *scratch_at(head, %d, i) = one.ion[%d]; /* %s */\n",
                2 + j, j, bosc_nm_ion_name(p, j));
    fprintf(out, "    }\n    add_scratch(head, %s, %d, me, it, 0x%xu);\n}\n\n",
            p->ions.n > 0 ? "of->ion" : "NULL", p->ions.n, uses.currents);
}

static void emit_point_advance(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p, "Advance the instances of a part",
                          BOSC_NM_ADVANCE);
    emit_loop(out, p, "advance", "1", "");
    c = bosc_nm_call_begin(out, 2, "", p, "advance");
    bosc_nm_call_add_full(&c, p, BOSC_NM_ADVANCE, "one.", "one.s");
    fputs(");\n", out);
    emit_keep(out, p, 2);
    for (int j = 0; j < p->ions.n; ++j)
        if ((uses.advances >> j & 1u) != 0)
            fprintf(out,
                    "        if (is_last(head, it, i))\n"
                    "            give_total(head, of->ion, %d, slot, "
                    "one.ion[%d]); /* %s */\n",
                    j, j, bosc_nm_ion_name(p, j));
    fputs("    }\n}\n\n", out);
}

static void emit_point_receive(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(out, p, "Let an instance receive an event",
                          BOSC_NM_RECEIVE);
    bosc_nm_write_named(
        out, p,
        "static __device__ void\n"
        "job_receive_@(const bosc_cuda_mech_args_@ *of, const lane *me,\n"
        "    const bosc_cuda_self *event)\n{\n"
        "    const ptrdiff_t i = event->instance;\n"
        "    const ptrdiff_t slot = me->group.first + of->head.at[i];\n"
        "    bosc_cuda_one_@ one;\n");
    if (bosc_nm_n_kept(p) > 0)
        fprintf(out, "    double *weight = one.s + %d;\n", p->states.n);
    else
        fputs("    double *weight = NULL;\n", out);
    if (p->visits)
        fputs("    double *const all[] = {weight}; /* of all connections */\n",
              out);
    bosc_nm_write_named(out, p,
                        "\n    job_load_@(of, me, i, slot, event->t, &one);\n");
    c = bosc_nm_call_begin(out, 1, "", p, "receive");
    bosc_nm_call_add_full(&c, p, BOSC_NM_RECEIVE, "one.", "one.s");
    fputs(");\n", out);
    emit_keep(out, p, 1);
    if (p->sets_v)
        fputs("    me->s->v[slot] = one.here[0];\n", out);
    if (p->sends)
        fputs("    send(me, event, &one.sent);\n", out);
    fputs("}\n\n", out);
}

static void emit_point_watch(FILE *out, const bosc_nm_program *p)
{
    bosc_nm_call_text c;

    bosc_nm_write_comment(
        out, p,
        "Let the instances of the lane's neuron in block m look at what "
        "they watch",
        BOSC_NM_WATCHES);
    bosc_nm_write_named(
        out, p,
        "static __device__ void\n"
        "job_watch_@(const bosc_cuda_mech_args_@ *of, const lane *me,\n"
        "    int32_t m, double now)\n{\n"
        "    const bosc_cuda_group *g = &me->group;\n"
        "    const ptrdiff_t end = of->head.first[g->row + g->all_rows];\n\n"
        "    for (ptrdiff_t i = of->head.first[g->row]; i < end; ++i) {\n"
        "        const bosc_cuda_self from = {now, 0, i, m};\n"
        "        const int32_t at = of->head.at[i];\n"
        "        bosc_cuda_one_@ one;\n\n"
        "        if (at % g->width != me->from + me->k)\n            continue;\n"
        "        job_load_@(of, me, i, g->first + at, now, &one);\n");
    c = bosc_nm_call_begin(out, 2, "", p, "watch");
    bosc_nm_call_add_full(&c, p, BOSC_NM_WATCHES, "one.", "one.s");
    fputs(");\n", out);
    emit_keep(out, p, 2);
    fputs("        send(me, &from, &one.sent);\n    }\n}\n\n", out);
}

void bosc_nm_emit_point(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);

    emit_instance(out, p);
    emit_load(out, p);
    if (uses.flows)
        emit_point_current(out, p);
    if (uses.evolves)
        emit_point_advance(out, p);
    if (p->m->receive != NULL)
        emit_point_receive(out, p);
    if (watches(p))
        emit_point_watch(out, p);
}
