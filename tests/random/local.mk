# random: jobs that are drawn, each run in many ways that must give the same bits.
dist_check_SCRIPTS += %D%/random.t %D%/jobs
TESTS += %D%/random.t
EXTRA_DIST += \
	%D%/generate.py %D%/keys.py %D%/killed.py %D%/library.py \
	%D%/members.py %D%/physics.py %D%/places.py %D%/runner.py %D%/schema.py %D%/shapes.py %D%/shrink.py \
	%D%/hosted/bound.mod %D%/hosted/extend.mod %D%/hosted/fire.mod \
	%D%/hosted/heed.mod %D%/hosted/reach.mod %D%/hosted/tap.mod \
	%D%/hosted/tick.mod %D%/mods/alone.mod %D%/mods/cal.mod %D%/mods/cat.mod \
	%D%/mods/corner.mod %D%/mods/depress.mod %D%/mods/hold.mod %D%/mods/ih.mod \
	%D%/mods/kca.mod %D%/mods/kdr.mod %D%/mods/kin.mod %D%/mods/kout.mod \
	%D%/mods/leaky.mod %D%/mods/moments.mod %D%/mods/nap.mod %D%/mods/nmda.mod \
	%D%/mods/noise.mod %D%/mods/pool.mod %D%/mods/prob.mod %D%/mods/pulse.mod \
	%D%/mods/stdp.mod %D%/mods/steep.mod %D%/mods/step.mod %D%/mods/watch.mod

check_PROGRAMS += %D%/library %D%/variants %D%/results
# With nothing of bosc but its shared libraries.
tests_random_library_SOURCES = %D%/library.c
tests_random_library_LDADD = $(libbosc_soname) libbosc-netcdf.so.0
tests_random_library_LDFLAGS = $(library_link)
tests_random_variants_SOURCES = %D%/variants.c
tests_random_variants_LDADD = $(bosc_LDADD)
tests_random_variants_LDFLAGS = $(bosc_LDFLAGS)
tests_random_results_SOURCES = %D%/results.c
tests_random_results_LDADD = $(NETCDF_LIBS)
if HAVE_CXX
check_PROGRAMS += %D%/variants-emulated
tests_random_variants_emulated_SOURCES = %D%/variants.c
tests_random_variants_emulated_LDADD = $(emulated) $(bosc_LDADD)
tests_random_variants_emulated_LDFLAGS = -rdynamic
endif

# What was built of mod files.
clean-local: clean-random
clean-random:
	rm -rf %D%/cache
.PHONY: clean-random
