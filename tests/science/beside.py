"""beside.py - the job of a folder, run by bosc, with its mod files for NEURON.

For the scripts compare-*.py of this folder.
"""
import contextlib
import os
import shutil
import subprocess
import tempfile


@contextlib.contextmanager
def run_beside(bosc, source):
    """Copy the folder 'source', build its mod files for NEURON, run its job.yaml.

    Gives the copy, which is gone afterwards, and the path of the result.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(source):
            shutil.copy(os.path.join(source, name), folder)
        subprocess.run(["nrnivmodl"], cwd=folder, capture_output=True, check=True)
        result = os.path.join(folder, "out.nc")
        subprocess.run([os.path.abspath(bosc), "run", "-q", os.path.join(folder, "job.yaml"),
                        "-o", result], check=True, stdout=subprocess.DEVNULL)
        yield folder, result


def bosc_values(path, name):
    """All values of a variable of a result, as floats, in the order of the file."""
    text = subprocess.run(["ncdump", "-p", "9,17", "-v", name, path],
                          capture_output=True, text=True, check=True).stdout
    text = text[text.index("data:"):]
    text = text[text.index(f" {name} =") + len(name) + 3:]
    return [float(x) for x in text[:text.index(";")].replace("\n", " ").split(",")]
