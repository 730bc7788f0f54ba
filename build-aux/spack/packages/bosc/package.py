# package.py - bosc for Spack, built from a checkout or an unpacked tarball; in its
# folder, the one with configure.ac:
#
#     spack repo add build-aux/spack
#     spack dev-build bosc@=0.2.0
from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:  # before that it is in spack.package
    pass


class Bosc(AutotoolsPackage):
    """Simulate the membrane voltage of many branched neurons as one batch job:
    a list of morphologies in, one NetCDF file out."""

    license("BSD-3-Clause")

    version("0.2.0")

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

    build_directory = "build/spack"

    # The project's own, which needs no libtool, as autoreconf in Spack does.
    def autoreconf(self, spec, prefix):
        which("sh", required=True)("./bootstrap")

    def configure_args(self):
        nvcc = "no"
        if "+cuda" in self.spec:
            nvcc = join_path(self.spec["cuda"].prefix.bin, "nvcc")
        return [f"CC={self.spec['mpi'].mpicc}", f"NVCC={nvcc}"]
