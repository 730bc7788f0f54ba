#include "src/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/checksum.h"
#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/sweep/members.h"

enum {
    FEW = 16,      /* members are not worth several threads */
    AT_ONCE = 1024 /* are in memory, each with a text of its values */
};

/* All members, while those of one group are put together. */
typedef struct work {
    const bosc_sweep_request *request;
    const bosc_job_tree *tree;
    bosc_sweep_axes axes;
    bool *chosen; /* [axes.n_members] */
    int n_groups;
    size_t group_room, job_room, member_room;
    char **common;     /* [n_groups] */
    bosc_sweep *sweep; /* of the group asked for; n_members: so far */
    bosc_job **own;    /* [sweep->n_members] */
} work;

static bosc_status no_memory(bosc_error *err)
{
    return bosc_no_memory(err, "the members of the sweep");
}

/* --- which members ------------------------------------------------------- */

static bosc_status refuse_list(const work *w, const char *text, bosc_error *err)
{
    return bosc_fail(err, BOSC_EUSAGE,
                     "--member %s: '%s' is no member; the sweep has %d: write "
                     "numbers from 0 to %d, such as 3, or 0-2,5",
                     w->request->members, text, w->axes.n_members,
                     w->axes.n_members - 1);
}

/* "3" or "0-2" */
static bosc_status choose_range(work *w, const char *text, bosc_error *err)
{
    char *end;
    long first = strtol(text, &end, 10), last = first;

    if (end == text || text[0] < '0' || text[0] > '9')
        return refuse_list(w, text, err);
    if (*end == '-') {
        const char *second = end + 1;

        last = strtol(second, &end, 10);
        if (end == second || second[0] < '0' || second[0] > '9')
            return refuse_list(w, text, err);
    }
    if (*end != '\0' || last >= w->axes.n_members || first > last)
        return refuse_list(w, text, err);
    for (long i = first; i <= last; ++i)
        w->chosen[i] = true;
    return BOSC_OK;
}

static bosc_status choose(work *w, bosc_error *err)
{
    const size_t n = (size_t)w->axes.n_members;
    char *list, *rest = NULL;
    bosc_status st = BOSC_OK;

    if ((w->chosen = bosc_alloc(n, sizeof *w->chosen)) == NULL)
        return no_memory(err);
    if (w->request->members == NULL) {
        memset(w->chosen, true, n * sizeof *w->chosen);
        return BOSC_OK;
    }
    if ((list = bosc_strdup(w->request->members)) == NULL)
        return no_memory(err);
    if (list[0] == '\0')
        st = refuse_list(w, "", err);
    for (char *word = strtok_r(list, ",", &rest); st == BOSC_OK && word != NULL;
         word = strtok_r(NULL, ",", &rest))
        st = choose_range(w, word, err);
    free(list);
    return st;
}

/* --- one after another --------------------------------------------------- */

/* The group of a job, a new one where it shares the time loop of none. */
static bosc_status find_group(work *w, const bosc_job *job, const char *values,
                              int *group, bosc_error *err)
{
    char *common = bosc_sweep_common(job, values);

    if (common == NULL)
        return no_memory(err);
    for (*group = 0; *group < w->n_groups; ++*group)
        if (strcmp(w->common[*group], common) == 0) {
            free(common);
            return BOSC_OK;
        }
    if (!bosc_grow(&w->common, &w->group_room, (size_t)w->n_groups + 1,
                   sizeof *w->common)) {
        free(common);
        return no_memory(err);
    }
    w->common[w->n_groups++] = common;
    return BOSC_OK;
}

/* Take a member into the job; 'values', of its own, are taken over by the
 * first. */
static bosc_status take(work *w, int number, bosc_job *job, char **values,
                        uint64_t checksum, bosc_error *err)
{
    bosc_sweep *sweep = w->sweep;
    const size_t n = (size_t)sweep->n_members;

    if (!bosc_grow(&w->own, &w->job_room, n + 1, sizeof *w->own) ||
        !bosc_grow(&sweep->members, &w->member_room, n + 1,
                   sizeof *sweep->members)) {
        bosc_job_destroy(job);
        return no_memory(err);
    }
    w->own[n] = job;
    sweep->members[n] = (bosc_member){.checksum = checksum};
    ++sweep->n_members;
    if (n == 0) {
        sweep->values = *values;
        *values = NULL;
    }
    return bosc_sweep_member_describe(&w->axes, number, sweep->keys,
                                      &sweep->members[n], err);
}

/* A member that has been read. */
typedef struct parsed {
    bosc_job *job;
    char *values; /* of it alone */
} parsed;

static bosc_status parse_member(const work *w, int number, parsed *member,
                                bosc_error *err)
{
    const bosc_status st = bosc_sweep_member_job(
        &w->axes, w->tree, w->request->path, number, &member->job, err);

    if (st != BOSC_OK)
        return st;
    member->values = bosc_job_values(member->job);
    return member->values != NULL ? BOSC_OK : no_memory(err);
}

/* The job is taken over, or gone. */
static bosc_status add_member(work *w, int number, parsed *member,
                              bosc_error *err)
{
    const uint64_t checksum = bosc_checksum(BOSC_CHECKSUM_BEGIN, member->values,
                                            strlen(member->values));
    bosc_job *job = member->job;
    int group = -1;
    bosc_status st = BOSC_OK;

    member->job = NULL;
    w->sweep->checksum =
        bosc_checksum(w->sweep->checksum, &checksum, sizeof checksum);
    if (w->chosen[number])
        st = find_group(w, job, member->values, &group, err);
    if (st == BOSC_OK && group == w->request->group)
        return take(w, number, job, &member->values, checksum, err);
    bosc_job_destroy(job);
    return st;
}

/* Members begin..begin + n - 1, read by all threads, added in their order. */
static bosc_status add_some(work *w, int begin, int n, parsed *some,
                            bosc_error *err)
{
    bosc_first_error first = {0};
    bosc_status st;

#pragma omp parallel for schedule(dynamic, 4) if (n > FEW)
    for (int i = 0; i < n; ++i) {
        bosc_error local;

        some[i] = (parsed){0};
        bosc_first_error_note(
            &first, i, parse_member(w, begin + i, &some[i], &local), &local);
    }
    st = bosc_first_error_get(&first, err);
    for (int i = 0; i < n; ++i) {
        if (st == BOSC_OK)
            st = add_member(w, begin + i, &some[i], err);
        bosc_job_destroy(some[i].job);
        free(some[i].values);
    }
    return st;
}

static bosc_status add_members(work *w, bosc_error *err)
{
    const int n = w->axes.n_members;
    parsed *some = bosc_alloc(n < AT_ONCE ? (size_t)n : AT_ONCE, sizeof *some);
    bosc_status st = some == NULL ? no_memory(err) : BOSC_OK;

    for (int i = 0; st == BOSC_OK && i < n; i += AT_ONCE)
        st = add_some(w, i, n - i < AT_ONCE ? n - i : AT_ONCE, some, err);
    free(some);
    return st;
}

static bosc_status check_group(const work *w, bosc_error *err)
{
    if (w->request->group < w->n_groups)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE,
                     "--group %d: the sweep has %d group%s of members that can "
                     "run together; write a number from 0 to %d",
                     (int)w->request->group, w->n_groups,
                     w->n_groups == 1 ? "" : "s", w->n_groups - 1);
}

/* A key of the command line that members set otherwise. */
static bosc_status check_set(const work *w, bosc_error *err)
{
    for (int i = 0; i < w->request->set->n; ++i)
        for (int k = 0; k < w->axes.n_keys; ++k) {
            const char *set = w->request->set->text[i];
            const char *key = w->axes.key[k]->key;
            const size_t n = strlen(key);

            if (strncmp(set, key, n) == 0 && strchr("=.[", set[n]) != NULL)
                return bosc_fail(err, BOSC_EUSAGE,
                                 "--set %s: the sweep gives %s its values; "
                                 "leave one of them out, the sweep with --set "
                                 "sweep=null",
                                 set, key);
        }
    return BOSC_OK;
}

static bosc_status add_all(work *w, bosc_error *err)
{
    bosc_sweep *sweep = w->sweep;
    bosc_status st = check_set(w, err);

    if (st == BOSC_OK)
        st = choose(w, err);

    sweep->n_keys = w->axes.n_keys;
    sweep->n_all = w->axes.n_members;
    sweep->checksum = BOSC_CHECKSUM_BEGIN;
    sweep->keys = bosc_alloc((size_t)sweep->n_keys, sizeof *sweep->keys);
    if (st == BOSC_OK && sweep->keys == NULL)
        st = no_memory(err);
    if (st == BOSC_OK)
        st = bosc_sweep_keys(&w->axes, sweep->keys, err);
    if (st == BOSC_OK)
        st = add_members(w, err);
    sweep->n_groups = w->n_groups;
    sweep->group = w->request->group;
    return st == BOSC_OK ? check_group(w, err) : st;
}

static void work_clear(work *w)
{
    for (int g = 0; g < w->n_groups; ++g)
        free(w->common[g]);
    free(w->common);
    free(w->chosen);
    bosc_sweep_axes_clear(&w->axes);
}

static bosc_status parse_members(work *w, bosc_job **out, bosc_error *err)
{
    bosc_status st = add_all(w, err);

    if (st != BOSC_OK)
        for (int i = 0; i < w->sweep->n_members; ++i)
            bosc_job_destroy(w->own[i]);
    else
        st = bosc_sweep_join(w->sweep->n_members, w->own, out, err);
    if (st == BOSC_OK)
        (*out)->sweep = w->sweep;
    else
        bosc_sweep_destroy(w->sweep);
    free(w->own);
    return st;
}

/* --- a job with or without ----------------------------------------------- */

static bosc_status refuse_choice(const bosc_sweep_request *request,
                                 bosc_error *err)
{
    if (request->members == NULL && request->group <= 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE,
                     "%s: the job has no key 'sweep', so it has no members or "
                     "groups to choose; leave out --%s",
                     request->path,
                     request->members != NULL ? "member" : "group");
}

bosc_status bosc_sweep_parse(const bosc_sweep_request *request, bosc_job **out,
                             bosc_error *err)
{
    bosc_schema schema = bosc_job_schema;
    bosc_job_tree tree = {0};
    const bosc_yaml *node = NULL;
    bosc_status st =
        bosc_job_tree_create(request->path, request->text, request->set->n,
                             request->set->text, &tree, err);

    schema.mechs = request->mechs;
    if (st == BOSC_OK)
        node = bosc_yaml_get(tree.root, "sweep");
    if (st == BOSC_OK && (node == NULL || bosc_yaml_is_null(node))) {
        st = refuse_choice(request, err);
        if (st == BOSC_OK)
            st = bosc_job_of_tree(&schema, &tree, tree.root, request->path, out,
                                  err);
    } else if (st == BOSC_OK) {
        work w = {.request = request,
                  .tree = &tree,
                  .sweep = bosc_alloc(1, sizeof *w.sweep)};

        st = w.sweep == NULL
                 ? no_memory(err)
                 : bosc_sweep_axes_read(&schema, tree.root, &w.axes, err);
        if (st == BOSC_OK)
            st = parse_members(&w, out, err);
        else
            bosc_sweep_destroy(w.sweep);
        work_clear(&w);
    }
    if (st == BOSC_OK) {
        (*out)->text = tree.text;
        tree.text = NULL;
    }
    bosc_job_tree_clear(&tree);
    return st;
}
