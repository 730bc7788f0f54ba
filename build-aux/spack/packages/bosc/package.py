# package.py - bosc for Spack, built from a checkout or an unpacked tarball:
#
#     spack repo create mine && spack repo add mine
#     mkdir -p FOLDER/packages/bosc, the FOLDER that these two name
#     cp build-aux/spack/package.py FOLDER/packages/bosc/
#     spack dev-build bosc@=0.1.0        # in the folder with configure.ac
from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:  # before that it is in spack.package
    pass


class Bosc(AutotoolsPackage):
    """Simulate the membrane voltage of many branched neurons as one batch job:
    a list of morphologies in, one NetCDF file out."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("cuda", default=False, description="Compute on NVIDIA GPUs, too")

    depends_on("c", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("m4", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("netcdf-c@4.6:")
    depends_on("libyaml")
    depends_on("random123", type="build")
    depends_on("cuda", when="+cuda")

    def configure_args(self):
        nvcc = "no"
        if "+cuda" in self.spec:
            nvcc = join_path(self.spec["cuda"].prefix.bin, "nvcc")
        return [f"CC={self.spec['mpi'].mpicc}", f"NVCC={nvcc}"]
