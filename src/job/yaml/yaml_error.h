/* yaml_error.h - what is wrong with a text that libyaml refuses.
 *
 * Serial code.  Internal to yaml_parse.c.
 */
#ifndef BOSC_SRC_JOB_YAML_YAML_ERROR_H
#define BOSC_SRC_JOB_YAML_YAML_ERROR_H

#include <yaml.h>

#include "src/job/yaml/yaml_tree.h"

/* Fail with the line of 'text' to mend and how, from the parser that has just
 * failed on it.  'lines' is false where lines make no sense. */
bosc_status bosc_yaml_complain(const yaml_parser_t *parser, const char *text,
                               const char *source, bool lines, bosc_error *err);

#endif
