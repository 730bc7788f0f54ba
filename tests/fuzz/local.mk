# tests/fuzz: libFuzzer harnesses.  'make fuzz' builds them with clang and the
# sanitizers, and all that they are linked with, in a build folder of their own,
# fuzz/; 'make fuzz-run SECONDS=60 FUZZ=swc' runs one.
fuzz_programs = tests/fuzz/swc tests/fuzz/job tests/fuzz/table \
	tests/fuzz/machine tests/fuzz/result tests/fuzz/nmodl \
	tests/fuzz/formula tests/fuzz/values
EXTRA_PROGRAMS += $(fuzz_programs)
EXTRA_DIST += tests/fuzz/run tests/fuzz/corpus tests/fuzz/found
fuzz_common = tests/fuzz/fuzz.c tests/fuzz/fuzz.h tests/lib/mechs.c \
	tests/lib/mechs.h
fuzz_libs = libbosc.a $(NETCDF_LIBS) $(YAML_LIBS)
tests_fuzz_swc_SOURCES = tests/fuzz/swc.c $(fuzz_common)
tests_fuzz_swc_LDADD = $(fuzz_libs)
tests_fuzz_swc_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_job_SOURCES = tests/fuzz/job.c $(fuzz_common)
tests_fuzz_job_LDADD = $(fuzz_libs)
tests_fuzz_job_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_table_SOURCES = tests/fuzz/table.c $(fuzz_common)
tests_fuzz_table_LDADD = $(fuzz_libs)
tests_fuzz_table_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_machine_SOURCES = tests/fuzz/machine.c $(fuzz_common)
tests_fuzz_machine_LDADD = $(fuzz_libs)
tests_fuzz_machine_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_result_SOURCES = tests/fuzz/result.c $(fuzz_common)
tests_fuzz_result_LDADD = $(fuzz_libs)
tests_fuzz_result_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_nmodl_SOURCES = tests/fuzz/nmodl.c $(fuzz_common)
tests_fuzz_nmodl_LDADD = $(fuzz_libs)
tests_fuzz_nmodl_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_formula_SOURCES = tests/fuzz/formula.c $(fuzz_common)
tests_fuzz_formula_LDADD = $(fuzz_libs)
tests_fuzz_formula_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_values_SOURCES = tests/fuzz/values.c $(fuzz_common)
tests_fuzz_values_LDADD = $(fuzz_libs)
tests_fuzz_values_LDFLAGS = -fsanitize=fuzzer

CLANG = clang
fuzz_cflags = -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined -Wno-pass-failed
fuzz/Makefile:
	$(MKDIR_P) fuzz
	cd fuzz && $(abs_top_srcdir)/configure NVCC=no \
	  CC='env MPICH_CC=$(CLANG) OMPI_CC=$(CLANG) $(CC)' \
	  CFLAGS='$(fuzz_cflags)'
fuzz: fuzz/Makefile
	cd fuzz && $(MAKE) $(fuzz_programs)
SECONDS = 30
FUZZ =
fuzz-run: fuzz
	bash $(srcdir)/tests/fuzz/run fuzz/tests/fuzz $(SECONDS) $(FUZZ)
clean-local:
	rm -rf fuzz
.PHONY: fuzz fuzz-run
