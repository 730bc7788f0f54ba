/* Read the <morphology> of a NeuroML 2 file: elements to segments and groups.
 *
 *     <morphology>
 *       <segment id="1" name="...">
 *         <parent segment="0" fractionAlong="1"/>
 *         <proximal x="" y="" z="" diameter=""/> <distal .../>
 *       </segment>
 *       <segmentGroup id="..." neuroLexId="sao864921383">
 *         <property tag="numberInternalDivisions" value="5"/>
 *         <member segment="1"/> <include segmentGroup="..."/>
 *       </segmentGroup>
 *     </morphology>
 *
 * All lengths are um.  A document type, which could have entities, is refused,
 * and so are elements nested deeper than a cell's.
 */
#include "config.h" /* whether there is expat */

#include "src/morphology/read/format.h"

#ifdef HAVE_EXPAT
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/read/nml.h"
#include "src/text/number.h"

enum { DEEPEST = 100, MOST = INT32_MAX / 4, MOST_DIVISIONS = 32767 };

static const char unbranched[] = "sao864921383";

typedef struct reader {
    bosc_nml nml;
    XML_Parser parser;
    const bosc_mending *m;
    bosc_status st;
    int depth, morphology_depth; /* 0: not inside of one */
    int n_morphologies;
    bool in_segment, in_group;
} reader;

static int64_t line_of(const reader *r)
{
    return (int64_t)XML_GetCurrentLineNumber(r->parser);
}

/* Keep the first failure, and go no further. */
static void stop(reader *r, bosc_status st)
{
    if (r->st == BOSC_OK)
        r->st = st;
    if (r->st != BOSC_OK)
        XML_StopParser(r->parser, XML_FALSE);
}

#define REFUSE(r, ...)                                                         \
    do {                                                                       \
        if ((r)->st == BOSC_OK)                                                \
            stop(r, bosc_fail_at((r)->m->err, BOSC_EFORMAT, (r)->m->name,      \
                                 line_of(r), __VA_ARGS__));                    \
    } while (0)

static const char *find(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static double number(reader *r, const char *element, const char **attributes,
                     const char *name)
{
    const char *text = find(attributes, name);
    double value = 0;

    if (text == NULL) {
        REFUSE(r, "<%s> without %s", element, name);
        return 0;
    }
    text += strspn(text, " \t\n");

    const char *end = bosc_number_parse(text, text + strlen(text), &value);

    if (end == NULL || end[strspn(end, " \t\n")] != '\0')
        REFUSE(r, "%s of <%s> is '%.24s', no number", name, element, text);
    return value;
}

static int64_t whole(reader *r, const char *element, const char **attributes,
                     const char *name)
{
    const char *text = find(attributes, name);
    int64_t value = 0;

    if (text == NULL)
        REFUSE(r, "<%s> without %s", element, name);
    else if (!bosc_number_whole(text, text + strlen(text), &value))
        REFUSE(r, "%s of <%s> is '%.24s', no whole number", name, element,
               text);
    return value;
}

static bool grow(reader *r, void *array, int which, int32_t n, size_t size)
{
    if (n < MOST && bosc_grow(array, &r->nml.room[which], (size_t)n + 1, size))
        return true;
    stop(r, bosc_mend_no_memory(r->m));
    return false;
}

static void begin_segment(reader *r, const char **attributes)
{
    bosc_nml *nml = &r->nml;

    if (find(attributes, "parent") != NULL) {
        REFUSE(r, "a segment of NeuroML 1; convert it to NeuroML 2, or to SWC");
        return;
    }
    if (!grow(r, &nml->segment, 0, nml->n_segments, sizeof *nml->segment))
        return;
    r->in_segment = true;
    nml->segment[nml->n_segments++] =
        (bosc_nml_segment){.id = whole(r, "segment", attributes, "id"),
                           .fraction = 1,
                           .line = line_of(r)};
}

static void read_end(reader *r, const char *name, const char **attributes)
{
    bosc_nml_segment *s = &r->nml.segment[r->nml.n_segments - 1];
    const bool proximal = name[0] == 'p';
    const bosc_draft_point p = {.xyz = {number(r, name, attributes, "x"),
                                        number(r, name, attributes, "y"),
                                        number(r, name, attributes, "z")},
                                .diam = number(r, name, attributes, "diameter"),
                                .line = line_of(r)};

    if (proximal ? s->has_proximal : s->has_distal)
        REFUSE(r, "a second <%s> of segment %lld", name, (long long)s->id);
    *(proximal ? &s->proximal : &s->distal) = p;
    *(proximal ? &s->has_proximal : &s->has_distal) = true;
}

static void read_parent(reader *r, const char **attributes)
{
    bosc_nml_segment *s = &r->nml.segment[r->nml.n_segments - 1];

    s->has_parent = true;
    s->parent_id = whole(r, "parent", attributes, "segment");
    if (find(attributes, "fractionAlong") != NULL)
        s->fraction = number(r, "parent", attributes, "fractionAlong");
    if (!(s->fraction >= 0 && s->fraction <= 1))
        REFUSE(r, "fractionAlong is %g, not within 0 to 1", s->fraction);
}

static void begin_group(reader *r, const char **attributes)
{
    bosc_nml *nml = &r->nml;
    const char *name = find(attributes, "id");
    const char *lex = find(attributes, "neuroLexId");

    if (!grow(r, &nml->group, 1, nml->n_groups, sizeof *nml->group))
        return;
    r->in_group = true;
    nml->group[nml->n_groups] = (bosc_nml_group){
        .name = bosc_strdup(name != NULL ? name : ""),
        .unbranched = lex != NULL && strcmp(lex, unbranched) == 0,
        .line = line_of(r),
        .first_member = nml->n_members,
        .first_include = nml->n_includes};
    if (nml->group[nml->n_groups++].name == NULL)
        stop(r, bosc_mend_no_memory(r->m));
}

static void read_member(reader *r, const char **attributes)
{
    bosc_nml *nml = &r->nml;

    if (!grow(r, &nml->member, 2, nml->n_members, sizeof *nml->member))
        return;
    nml->member[nml->n_members++] = whole(r, "member", attributes, "segment");
    nml->group[nml->n_groups - 1].n_members++;
}

static void read_include(reader *r, const char **attributes)
{
    bosc_nml *nml = &r->nml;
    const char *name = find(attributes, "segmentGroup");

    if (name == NULL ||
        !grow(r, &nml->include, 3, nml->n_includes, sizeof *nml->include))
        return;
    if ((nml->include[nml->n_includes] = bosc_strdup(name)) == NULL) {
        stop(r, bosc_mend_no_memory(r->m));
        return;
    }
    nml->n_includes++;
    nml->group[nml->n_groups - 1].n_includes++;
}

/* numberInternalDivisions is the number of compartments of a section; other
 * properties are left to others. */
static void read_property(reader *r, const char **attributes)
{
    static const char counts[] = "numberInternalDivisions";
    bosc_nml_group *group = &r->nml.group[r->nml.n_groups - 1];
    const char *tag = find(attributes, "tag");
    int64_t n;

    if (tag == NULL || strcmp(tag, counts) != 0)
        return;
    n = whole(r, "property", attributes, "value");
    if (r->st == BOSC_OK && (n < 1 || n > MOST_DIVISIONS))
        REFUSE(r, "%s of '%s' is %lld, not within 1 to %d", counts, group->name,
               (long long)n, MOST_DIVISIONS);
    else if (r->st == BOSC_OK && !group->unbranched)
        stop(r,
             bosc_mend(r->m, line_of(r), "left out",
                       "give it to the unbranched groups, which are sections",
                       "%s of '%s', which is no section", counts, group->name));
    else
        group->divisions = (int32_t)n;
}

static void begin_in_morphology(reader *r, const char *name,
                                const char **attributes)
{
    if (r->in_segment && strcmp(name, "parent") == 0)
        read_parent(r, attributes);
    else if (r->in_segment &&
             (strcmp(name, "proximal") == 0 || strcmp(name, "distal") == 0))
        read_end(r, name, attributes);
    else if (r->in_group && strcmp(name, "member") == 0)
        read_member(r, attributes);
    else if (r->in_group && strcmp(name, "include") == 0)
        read_include(r, attributes);
    else if (r->in_group && strcmp(name, "property") == 0)
        read_property(r, attributes);
    else if (r->in_group &&
             (strcmp(name, "path") == 0 || strcmp(name, "subTree") == 0))
        stop(r, bosc_mend(r->m, line_of(r), "left out",
                          "list the members of the group",
                          "<%s> in a segmentGroup", name));
    else if (!r->in_segment && !r->in_group && strcmp(name, "segment") == 0)
        begin_segment(r, attributes);
    else if (!r->in_segment && !r->in_group &&
             strcmp(name, "segmentGroup") == 0)
        begin_group(r, attributes);
}

static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon != NULL ? colon + 1 : name;
}

static void XMLCALL begin(void *data, const char *qualified,
                          const char **attributes)
{
    reader *r = data;
    const char *name = local_name(qualified);

    if (++r->depth > DEEPEST)
        REFUSE(r, "elements nested deeper than %d; is it a cell?", DEEPEST);
    else if (r->morphology_depth > 0)
        begin_in_morphology(r, name, attributes);
    else if (strcmp(name, "morphology") == 0) {
        r->morphology_depth = r->depth;
        if (++r->n_morphologies > 1)
            REFUSE(r, "a second <morphology>; a file has one neuron");
    }
}

static void XMLCALL end(void *data, const char *qualified)
{
    reader *r = data;
    const char *name = local_name(qualified);

    if (strcmp(name, "segment") == 0)
        r->in_segment = false;
    else if (strcmp(name, "segmentGroup") == 0)
        r->in_group = false;
    if (r->depth-- == r->morphology_depth)
        r->morphology_depth = 0;
}

static void XMLCALL refuse_doctype(void *data, const char *name,
                                   const char *system, const char *public,
                                   int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    REFUSE((reader *)data, "a document type; delete it, NeuroML has none");
}

static bosc_status parse(reader *r, const char *text, size_t bytes)
{
    enum { PIECE = 1 << 20 };
    bool last = false;

    for (size_t at = 0; !last && r->st == BOSC_OK; at += PIECE) {
        const size_t n = bytes - at < PIECE ? bytes - at : PIECE;

        last = at + n == bytes;
        if (XML_Parse(r->parser, text + at, (int)n, last) == XML_STATUS_ERROR &&
            r->st == BOSC_OK)
            r->st = bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name,
                                 line_of(r), "%s",
                                 XML_ErrorString(XML_GetErrorCode(r->parser)));
    }
    if (r->st == BOSC_OK && r->nml.n_segments == 0)
        r->st = bosc_fail(r->m->err, BOSC_EFORMAT,
                          "%s: no <segment> in a <morphology>; is it a cell "
                          "of NeuroML 2?",
                          r->m->name);
    return r->st;
}

static void clear(bosc_nml *nml)
{
    for (int32_t g = 0; g < nml->n_groups; ++g)
        free(nml->group[g].name);
    for (int32_t i = 0; i < nml->n_includes; ++i)
        free(nml->include[i]);
    free(nml->segment);
    free(nml->group);
    free(nml->member);
    free(nml->include);
}

bosc_status bosc_nml_read(const char *text, size_t bytes, const char *name,
                          bool strict, bosc_morphology *out, bosc_error *err)
{
    const bosc_mending m = {name, strict, err, &out->repairs};
    reader r = {.parser = XML_ParserCreate(NULL), .m = &m};
    bosc_drafts drafts = {0};

    if (r.parser == NULL)
        return bosc_mend_no_memory(&m);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    XML_SetStartDoctypeDeclHandler(r.parser, refuse_doctype);

    bosc_status st = parse(&r, text, bytes);

    if (st == BOSC_OK)
        st = bosc_nml_resolve(&r.nml, &m);
    if (st == BOSC_OK)
        st = bosc_nml_sections(&r.nml, &m, &drafts);
    out->file.samples = r.nml.n_segments;
    if (st == BOSC_OK)
        st = bosc_drafts_finish(&drafts, &m, out);
    bosc_drafts_clear(&drafts);
    clear(&r.nml);
    XML_ParserFree(r.parser);
    return st;
}
#else
bosc_status bosc_nml_read(const char *text, size_t bytes, const char *name,
                          bool strict, bosc_morphology *out, bosc_error *err)
{
    (void)text, (void)bytes, (void)strict, (void)out;
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: bosc was built without expat and reads no NeuroML; "
                     "install libexpat1-dev and build it again",
                     name);
}
#endif
