"""Simulate the membrane voltage of many branched neurons: bosc from Python.

    import bosc

    with bosc.Simulation("ring.yaml", tstop="50 ms") as sim:
        sim.advance(50)
        v = sim.read("soma", "v")          # v.time, v.values, v.gid, ...
        time, gid = sim.spikes()

A simulation is opened from a job, the YAML that bosc(1) describes; keyword
arguments and `set` give its keys other values.  Units are those of the job: ms,
mV, nA, uS, um.  Arrays are NumPy's, copies that stay when the simulation goes on.
What goes wrong is a `bosc.Error`, whose text names the file, line or value and
the remedy; what is hardly meant is a `bosc.Warning`, told once.

It is a thin layer over libbosc.so (include/bosc.h has the whole contract).  The
library is looked for at $BOSC_LIBRARY, beside this package's installation, and
where the system looks.  It computes on the CPU or GPU that the job asks for, in
one process; processes of `multiprocessing` need its method 'spawn'.
"""

import ctypes
import os
import warnings
from collections import namedtuple

import numpy

__all__ = ["Error", "Warning", "Readings", "Detections", "Population", "Simulation",
           "version"]

c_int, c_double, c_char_p, c_void_p = (
    ctypes.c_int, ctypes.c_double, ctypes.c_char_p, ctypes.c_void_p)
c_int64, c_int32, c_size_t = ctypes.c_int64, ctypes.c_int32, ctypes.c_size_t
to = ctypes.POINTER

#: What a probe has recorded of a variable: `values[time, column]` in `unit`, at
#: `time` (ms); column k is of neuron `gid[k]`, compartment `compartment[k]`, at
#: position `x[k]` of section `section[k]`.
Readings = namedtuple("Readings", "time values unit gid compartment section x")

#: What probes with a threshold have detected: at `time` (ms) the voltage crossed
#: that of probe number `probe` (in `probes`), in neuron `gid`, compartment
#: `compartment`, at position `x` of section `section`.
Detections = namedtuple("Detections", "time probe gid compartment section x")

#: A population: the neurons `first` to `first + n - 1`, of member `member` of a
#: table or sweep.
Population = namedtuple("Population", "name first n member")


class Error(Exception):
    """A simulation cannot be opened, built or advanced; `status` is bosc.h's."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Warning(UserWarning):
    """A value of a job that is hardly meant."""


class _Readings(ctypes.Structure):
    _fields_ = [("n_times", c_int64), ("n_columns", c_int64),
                ("time", to(c_double)), ("values", to(c_double)),
                ("unit", c_char_p), ("gid", to(c_int64)),
                ("compartment", to(c_int32)), ("section", to(c_char_p)),
                ("x", to(c_double))]


class _Spikes(ctypes.Structure):
    _fields_ = [("n", c_int64), ("time", to(c_double)), ("gid", to(c_int64))]


class _Detections(ctypes.Structure):
    _fields_ = [("n", c_int64), ("time", to(c_double)), ("probe", to(c_int32)),
                ("gid", to(c_int64)), ("compartment", to(c_int32)),
                ("section", to(c_char_p)), ("x", to(c_double))]


class _Group(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("first", c_int64), ("n", c_int64),
                ("member", c_int)]


# Function: result, then arguments, as in bosc.h.
_functions = {
    "version": [c_char_p],
    "open": [c_int, c_char_p, to(c_void_p)],
    "open_text": [c_int, c_char_p, c_char_p, to(c_void_p)],
    "set": [c_int, c_void_p, c_char_p, c_char_p],
    "set_table": [c_int, c_void_p, c_int, c_int, to(c_char_p), to(c_double)],
    "build": [c_int, c_void_p],
    "close": [None, c_void_p],
    "last_error": [c_char_p, c_void_p],
    "warning": [c_char_p, c_void_p, c_int],
    "advance": [c_int, c_void_p, c_double],
    "time": [c_double, c_void_p],
    "method_used": [c_char_p, c_void_p],
    "n_neurons": [c_int64, c_void_p],
    "population": [_Group, c_void_p, c_int],
    "probe_name": [c_char_p, c_void_p, c_int],
    "read": [c_int, c_void_p, c_char_p, c_char_p, to(_Readings)],
    "spikes": [c_int, c_void_p, to(_Spikes)],
    "detections": [c_int, c_void_p, to(_Detections)],
    "forget": [None, c_void_p],
    "save": [c_int, c_void_p, to(c_void_p), to(c_size_t)],
    "restore": [c_int, c_void_p, c_char_p, c_size_t],
}


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(here, "../../../../lib/libbosc.so.0")
    name = os.environ.get("BOSC_LIBRARY") or (
        installed if os.path.exists(installed) else "libbosc.so.0")
    try:
        library = ctypes.CDLL(name)
    except OSError as why:
        raise ImportError(
            f"{why}; install bosc, or name the library: "
            "BOSC_LIBRARY=/path/to/libbosc.so.0") from None
    for function, (result, *arguments) in _functions.items():
        called = getattr(library, "bosc_" + function)
        called.restype, called.argtypes = result, arguments
    return library


_library = _load()
_free = ctypes.CDLL(None).free
_free.argtypes = [c_void_p]


def _array(pointer, *shape):
    if 0 in shape:
        return numpy.empty(shape, dtype=numpy.dtype(pointer._type_))
    return numpy.ctypeslib.as_array(pointer, shape).copy()


def version():
    """The version of the library: "bosc 0.2.0 (86f0dec1a2b3)"."""
    return _library.bosc_version().decode()


class Simulation:
    """A simulation of the job in the file `path`, or of `text`, whose relative
    paths start from `folder`.  Keywords are keys of the job: tstop="50 ms"."""

    def __init__(self, path=None, *, text=None, folder=None, **keys):
        self._handle = c_void_p()
        self._warned = 0
        if (path is None) == (text is None):
            raise TypeError("give the path of a job, or its text")
        if path is not None:
            status = _library.bosc_open(
                os.fsencode(path), ctypes.byref(self._handle))
        else:
            status = _library.bosc_open_text(
                text.encode(), None if folder is None else os.fsencode(folder),
                ctypes.byref(self._handle))
        self._check(status)
        for key, value in keys.items():
            self.set(key, value)

    def _check(self, status):
        if status != 0:
            raise Error(status,
                        _library.bosc_last_error(self._handle).decode())
        while self._handle:
            text = _library.bosc_warning(self._handle, self._warned)
            if text is None:
                break
            self._warned += 1
            warnings.warn(text.decode(), Warning, stacklevel=3)

    def _open(self):
        if not self._handle:
            raise ValueError("the simulation is closed")
        return self._handle

    def set(self, key, value):
        """Before it is built: give a key of the job a value, "clamps.0.delay"."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._check(_library.bosc_set(
            self._open(), key.encode(), text.encode()))

    def set_table(self, columns):
        """Before it is built: a population of models.  `columns` are keys with a
        number for each member: {"clamps.0.amplitude": [0.1, 0.2]}."""
        values = numpy.ascontiguousarray(
            numpy.array(list(columns.values()), dtype=float).T)
        keys = (c_char_p * len(columns))(*(key.encode() for key in columns))
        if values.ndim != 2:
            raise ValueError("a table has keys, each with as many numbers")
        self._check(_library.bosc_set_table(
            self._open(), len(values), len(columns), keys,
            values.ctypes.data_as(to(c_double))))

    def build(self):
        """Check the job, and make the neurons; `advance` does so, too."""
        self._check(_library.bosc_build(self._open()))

    def advance(self, t):
        """Advance until t (ms), or the end of the epoch that t is in."""
        self._check(_library.bosc_advance(self._open(), t))

    @property
    def time(self):
        """The time (ms) that it has reached; NaN before it is built."""
        return _library.bosc_time(self._open())

    @property
    def method(self):
        """How it is computed: "cpu depth-first, chosen by rules, 2 threads"."""
        return _library.bosc_method_used(self._open()).decode()

    @property
    def n_neurons(self):
        return _library.bosc_n_neurons(self._open())

    def _list(self, get):
        found = []
        while (one := get(self._open(), len(found))) is not None:
            found.append(one)
        return found

    @property
    def populations(self):
        def get(handle, i):
            group = _library.bosc_population(handle, i)
            return None if group.name is None else Population(
                group.name.decode(), group.first, group.n, group.member)
        return self._list(get)

    @property
    def probes(self):
        """The names of the job's probes."""
        return [name.decode() for name in self._list(_library.bosc_probe_name)]

    def read(self, probe, variable="v"):
        """What a probe has recorded of a variable, as `Readings`."""
        r = _Readings()
        self._check(_library.bosc_read(
            self._open(), probe.encode(), variable.encode(), ctypes.byref(r)))
        n = r.n_columns
        return Readings(
            _array(r.time, r.n_times), _array(r.values, r.n_times, n),
            r.unit.decode(), _array(r.gid, n), _array(r.compartment, n),
            [r.section[i].decode() for i in range(n)], _array(r.x, n))

    def spikes(self):
        """Times (ms) and neurons of the spikes, in the order of (time, gid)."""
        s = _Spikes()
        self._check(_library.bosc_spikes(self._open(), ctypes.byref(s)))
        return _array(s.time, s.n), _array(s.gid, s.n)

    def detections(self):
        """What probes with a `threshold` have detected, as `Detections`, in the
        order of (time, probe, gid, compartment)."""
        d = _Detections()
        self._check(_library.bosc_detections(self._open(), ctypes.byref(d)))
        return Detections(
            _array(d.time, d.n), _array(d.probe, d.n), _array(d.gid, d.n),
            _array(d.compartment, d.n),
            [d.section[i].decode() for i in range(d.n)], _array(d.x, d.n))

    def forget(self):
        """Drop what was recorded, so that a long run does not keep all of it."""
        _library.bosc_forget(self._open())

    def save(self):
        """The state as bytes, from which `restore` goes on with the same bits."""
        state, size = c_void_p(), c_size_t()
        self._check(_library.bosc_save(
            self._open(), ctypes.byref(state), ctypes.byref(size)))
        try:
            return ctypes.string_at(state, size.value)
        finally:
            _free(state)

    def restore(self, state):
        """Go back, or on, to a state of the same job; what was recorded is
        dropped."""
        self._warned = 0
        self._check(_library.bosc_restore(self._open(), state, len(state)))

    def close(self):
        if self._handle:
            _library.bosc_close(self._handle)
            self._handle = c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()
