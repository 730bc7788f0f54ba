# jobs: example jobs, the reference of all keys, scripts.

nobase_dist_pkgdata_SCRIPTS += jobs/bosc.sbatch
