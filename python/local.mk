# python: a package over libbosc.so; 'pip install ./python', or the copy that is
# installed.
EXTRA_DIST += python/pyproject.toml
nobase_dist_pkgdata_DATA += python/bosc/__init__.py
