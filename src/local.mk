# src: reads, packs, loops and writes.

noinst_LIBRARIES += src/libserial.a
src_libserial_a_SOURCES = \
	src/status.c src/status.h \
	src/mem.c src/mem.h \
	src/option.c src/option.h \
	src/wrap.c src/wrap.h
src_libserial_a_SOURCES += \
	src/generate.c src/generate.h \
	src/generate_cmd.c src/commands.h
src_libserial_a_SOURCES += \
	src/store.c src/store.h src/store_file.c \
	src/lock.c src/lock.h \
	src/store_schema.c src/store_schema.h \
	src/store_ranks.c src/store_room.c \
	src/store_define.c src/store_define.h \
	src/store_input.c src/store_input.h \
	src/store_parts.h
if PARALLEL_NETCDF
src_libserial_a_SOURCES += src/store_parts.c
else
src_libserial_a_SOURCES += src/store_whole.c
endif
src_libserial_a_SOURCES += \
	src/number.c src/number.h src/lines.c src/lines.h \
	src/swc.c src/swc.h src/swc_reader.h \
	src/swc_parse.c src/swc_link.c src/swc_radius.c src/swc_kind.c
src_libserial_a_SOURCES += \
	src/import3d.c src/import3d.h src/section.c src/section.h \
	src/cable.c src/cable.h \
	src/cable_order.c src/cable_order.h
src_libserial_a_SOURCES += \
	src/yaml_tree.c src/yaml_tree.h src/yaml_parse.c src/yaml_assign.c \
	src/yaml_complain.c src/yaml_complain.h \
	src/yaml_line.c src/yaml_line.h \
	src/unit.c src/unit.h src/file_kind.c src/file_kind.h \
	src/threads.c src/threads.h \
	src/launch.c src/launch.h \
	src/signals.c src/signals.h \
	src/words.c src/words.h src/lookalike.c src/lookalike.h \
	src/suggest.c src/suggest.h \
	src/params.c src/params.h src/params_keys.h \
	src/params_keys.c src/params_value.c src/params_place.c \
	src/params_region.c src/params_check.c src/params_unknown.c \
	src/params_load.c src/params_set.c src/params_draw.c src/params_network.c \
	src/params_network_check.c \
	src/variable.c src/variable.h \
	src/warning.c src/warning.h src/plausible.c src/plausible.h \
	src/population.c src/population_pack.c src/population.h

# The network.
src_libserial_a_SOURCES += src/random.c src/random.h src/path.c src/path.h
src_libserial_a_SOURCES += src/inbox.c src/inbox.h
src_libserial_a_SOURCES += src/source.c src/source.h
src_libserial_a_SOURCES += src/table.c src/table.h src/table_form.h \
	src/table_text.c src/table_rows.c src/store_table.c

# What knows ranks, and the program.
noinst_LIBRARIES += src/librun.a
src_librun_a_SOURCES = \
	src/comm.c src/comm.h src/leave.c src/leave.h \
	src/census.c src/census.h \
	src/forest.c src/forest.h src/forest_create.h src/forest_lend.c \
	src/failure.h \
	src/cost.c src/cost.h src/cost_bytes.c src/cost_make.h src/cost_fit.c src/cost_fit.h \
	src/share.c \
	src/machine.c src/machine.h src/divide.c src/divide.h \
	src/pace.c src/pace.h src/cost_from.c src/cost_from.h \
	src/plan.c src/plan.h src/plan_words.c src/plan_reckon.c \
	src/plan_table.c \
	src/pack.c src/pack.h src/pack_place.h src/pack_probes.c \
	src/pack_fill.c \
	src/gather.c src/gather.h \
	src/gather_plan.c src/gather_plan.h \
	src/gather_place.c src/gather_move.c \
	src/writer.c src/writer.h \
	src/loop.c src/loop.h \
	src/progress.c src/progress.h \
	src/run.c src/run.h src/run_setup.c src/run_threads.c src/run_table.c \
	src/run_report.c src/run_cost.c src/run_warn.c

# The GPUs of ranks.
src_librun_a_SOURCES += src/device.c src/device.h src/device_cmd.c

# The benchmark.
src_librun_a_SOURCES += \
	src/bench.h src/bench_cmd.c src/bench_options.c \
	src/bench_stats.c src/bench_stats.h \
	src/bench_shape.c src/bench_shape.h \
	src/bench_forest.c src/bench_forest.h \
	src/bench_plan.c src/bench_measure.c src/bench_table.c \
	src/bench_papers.c src/store_bench.c src/store_bench.h \
	src/bench_machine.c src/bench_trial.c src/bench_trial.h \
	src/bench_spmv.c src/bench_matrix.c src/bench_matrix.h

# The network, over ranks.
src_librun_a_SOURCES += \
	src/net.c src/net.h src/net_make.h src/net_rule.c src/net_place.c \
	src/net_load.c src/net_load.h src/pack_detectors.c \
	src/post.c src/post.h \
	src/couple.c src/couple.h src/couple_make.h \
	src/couple_pairs.c src/couple_mesh.c src/couple_bind.c src/couple_bind.h \
	src/couple_check.c src/couple_size.c src/couple_size.h src/net_expect.c src/net_expect.h \
	src/pipeline.c src/pipeline.h \
	src/run_net.c

bin_PROGRAMS += bosc
bosc_SOURCES = src/main.c
dist_man1_MANS += src/bosc.1
bosc_LDADD = src/librun.a src/libserial.a partition/libpartition.a \
	kernels/libkernels.a $(NETCDF_LIBS) $(YAML_LIBS)
src_libserial_a_SOURCES += src/inspect.c
