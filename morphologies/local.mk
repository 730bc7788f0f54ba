# morphologies: the six classes of the papers, generated; tiny ones for tests.

nobase_dist_pkgdata_DATA += \
	morphologies/README.md morphologies/papers.tsv \
	morphologies/small-low.swc morphologies/small-high.swc \
	morphologies/medium-low.swc morphologies/medium-high.swc \
	morphologies/big-low.swc morphologies/big-high.swc \
	morphologies/ball-and-stick.swc morphologies/cable.swc \
	morphologies/fork.swc
