"""NetworkX's own tests with Edgemill as the backend: networkx_suite.py [PYTEST_ARGUMENT]...

    networkx_suite.py --pyargs networkx                     all of them
    EDGEMILL_COUNT_CALLS=calls.json networkx_suite.py ...   also counts what Edgemill has answered

What Edgemill does not have runs on NetworkX. Needs NetworkX 3.3 or later, and pytest, NumPy and
SciPy, which Debian's packages for a Python of the same version may give. Exits with 77 where one is
missing.
"""

import glob
import importlib.util
import os
import sys
import tempfile

DEBIAN = "/usr/lib/python3/dist-packages"


def main() -> int:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path += [os.path.join(here, "..", "..", "python"), here]
    # Last, since what this Python has itself comes first.
    if glob.glob(f"{DEBIAN}/numpy/core/*.{sys.implementation.cache_tag}-*.so"):
        sys.path.append(DEBIAN)
    import test_networkx

    if test_networkx.VERSION < (3, 3):
        print("skipped: NetworkX 3.3 or later is not installed")
        return 77
    for module in ("pytest", "numpy", "scipy"):
        if importlib.util.find_spec(module) is None:
            print(f"skipped: {module} is not installed for {sys.executable}")
            return 77
    import pytest
    import scipy.sparse

    if not hasattr(scipy.sparse, "sparray"):  # SciPy before 1.11; NetworkX's tests ask for the type
        scipy.sparse.sparray = scipy.sparse.csr_array.__mro__[1]
    os.environ["NETWORKX_TEST_BACKEND"] = "edgemill"
    os.environ["NETWORKX_FALLBACK_TO_NX"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        test_networkx.install(folder)
        return pytest.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
