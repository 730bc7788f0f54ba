/* emit_set.c - functions of a set of mechanisms. */
#include "src/nmodl/emit/emit_set.h"

#include "src/nmodl/emit/emit.h"

/* A set, and whose functions a switch calls. */
typedef struct set {
    const bosc_nm_member *all;
    int n;
} set;

typedef bool is_one(const bosc_nm_member *m);

/* It has functions for instances of blocks, */
static bool in_blocks(const bosc_nm_member *m)
{
    return !m->full && !m->stimulus && (!m->own || m->point);
}

static bool is_stimulus(const bosc_nm_member *m)
{
    return m->stimulus;
}

/* it is a density of the job's own, */
static bool is_density(const bosc_nm_member *m)
{
    return m->own && !m->point;
}

static bool flows(const bosc_nm_member *m)
{
    return is_density(m) && (!m->full || m->flows);
}

static bool evolves(const bosc_nm_member *m)
{
    return is_density(m) && (!m->full || m->evolves);
}

/* a full point process. */
static bool flows_alone(const bosc_nm_member *m)
{
    return m->full && m->point && m->flows;
}

static bool evolves_alone(const bosc_nm_member *m)
{
    return m->full && m->point && m->evolves;
}

static bool receives(const bosc_nm_member *m)
{
    return !m->full && m->receives;
}

static bool receives_full(const bosc_nm_member *m)
{
    return m->full && m->receives;
}

static bool watches(const bosc_nm_member *m)
{
    return m->full && m->watches;
}

static bool is_plain(const bosc_nm_member *m)
{
    return !m->full && !m->stimulus && !m->own;
}

/* The first one, or NULL. */
static const bosc_nm_member *find(set s, is_one *is)
{
    for (int i = 0; i < s.n; ++i)
        if (is(&s.all[i]))
            return &s.all[i];
    return NULL;
}

/* Is it built in, and compiled with what is recorded of it? */
static bool replaces(const bosc_nm_member *m)
{
    return m->replaces;
}

/* A text for each of them. */
static void each(FILE *out, set s, is_one *is, const char *text)
{
    for (int i = 0; i < s.n; ++i)
        if (is(&s.all[i]))
            bosc_nm_emit_named(out, s.all[i].name, text);
}

/* Call a function for what the job has of the mechanism; where there may be
 * several blocks of it, that is found by the block. */
static void each_of_job(FILE *out, set s, is_one *is, const char *function,
                        const char *block, const char *more)
{
    for (int i = 0; i < s.n; ++i) {
        const char *name = s.all[i].name;

        if (!is(&s.all[i]))
            continue;
        fprintf(out, "    case BOSC_MECH_%s:\n        job_%s_%s(", name,
                function, name);
        if (s.all[i].multi_block)
            fprintf(out,
                    "\n            (const bosc_cuda_mech_args_%s *)"
                    "me->s->blocks[%s].extra->args,\n            ",
                    name, block);
        else
            fprintf(out, "&job->of_%s, ", name);
        fprintf(out, "%s);\n        break;\n", more);
    }
}

static void begin_switch(FILE *out, const char *of)
{
    fprintf(out, "    switch (%s) {\n", of);
}

static void end_switch(FILE *out)
{
    fputs("    default:\n        break;\n    }\n}\n\n", out);
}

/* --- cell blocks ---------------------------------------------------------- */

static void emit_receive(FILE *out, set s)
{
    fputs("/* Let instance i of a block, whose state j is at x[j * step], "
          "receive an\n * event. */\n"
          "static __device__ void\n"
          "receive(const bosc_cuda_block *block, ptrdiff_t i, double *x,\n"
          "        ptrdiff_t step, double weight)\n{\n",
          out);
    begin_switch(out, "block->mech");
    each(out, s, receives,
         "    case BOSC_MECH_@:\n"
         "        receive_of_@(block, i, x, step, weight);\n"
         "        break;\n");
    end_switch(out);
}

/* What instances of those that are built in do. */
static void emit_plain(FILE *out, set s)
{
    fputs("/* Add what instance i gives, whose states are side by side. */\n"
          "static __device__ __forceinline__ void\n"
          "current_at(const bosc_cuda_block *block, ptrdiff_t i, double *x,\n"
          "           double scale, double v, bosc_cuda_sum *sum)\n{\n",
          out);
    begin_switch(out, "block->mech");
    each(out, s, is_plain,
         "    case BOSC_MECH_@:\n"
         "        current_of_@(block, i, x, 1, scale, v, &sum->d, &sum->b);\n"
         "        break;\n");
    end_switch(out);
    fputs("/* Advance it. */\n"
          "static __device__ __forceinline__ void\n"
          "advance_at(const bosc_cuda_block *block, ptrdiff_t i, double *x, "
          "double v)\n{\n",
          out);
    begin_switch(out, "block->mech");
    each(out, s, is_plain,
         "    case BOSC_MECH_@:\n"
         "        advance_of_@(block, i, x, 1, v);\n"
         "        break;\n");
    end_switch(out);
}

void bosc_nm_emit_cells(FILE *out, const bosc_nm_member *all, int n)
{
    const set s = {all, n};

    emit_plain(out, s);
    emit_receive(out, s);
}

/* A function of each density of the job at a place, by numbers. */
static void emit_at_place(FILE *out, set s, is_one *is, const char *head,
                          const char *call)
{
    fprintf(out,
            "static __device__ __noinline__ %s\n"
            "(const bosc_cuda_job_args *job, int32_t mech, uint32_t place, "
            "slot at)\n{\n"
            "    const int32_t row = (int32_t)(place / BOSC_CUDA_WIDTH);\n"
            "    const int32_t k = (int32_t)(place %% BOSC_CUDA_WIDTH);\n\n",
            head);
    begin_switch(out, "mech");
    for (int i = 0; i < s.n; ++i) {
        if (!is(&s.all[i]))
            continue;
        bosc_nm_emit_named(
            out, s.all[i].name,
            "    case BOSC_MECH_@: {\n        bosc_cuda_one_@ one;\n\n"
            "        one.mask = mask_of(&job->of_@.head, row);\n"
            "        job_read_@(&job->of_@, k, &one);\n");
        bosc_nm_emit_named(out, s.all[i].name, call);
        fputs("    }\n", out);
    }
    fputs("    default:\n        break;\n    }\n", out);
}

void bosc_nm_emit_job_cells(FILE *out, const bosc_nm_member *all, int n)
{
    const set s = {all, n};

    emit_plain(out, s);
    fputs("/* What a density gives at a place: with 'at' whose scale is 1 and "
          "d and b are -0\n * g and g E. */\n",
          out);
    emit_at_place(out, s, flows, "bosc_cuda_sum cells_current",
                  "        job_current_@(&job->of_@, &at, &one);\n"
                  "        break;\n");
    fputs(
        "    const bosc_cuda_sum sum = {at.d, at.b};\n\n"
        "    return sum;\n}\n\n"
        "/* Advance one there, if its quick form holds, or else nothing. */\n",
        out);
    emit_at_place(out, s, evolves, "bool cells_advance",
                  "        return job_advance_@(&job->of_@, &at, &one, true);"
                  "\n");
    fputs("    return true;\n}\n\n"
          "/* The same where it does not. */\n",
          out);
    emit_at_place(out, s, evolves, "void cells_advance_deferred",
                  "        job_advance_@(&job->of_@, &at, &one, false);\n"
                  "        break;\n");
    fputs("}\n\n", out);
}

/* --- all densities of the job --------------------------------------------- */

static void emit_row_loop(FILE *out)
{
    fputs("#pragma unroll 1\n"
          "    for (int32_t row = it->row; row < it->row + it->rows; ++row) "
          "{\n",
          out);
}

/* Where a density has instances in a row: none where the item is not for it,
 * because one that is built in stands between those of the job. */
static void emit_mask(FILE *out, set s, const bosc_nm_member *m)
{
    bosc_nm_emit_named(out, m->name,
                       "        at_@.mask = mask_of(&job->of_@.head, row);\n");
    if (find(s, replaces) != NULL)
        fprintf(out,
                "        if (it->begin > %d || it->end <= %d)\n"
                "            at_%s.mask.y = 0;\n",
                m->number, m->number, m->name);
}

/* Where all of them have instances in a row; if nowhere, on to the next. */
static void emit_find(FILE *out, set s, is_one *is)
{
    const char *before = "        const uint32_t any = ";

    each(out, s, is, "        bosc_cuda_one_@ at_@;\n");
    fputs("\n", out);
    for (int i = 0; i < s.n; ++i)
        if (is(&s.all[i]))
            emit_mask(out, s, &s.all[i]);
    fputs("\n", out);
    for (int i = 0; i < s.n; ++i)
        if (is(&s.all[i])) {
            fprintf(out, "%sat_%s.mask.y", before, s.all[i].name);
            before = " |\n                             ";
        }
    fputs(";\n\n        if (any == 0)\n            continue;\n", out);
}

static void emit_read(FILE *out, const bosc_nm_member *first)
{
    bosc_nm_emit_named(out, first->name,
                       "        job_read_@(&job->of_@, me->k, &at_@);\n");
}

/* Add what each of them gives, once the states of the next one are on their
 * way. */
static void emit_current_calls(FILE *out, set s)
{
    const bosc_nm_member *last = NULL;

    for (int i = 0; i <= s.n; ++i) {
        if (i < s.n && !flows(&s.all[i]))
            continue;
        if (last != NULL && i < s.n)
            emit_read(out, &s.all[i]);
        if (last != NULL)
            bosc_nm_emit_named(
                out, last->name,
                "        if (is_bit(at_@.mask.y, me->k))\n"
                "            job_current_@(&job->of_@, &at, &at_@);\n");
        last = i < s.n ? &s.all[i] : NULL;
    }
}

static void emit_current_all(FILE *out, set s)
{
    const bosc_nm_member *first = find(s, flows);

    fputs("/* Add what all densities of the job give at the slots of a part.  "
          "The states of\n * one are read before the turn of that before it. "
          "*/\n"
          "static __device__ __forceinline__ void\n"
          "current_all(const bosc_cuda_job_args *job, const lane *me,\n"
          "            const item *it, int64_t step)\n{\n"
          "    const bosc_cuda_step *s = me->s;\n\n",
          out);
    emit_row_loop(out);
    emit_find(out, s, flows);
    fputs("        slot at = slot_of(me, row, ((double)step + 0.5) * "
          "s->dt);\n\n",
          out);
    emit_read(out, first);
    bosc_nm_emit_named(
        out, first->name,
        "        if (is_bit(any, me->k)) {\n"
        "            at.scale = __ldg(&job->of_@.head.scale[at.slot]);\n"
        "            at.d = s->d[at.slot];\n"
        "            at.b = s->b[at.slot];\n"
        "        }\n");
    emit_current_calls(out, s);
    fputs("        if (is_bit(any, me->k)) {\n"
          "            s->d[at.slot] = at.d;\n"
          "            s->b[at.slot] = at.b;\n"
          "        }\n    }\n}\n\n",
          out);
}

/* The densities from number 'deferred' on, without quick quotients. */
static void emit_deferred(FILE *out, set s)
{
    int number = 0;

    fputs("/* Advance those at a lane's slot whose quick form did not hold: "
          "from the one\n * with the number 'deferred' on. */\n"
          "static __device__ __noinline__ void\n"
          "advance_deferred(const bosc_cuda_job_args *job, const item *it, "
          "int32_t row,\n"
          "                 int32_t k, slot at, int32_t deferred)\n{\n",
          out);
    for (int i = 0; i < s.n; ++i) {
        if (!evolves(&s.all[i]))
            continue;
        bosc_nm_emit_named(out, s.all[i].name,
                           "    {\n        bosc_cuda_one_@ at_@;\n\n");
        emit_mask(out, s, &s.all[i]);
        bosc_nm_emit_named(out, s.all[i].name,
                           "        job_read_@(&job->of_@, k, &at_@);\n");
        fprintf(out, "        if (deferred <= %d && is_bit(at_%s.mask.y, k))\n",
                number++, s.all[i].name);
        bosc_nm_emit_named(out, s.all[i].name,
                           "            job_advance_@(&job->of_@, &at, &at_@, "
                           "false);\n    }\n");
    }
    fputs("}\n\n", out);
}

static void emit_advance_calls(FILE *out, set s)
{
    const bosc_nm_member *last = NULL;
    int number = 0;

    for (int i = 0; i <= s.n; ++i) {
        if (i < s.n && !evolves(&s.all[i]))
            continue;
        if (last != NULL && i < s.n)
            emit_read(out, &s.all[i]);
        if (last != NULL) {
            bosc_nm_emit_named(out, last->name,
                               "        if (is_bit(at_@.mask.y, me->k) &&");
            fputs(number > 0 ? " deferred == NONE &&\n            !"
                             : "\n            !",
                  out);
            bosc_nm_emit_named(out, last->name,
                               "job_advance_@(&job->of_@, &at, &at_@, true))"
                               "\n");
            fprintf(out, "            deferred = %d;\n", number++);
        }
        last = i < s.n ? &s.all[i] : NULL;
    }
}

static void emit_advance_all(FILE *out, set s)
{
    emit_deferred(out, s);
    fputs("/* Advance all densities of the job at the slots of a part. */\n"
          "static __device__ __forceinline__ void\n"
          "advance_all(const bosc_cuda_job_args *job, const lane *me,\n"
          "            const item *it, int64_t step)\n{\n",
          out);
    emit_row_loop(out);
    emit_find(out, s, evolves);
    fputs("        const slot at = slot_of(me, row, ((double)step + 1) * "
          "me->s->dt);\n        int32_t deferred = NONE;\n\n",
          out);
    emit_read(out, find(s, evolves));
    emit_advance_calls(out, s);
    fputs("        if (deferred != NONE)\n"
          "            advance_deferred(job, it, row, me->k, at, deferred);\n"
          "    }\n}\n\n",
          out);
}

/* --- groups --------------------------------------------------------------- */

static bool is_own(const bosc_nm_member *m)
{
    return m->own;
}

static void emit_job(FILE *out, set s)
{
    for (int i = 0; i < s.n; ++i)
        if (s.all[i].own && !s.all[i].builtin)
            fprintf(out, "enum { BOSC_MECH_%s = %d };\n", s.all[i].name,
                    (int)s.all[i].number);
    fputs("\n/* What the job has of its own mechanisms. */\n"
          "struct bosc_cuda_job_args {\n",
          out);
    each(out, s, is_own, "    bosc_cuda_mech_args_@ of_@;\n");
    fputs("};\n\n", out);
}

/* CURRENT or ADVANCE by numbers: in blocks, all densities together, full point
 * processes. */
static void emit_phase(FILE *out, set s, const char *phase, is_one *together,
                       is_one *alone)
{
    const bosc_nm_member *first = find(s, is_density);

    fprintf(out,
            "static __device__ __forceinline__ void\n"
            "%s(const bosc_cuda_job_args *job, bosc_cuda_work work,\n"
            "        const lane *me, const item *it, int64_t step)\n{\n"
            "    const bosc_cuda_block *block = &me->s->blocks[work.block];\n"
            "\n",
            phase);
    begin_switch(out, "work.mech");
    for (int i = 0; i < s.n; ++i)
        if (in_blocks(&s.all[i]))
            fprintf(out,
                    "    case BOSC_MECH_%s:\n"
                    "        %s_block<%s_of_%s>(block, me, it);\n"
                    "        break;\n",
                    s.all[i].name, phase, phase, s.all[i].name);
    if (together == flows) /* they advance nothing */
        each(out, s, is_stimulus,
             "    case BOSC_MECH_@:\n"
             "        stimulus_block<stimulus_of_@>(block, me, it, step);\n"
             "        break;\n");
    if (find(s, together) != NULL)
        fprintf(out,
                "    case BOSC_MECH_%s: /* all densities */\n"
                "        %s_all(job, me, it, step);\n"
                "        break;\n",
                first->name, phase);
    each_of_job(out, s, alone, phase, "work.block", "me, it, step");
    end_switch(out);
}

/* What those do of a block that comes beside 'me'. */
static void emit_block_switch(FILE *out, set s, is_one *is,
                              const char *function, const char *block,
                              const char *more)
{
    if (find(s, is) == NULL) {
        fputs("    /* no mechanism does */\n}\n\n", out);
        return;
    }
    fprintf(out,
            "    const bosc_cuda_job_args *job = me->job;\n\n"
            "    switch (me->s->blocks[%s].mech) {\n",
            block);
    each_of_job(out, s, is, function, block, more);
    end_switch(out);
}

void bosc_nm_emit_groups(FILE *out, const bosc_nm_member *all, int n)
{
    const set s = {all, n};

    emit_job(out, s);
    if (find(s, flows) != NULL)
        emit_current_all(out, s);
    if (find(s, evolves) != NULL)
        emit_advance_all(out, s);
    fputs("/* Add what a block, or all densities of the job, give in a part. "
          "*/\n",
          out);
    emit_phase(out, s, "current", flows, flows_alone);
    fputs("/* Advance them. */\n", out);
    emit_phase(out, s, "advance", evolves, evolves_alone);
    emit_receive(out, s);
    fputs("/* Let an instance of a full mechanism receive an event. */\n"
          "static __device__ void\n"
          "receive_full(const lane *me, const bosc_cuda_self *event)\n{\n",
          out);
    emit_block_switch(out, s, receives_full, "receive", "event->block",
                      "me, event");
    fputs("/* Let the instances of block m look at what they watch, at a time "
          "(ms). */\n"
          "static __device__ void\n"
          "watch_full(const lane *me, int32_t m, double now)\n{\n",
          out);
    emit_block_switch(out, s, watches, "watch", "m", "me, m, now");
}
