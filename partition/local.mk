# partition: who computes what.  A leaf: no MPI, no files.
