# tests: TAP.  t_*.c -> *.t, m_*.c -> *.mt (3 ranks), e_*.t shell jobs.
EXTRA_DIST += tests/tap.h tests/ranks.h tests/ranks.sh tests/tally.sh tests/valgrind.supp

# The whole repository: layers, style, set-up.
repository_tests = tests/layers.t tests/style.t tests/e_quickstart.t \
	tests/e_manual.t tests/e_readme.t
dist_check_SCRIPTS += $(repository_tests)
TESTS += $(repository_tests)

# A job under a private SLURM.
dist_check_SCRIPTS += tests/slurm-up.sh tests/slurm-down.sh tests/e_slurm.t
TESTS += tests/e_slurm.t

# The division of neurons, and messages between ranks.
check_PROGRAMS += tests/rooms.t
TESTS += tests/rooms.t
tests_rooms_t_SOURCES = tests/t_rooms.c tests/items.c tests/items.h
tests_rooms_t_LDADD = partition/libpartition.a src/libserial.a
check_PROGRAMS += tests/assign.t tests/bins.t tests/devices.t tests/comm.mt
TESTS += tests/assign.t tests/bins.t tests/devices.t tests/comm.mt
items = tests/items.c tests/items.h
tests_assign_t_SOURCES = tests/t_assign.c $(items)
tests_assign_t_LDADD = partition/libpartition.a src/libserial.a
tests_bins_t_SOURCES = tests/t_bins.c
tests_bins_t_LDADD = partition/libpartition.a kernels/libkernels.a \
	src/libserial.a
tests_devices_t_SOURCES = tests/t_devices.c
tests_devices_t_LDADD = partition/libpartition.a src/libserial.a
check_PROGRAMS += tests/device.mt
TESTS += tests/device.mt tests/e_devices.t
dist_check_SCRIPTS += tests/e_devices.t
tests_device_mt_SOURCES = tests/m_device.c
tests_device_mt_LDADD = src/librun.a partition/libpartition.a \
	kernels/libkernels.a src/libserial.a
tests_comm_mt_SOURCES = tests/m_comm.c
tests_comm_mt_LDADD = src/librun.a src/libserial.a

# Messages, numbers and morphologies from text.
check_PROGRAMS += tests/status.t
TESTS += tests/status.t
tests_status_t_SOURCES = tests/t_status.c
tests_status_t_LDADD = src/libserial.a
check_PROGRAMS += tests/number.t tests/lines.t tests/swc.t tests/swc_files.t
TESTS += tests/number.t tests/lines.t tests/swc.t tests/swc_files.t
tests_lines_t_SOURCES = tests/t_lines.c
tests_lines_t_LDADD = src/libserial.a
tests_number_t_SOURCES = tests/t_number.c
tests_number_t_LDADD = src/libserial.a
check_PROGRAMS += tests/swc_kind.t
TESTS += tests/swc_kind.t
tests_swc_kind_t_SOURCES = tests/t_swc_kind.c
tests_swc_kind_t_LDADD = src/libserial.a
tests_swc_t_SOURCES = tests/t_swc.c
tests_swc_t_LDADD = src/libserial.a
tests_swc_files_t_SOURCES = tests/t_swc_files.c tests/tsv.c tests/tsv.h
tests_swc_files_t_LDADD = src/libserial.a
EXTRA_DIST += tests/bad-morphologies.tsv

# The solvers: a program that runs reference folders, and a job that runs it.
cable_file = tests/cable_file.c tests/cable_file.h
forest = tests/forest.c tests/forest.h tests/tree.c tests/tree.h
kernel_libs = kernels/libkernels.a src/libserial.a
check_PROGRAMS += tests/reference-check
tests_reference_check_SOURCES = tests/reference_check.c $(forest) \
	tests/reference_model.c tests/reference_model.h \
	tests/reference_swc.c tests/reference_swc.h $(cable_file) \
	tests/reference_net.c tests/reference_net.h \
	tests/tsv.c tests/tsv.h
tests_reference_check_LDADD = $(kernel_libs)
dist_check_SCRIPTS += tests/e_reference.t
TESTS += tests/e_reference.t
kernel_tests = tests/mech.t tests/layout.t tests/tile.t tests/solve.t \
	tests/integrate.t tests/cable_theory.t tests/spmv.t tests/solver.t \
	tests/cuda_logic.t
check_PROGRAMS += $(kernel_tests)
TESTS += $(kernel_tests)
tests_mech_t_SOURCES = tests/t_mech.c $(forest)
tests_mech_t_LDADD = $(kernel_libs)
tests_layout_t_SOURCES = tests/t_layout.c $(forest)
tests_layout_t_LDADD = $(kernel_libs)
tests_tile_t_SOURCES = tests/t_tile.c
tests_tile_t_LDADD = $(kernel_libs)
tests_solve_t_SOURCES = tests/t_solve.c $(forest)
tests_solve_t_LDADD = $(kernel_libs)
tests_integrate_t_SOURCES = tests/t_integrate.c $(forest)
tests_integrate_t_LDADD = $(kernel_libs)
tests_cable_theory_t_SOURCES = tests/t_cable_theory.c $(forest) \
	tests/tsv.c tests/tsv.h
tests_cable_theory_t_LDADD = $(kernel_libs)
tests_spmv_t_SOURCES = tests/t_spmv.c
tests_spmv_t_LDADD = $(kernel_libs)
tests_solver_t_SOURCES = tests/t_solver.c tests/grove.c tests/grove.h \
	$(forest) $(cable_file) tests/tsv.c tests/tsv.h
tests_solver_t_LDADD = $(kernel_libs)
tests_cuda_logic_t_SOURCES = tests/t_cuda_logic.c tests/grove.c tests/grove.h \
	$(forest)
tests_cuda_logic_t_LDADD = $(kernel_libs)
EXTRA_DIST += tests/shared.h

# Tridiagonal systems, and levels.
check_PROGRAMS += tests/thomas.t tests/levels.t
TESTS += tests/thomas.t tests/levels.t
tests_thomas_t_SOURCES = tests/t_thomas.c
tests_thomas_t_LDADD = $(kernel_libs)
tests_levels_t_SOURCES = tests/t_levels.c $(forest)
tests_levels_t_LDADD = $(kernel_libs)

# Synthetic neurons, and the NetCDF file.
check_PROGRAMS += tests/generate.t tests/store.t
TESTS += tests/generate.t tests/store.t
tests_generate_t_SOURCES = tests/t_generate.c
tests_generate_t_LDADD = src/libserial.a
tests_store_t_SOURCES = tests/t_store.c
tests_store_t_LDADD = src/libserial.a kernels/libkernels.a $(NETCDF_LIBS)
check_PROGRAMS += tests/store_names.t
TESTS += tests/store_names.t
tests_store_names_t_SOURCES = tests/t_store_names.c
tests_store_names_t_LDADD = src/libserial.a kernels/libkernels.a $(NETCDF_LIBS)
check_PROGRAMS += tests/output.t tests/lock.t
TESTS += tests/output.t tests/lock.t tests/e_output.t
dist_check_SCRIPTS += tests/e_output.t
tests_output_t_SOURCES = tests/t_output.c
tests_output_t_LDADD = src/libserial.a kernels/libkernels.a $(NETCDF_LIBS)
tests_lock_t_SOURCES = tests/t_lock.c
tests_lock_t_LDADD = src/libserial.a
check_PROGRAMS += tests/writer.t
TESTS += tests/writer.t
tests_writer_t_SOURCES = tests/t_writer.c
tests_writer_t_LDADD = src/librun.a src/libserial.a kernels/libkernels.a \
	$(NETCDF_LIBS)

# Results on their way to the file.
check_PROGRAMS += tests/gather.mt
TESTS += tests/gather.mt
dist_check_SCRIPTS += tests/e_gather.t tests/e_failures.t tests/e_parallel.t
TESTS += tests/e_gather.t tests/e_failures.t tests/e_parallel.t
tests_gather_mt_SOURCES = tests/m_gather.c
tests_gather_mt_LDADD = src/librun.a partition/libpartition.a $(job_libs) $(NETCDF_LIBS)

# Plots.
dist_check_SCRIPTS += tests/e_plot.t
TESTS += tests/e_plot.t

# Sections and templates.
EXTRA_DIST += tests/compare-neuron.py
check_PROGRAMS += tests/section.t tests/cable.t tests/cable_files.t
TESTS += tests/section.t tests/cable.t tests/cable_files.t
check_PROGRAMS += tests/import3d.t
TESTS += tests/import3d.t
tests_import3d_t_SOURCES = tests/t_import3d.c
tests_import3d_t_LDADD = src/libserial.a
tests_section_t_SOURCES = tests/t_section.c tests/tsv.c tests/tsv.h
tests_section_t_LDADD = src/libserial.a
tests_cable_t_SOURCES = tests/t_cable.c
tests_cable_t_LDADD = src/libserial.a
tests_cable_files_t_SOURCES = tests/t_cable_files.c $(cable_file) \
	tests/tsv.c tests/tsv.h
tests_cable_files_t_LDADD = src/libserial.a

# The program as its users meet it.
EXTRA_DIST += tests/tap.sh
check_PROGRAMS += tests/option.t
TESTS += tests/option.t
tests_option_t_SOURCES = tests/t_option.c
tests_option_t_LDADD = src/libserial.a
check_PROGRAMS += tests/wrap.t
TESTS += tests/wrap.t
tests_wrap_t_SOURCES = tests/t_wrap.c
tests_wrap_t_LDADD = src/libserial.a
dist_check_SCRIPTS += tests/e_report.t
TESTS += tests/e_report.t
dist_check_SCRIPTS += tests/e_run.t tests/e_large.t
TESTS += tests/e_run.t tests/e_large.t
EXTRA_DIST += tests/star.awk
dist_check_SCRIPTS += tests/e_science.t
TESTS += tests/e_science.t
dist_check_SCRIPTS += tests/e_coupling.t tests/e_warnings.t
TESTS += tests/e_coupling.t tests/e_warnings.t
check_PROGRAMS += tests/couple.t
TESTS += tests/couple.t
tests_couple_t_SOURCES = tests/t_couple.c
tests_couple_t_LDADD = src/librun.a partition/libpartition.a $(job_libs)
dist_check_SCRIPTS += tests/e_progress.t
TESTS += tests/e_progress.t
dist_check_SCRIPTS += tests/e_xarray.t tests/e_real.t
TESTS += tests/e_xarray.t tests/e_real.t

# The program without memory: what is preloaded is no program.
check_PROGRAMS += tests/no_memory.so
tests_no_memory_so_SOURCES = tests/no_memory.c
tests_no_memory_so_CFLAGS = $(AM_CFLAGS) -fPIC
tests_no_memory_so_LDFLAGS = -shared
dist_check_SCRIPTS += tests/e_memory.t
TESTS += tests/e_memory.t

# The program on morphology files.
dist_check_SCRIPTS += tests/e_inspect.t
TESTS += tests/e_inspect.t
dist_check_SCRIPTS += tests/e_messages.t
TESTS += tests/e_messages.t

# The benchmark.
check_PROGRAMS += tests/bench.t
TESTS += tests/bench.t
tests_bench_t_SOURCES = tests/t_bench.c
tests_bench_t_LDADD = src/librun.a src/libserial.a kernels/libkernels.a \
	src/libserial.a $(YAML_LIBS)
dist_check_SCRIPTS += tests/e_bench.t
TESTS += tests/e_bench.t

# Job files and morphology lists.
EXTRA_DIST += tests/job.h
job_tests = tests/params.t tests/params_refused.t tests/params_network.t \
	tests/params_coupling.t tests/yaml.t \
	tests/reference.t tests/population.t tests/variable.t
job_libs = src/libserial.a kernels/libkernels.a src/libserial.a $(YAML_LIBS)
check_PROGRAMS += $(job_tests)
TESTS += $(job_tests)
tests_params_t_SOURCES = tests/t_params.c
tests_params_t_LDADD = $(job_libs)
tests_params_refused_t_SOURCES = tests/t_params_refused.c
tests_params_refused_t_LDADD = $(job_libs)
tests_yaml_t_SOURCES = tests/t_yaml.c
tests_yaml_t_LDADD = $(job_libs)
tests_params_network_t_SOURCES = tests/t_params_network.c
tests_params_network_t_LDADD = $(job_libs)
tests_params_coupling_t_SOURCES = tests/t_params_coupling.c
tests_params_coupling_t_LDADD = $(job_libs)
tests_reference_t_SOURCES = tests/t_reference.c
tests_reference_t_LDADD = $(job_libs)
tests_population_t_SOURCES = tests/t_population.c
tests_population_t_LDADD = $(job_libs)
tests_variable_t_SOURCES = tests/t_variable.c
tests_variable_t_LDADD = $(job_libs)

# Numbers in columns.
check_PROGRAMS += tests/table.t
TESTS += tests/table.t
tests_table_t_SOURCES = tests/t_table.c
tests_table_t_LDADD = src/libserial.a $(NETCDF_LIBS)

# Trains of events.
check_PROGRAMS += tests/source.t
TESTS += tests/source.t
tests_source_t_SOURCES = tests/t_source.c
tests_source_t_LDADD = src/libserial.a

# Networks: who hears whom, and when.
network_tests = tests/random.t tests/path.t tests/inbox.t tests/net.t \
	tests/net_draws.t tests/expect.t
check_PROGRAMS += $(network_tests) tests/pipeline.mt
TESTS += $(network_tests) tests/pipeline.mt
tests_random_t_SOURCES = tests/t_random.c
tests_random_t_LDADD = src/libserial.a
tests_path_t_SOURCES = tests/t_path.c
tests_path_t_LDADD = src/libserial.a
tests_inbox_t_SOURCES = tests/t_inbox.c $(forest)
tests_inbox_t_LDADD = src/libserial.a $(kernel_libs)
tests_net_t_SOURCES = tests/t_net.c tests/netlist.c tests/netlist.h
tests_net_t_LDADD = src/librun.a $(job_libs)
tests_net_draws_t_SOURCES = tests/t_net_draws.c tests/netlist.c tests/netlist.h
tests_net_draws_t_LDADD = src/librun.a $(job_libs)
tests_expect_t_SOURCES = tests/t_expect.c tests/netlist.c tests/netlist.h
tests_expect_t_LDADD = src/librun.a partition/libpartition.a $(job_libs) \
	$(NETCDF_LIBS)
tests_pipeline_mt_SOURCES = tests/m_pipeline.c tests/fake.c tests/fake.h \
	$(forest)
tests_pipeline_mt_LDADD = src/librun.a partition/libpartition.a $(job_libs)
EXTRA_DIST += tests/ring.awk

# Templates that are made when needed.
check_PROGRAMS += tests/lend.t
TESTS += tests/lend.t
tests_lend_t_SOURCES = tests/t_lend.c
tests_lend_t_LDADD = src/librun.a $(job_libs)
dist_check_SCRIPTS += tests/e_network.t tests/e_tables.t
TESTS += tests/e_network.t tests/e_tables.t

# What neurons cost, and plans.
check_PROGRAMS += tests/cost.t tests/lesson.t
TESTS += tests/cost.t tests/lesson.t
tests_lesson_t_SOURCES = tests/t_lesson.c
tests_lesson_t_LDADD = src/librun.a partition/libpartition.a $(job_libs) \
	$(NETCDF_LIBS)
check_PROGRAMS += tests/cost_from.t
TESTS += tests/cost_from.t
tests_cost_from_t_SOURCES = tests/t_cost_from.c
tests_cost_from_t_LDADD = src/librun.a partition/libpartition.a $(job_libs) \
	$(NETCDF_LIBS)
tests_cost_t_SOURCES = tests/t_cost.c
tests_cost_t_LDADD = src/librun.a partition/libpartition.a $(job_libs) \
	$(NETCDF_LIBS)
dist_check_SCRIPTS += tests/e_plan.t
TESTS += tests/e_plan.t

# Signals.
check_PROGRAMS += tests/signals.t
TESTS += tests/signals.t tests/e_signals.t
dist_check_SCRIPTS += tests/e_signals.t
tests_signals_t_SOURCES = tests/t_signals.c
tests_signals_t_LDADD = src/libserial.a

# Threads of a rank.
check_PROGRAMS += tests/threads.t
TESTS += tests/threads.t
tests_threads_t_SOURCES = tests/t_threads.c
tests_threads_t_LDADD = src/libserial.a

# NEURON's results for four small models.
EXTRA_DIST += \
	tests/reference/README.md \
	tests/reference/c1_passive_single/detectors.tsv \
	tests/reference/c1_passive_single/events.tsv \
	tests/reference/c1_passive_single/final.tsv \
	tests/reference/c1_passive_single/matrix0.tsv \
	tests/reference/c1_passive_single/model.json \
	tests/reference/c1_passive_single/netcons.tsv \
	tests/reference/c1_passive_single/nodes.tsv \
	tests/reference/c1_passive_single/params.txt \
	tests/reference/c1_passive_single/points.tsv \
	tests/reference/c1_passive_single/spikes.tsv \
	tests/reference/c1_passive_single/traces.tsv \
	tests/reference/c5_ballstick/detectors.tsv \
	tests/reference/c5_ballstick/events.tsv \
	tests/reference/c5_ballstick/final.tsv \
	tests/reference/c5_ballstick/matrix0.tsv \
	tests/reference/c5_ballstick/model.json \
	tests/reference/c5_ballstick/netcons.tsv \
	tests/reference/c5_ballstick/nodes.tsv \
	tests/reference/c5_ballstick/params.txt \
	tests/reference/c5_ballstick/points.tsv \
	tests/reference/c5_ballstick/spikes.tsv \
	tests/reference/c5_ballstick/traces.tsv \
	tests/reference/c5_ballstick_cn/detectors.tsv \
	tests/reference/c5_ballstick_cn/events.tsv \
	tests/reference/c5_ballstick_cn/final.tsv \
	tests/reference/c5_ballstick_cn/matrix0.tsv \
	tests/reference/c5_ballstick_cn/model.json \
	tests/reference/c5_ballstick_cn/netcons.tsv \
	tests/reference/c5_ballstick_cn/nodes.tsv \
	tests/reference/c5_ballstick_cn/params.txt \
	tests/reference/c5_ballstick_cn/points.tsv \
	tests/reference/c5_ballstick_cn/spikes.tsv \
	tests/reference/c5_ballstick_cn/traces.tsv \
	tests/reference/c6a_swc100/detectors.tsv \
	tests/reference/c6a_swc100/events.tsv \
	tests/reference/c6a_swc100/final.tsv \
	tests/reference/c6a_swc100/matrix0.tsv \
	tests/reference/c6a_swc100/model.json \
	tests/reference/c6a_swc100/netcons.tsv \
	tests/reference/c6a_swc100/nodes.tsv \
	tests/reference/c6a_swc100/params.txt \
	tests/reference/c6a_swc100/points.tsv \
	tests/reference/c6a_swc100/spikes.tsv \
	tests/reference/c6a_swc100/traces.tsv \
	tests/reference/swc/syn100.swc
