/* What is said of files that are no SWC files, by content and by name. */
#include <string.h>

#include "src/morphology/swc.h"
#include "tests/lib/tap.h"

/* Texts with a zero byte inside are longer than they look. */
#define TEXT(text) (text), sizeof(text) - 1

static const struct {
    const char *name, *text;
    size_t bytes;
    const char *want; /* err begins so */
} cases[] = {
    {"cell.swc",
     TEXT("; V3 text file written for MicroBrightField products.\n"
          "(\"CellBody\"\n  (Color Red)\n  (CellBody)\n"
          "  (1.0 2.0 3.0 1.0) ; 1, 1\n)\n"),
     "cell.swc: this is Neurolucida ASCII, not SWC; end its name in .asc"},
    {"a/b.ASC", TEXT("( (Thing) 1 2 3 4 5 )\n"),
     "a/b.ASC: this is Neurolucida ASCII by its ending, not SWC; end its name"},
    {"cell", TEXT("\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08"),
     "cell: this is HDF5, not SWC; convert it"},
    {"cell.swc", TEXT("<?xml version=\"1.0\"?>\n<neuroml xmlns=\"x\">\n"),
     "cell.swc: this is NeuroML, not SWC; end its name in .nml"},
    {"cell.nml", TEXT("\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<things>\n"),
     "cell.nml: this is a KNOSSOS skeleton, not SWC; write SWC from it"},
    {"cell.xml", TEXT("\xEF\xBB\xBF \n<?xml version=\"1.0\"?>\n<a/>\n"),
     "cell.xml: this is XML, not SWC; write SWC from it"},
    {"cell.CNG.swc", TEXT("<!DOCTYPE html>\n<html><head><title>404</title>\n"),
     "cell.CNG.swc: this is an HTML page, not SWC; download"},
    {"cell", TEXT("create soma, dend[2]\nsoma { pt3dadd(0, 0, 0, 10) }\n"),
     "cell: this is a NEURON program, not SWC; write SWC from it"},
    {"cell.hoc", TEXT("proc topol() {}\n"),
     "cell.hoc: this is a NEURON program by its ending, not SWC"},
    {"cell", TEXT("#!/usr/bin/env python\nimport neuron\n"),
     "cell: this is a Python program, not SWC; name an SWC file"},
    {"cell", TEXT("  {\"soma\": [0, 0, 0, 5]}\n"),
     "cell: this is JSON, not SWC; name an SWC file"},
    {"cell", TEXT("*relative\n*set_compt_param RM 2.0\nsoma none 0 0 20 20\n"),
     "cell: this is a GENESIS cell, not SWC; write SWC from it"},
    {"cell", TEXT("Point(1) = {0, 0, 0, 1};\nLine(1) = {1, 2};\n"),
     "cell: this is a Gmsh geometry, not SWC; name an SWC file"},
    {"cell.swc.gz", TEXT("\x1f\x8b\x08\0\0\0"),
     "cell.swc.gz: this is compressed, not SWC; unpack it"},
    {"cells.zip", TEXT("PK\x03\x04\x14\0"),
     "cells.zip: this is compressed, not SWC; unpack it"},
    {"run.nc", TEXT("\x89HDF\r\n\x1a\n\0"), "run.nc: this is a netCDF file"},
    {"run", TEXT("CDF\x01\0\0\0"), "run: this is a netCDF file"},
    {"my.yaml", TEXT("tstop: 100\npopulations: []\n"),
     "my.yaml: this is a job by its ending, not SWC; 'bosc run"},
    {"cell.asc", TEXT("1 1 0 0 0 5 -1\n2 3 0 0\n"),
     "cell.asc:2: only 4 of 7 columns"},
    {"readme.md", TEXT("Cells of two kinds (layer 5).\n"), "readme.md:1: "},
    {"cell.swc", TEXT("1 1 0 0 0 nan5 -1\n"),
     "cell.swc:1: radius 'nan5' is not a number"},
    /* comments of SWC files say where they are from */
    {"cell.swc",
     TEXT("# Original file MicroBrightField .asc\n1 1 0.0 0.0 0.0 0,5 -1\n"),
     "cell.swc:2: "},
    {"cell.swc", TEXT("# from NEURON with pt3dadd\n1 1 0 0\n"), "cell.swc:2: "},
    {"cell.swc", TEXT("\n # Stained (Axon)\r\n#\r\n1 1 0 0 0 nan5 -1\r\n"),
     "cell.swc:4: radius 'nan5' is not a number"},
    {"cell.swc",
     TEXT("# converted, Point( x y z )\n1 1 0 0 0 nan5 -1 # <html>\n# (Axon)"),
     "cell.swc:2: radius 'nan5' is not a number"},
    {"cell", TEXT("# made by hand\ncreate soma, dend[2]\n"),
     "cell: this is a NEURON program, not SWC"},
};

int main(void)
{
    bosc_swc *swc = NULL;

    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        for (int strict = 0; strict < 2; ++strict) {
            bosc_error err = {""};
            const bosc_status st =
                bosc_swc_parse(cases[i].text, cases[i].bytes, cases[i].name,
                               strict == 1, &swc, &err);

            if (!ok(st == BOSC_EFORMAT && strncmp(err.text, cases[i].want,
                                                  strlen(cases[i].want)) == 0,
                    "%s%.45s", strict == 1 ? "strict: " : "", cases[i].want))
                diag("got %s", err.text);
        }
    ok(bosc_swc_parse(TEXT("<html> (Axon)\n1 1 0 0 0 5 -1\n"), "cell.asc",
                      false, &swc, NULL) == BOSC_OK,
       "a file with a sample is SWC, whatever its other lines and its name");
    bosc_swc_destroy(swc);
    return done_testing();
}
