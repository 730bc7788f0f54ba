/* json.h - JSON as YAML that libyaml reads.
 *
 * A leaf.  YAML 1.2 contains JSON, but libyaml refuses tabs at the beginning of
 * a block, the escape "\/" in old versions, and pairs of surrogates.
 */
#ifndef BOSC_SRC_IMPORT_JSON_H
#define BOSC_SRC_IMPORT_JSON_H

/* The same text with blanks for tabs outside of strings, '/' for '\/', and one
 * "\U0001f600" for a pair of surrogates, "\ud83d\ude00".  Lines stay what they
 * are.  free()d by the caller; NULL without memory. */
char *bosc_json_as_yaml(const char *text);

#endif
