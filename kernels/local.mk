# kernels: computes.  A leaf: no MPI, no files.
