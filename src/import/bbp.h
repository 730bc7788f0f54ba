/* bbp.h - the JSON file of mechanisms, distributions and parameters of a model
 * of the Blue Brain Project, in its two forms:
 *
 *     {"mechanisms": {"somatic": {"mech": ["NaTg"]}},
 *      "distributions": {"exp": {"fun": "...{distance}...*{value}"}},
 *      "parameters": {"somatic": [{"name": "gNaTgbar_NaTg", "val": [0, 1]}]}}
 *
 *     {"mechanisms": [{"name": "NaTg", "location": "somatic"}],
 *      "distributions": [{"name": "exp", "function": "..."}],
 *      "parameters": [{"name": ..., "value": [0, 1], "location": "somatic"}]}
 *
 * Serial code.  Internal to src/import.
 */
#ifndef BOSC_SRC_IMPORT_BBP_H
#define BOSC_SRC_IMPORT_BBP_H

#include "src/import/cell.h"
#include "src/import/values.h"

/* Its statements, with the values of free parameters. */
void bosc_bbp_model(bosc_cell *cell, bosc_item top, bosc_import_values *values);

/* The location of an item's text, or of its key; it fails where there is none
 * of that name. */
unsigned bosc_bbp_location(bosc_import *imp, bosc_item item, const char *name);

#endif
