# jobs: example jobs, the reference of all keys, scripts.

nobase_dist_pkgdata_SCRIPTS += jobs/bosc.sbatch jobs/plot-run jobs/report-run \
	jobs/compare jobs/bosc-export
nobase_dist_pkgdata_DATA += jobs/connections.py jobs/figures.py jobs/report.css jobs/results.py \
	jobs/sweeps.py jobs/trees.py
EXTRA_DIST += jobs/demo.png jobs/report.png jobs/published-model.md \
	jobs/published-model.png jobs/published-model-tree.png \
	jobs/spikes-to-lfp.md jobs/spikes-to-lfp.png
nobase_dist_pkgdata_DATA += jobs/reference.yaml jobs/demo.yaml jobs/ring.yaml \
	jobs/sweep.yaml jobs/stimuli.yaml jobs/heterogeneous-256k.yaml jobs/demo-cells.tsv
