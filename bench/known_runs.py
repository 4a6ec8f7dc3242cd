#!/usr/bin/env python3
"""Measures what estimates of runs start from: known_runs.py EDGEMILL > engine/estimate/known_runs.cc

Runs each algorithm, with one thread, on graphs of six kinds and two sizes: with ample memory, and with the least that
works. Figures are relative to the machine's calibration, which must be there (edgemill calibrate). Takes some ten
minutes. What does not end in a minute, or is refused with the usual options, is left out, and said on standard error.

known_runs.py --check EDGEMILL SCALE compares estimates with runs on graphs of 2^SCALE vertices and another seed, as
JSON.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

KINDS = ("kron", "rmat", "uniform", "web", "road", "grid")
SIMULATIONS = ("cs", "hs", "nn")
# Searches that are done together, or else one: an estimate for fewer says the same.
SEARCHES = {"betweenness": 1, "closeness": 512, "msbfs": 16}
NEED_SOURCE = ("bfs", "similarity", "ssnsp", "sssp", "sswp")
RESERVE_MORE = ("leiden", "louvain")  # while they run, as much as their communities need
TIMEOUT = 60
SEED = 11


def call(*words):
    """The JSON that edgemill prints; None where it fails or takes too long."""
    try:
        done = subprocess.run([*words, "--quiet", "--json", "-"], capture_output=True, text=True, check=False,
                              timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(words[1:])}: takes more than {TIMEOUT} s", file=sys.stderr)
        return None
    if done.returncode != 0:
        print(f"{' '.join(words[1:])}: {json.loads(done.stdout)['error']}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def algorithms(edgemill):
    page = subprocess.run([edgemill, "help", "algorithms"], capture_output=True, text=True, check=True).stdout
    return sorted(re.findall(r"^\| \w+ \| \[`(\w+)`\]", page, re.MULTILINE))


class Graph:
    def __init__(self, edgemill, folder, kind, scale, seed):
        self.edgemill, self.kind, self.scale = edgemill, kind, scale
        self.path = os.path.join(folder, f"{kind}{scale}.mill")
        size = ["--vertices", str(2**scale)] if kind in ("road", "grid") else ["--scale", str(scale)]
        seeds = [] if kind == "grid" else ["--seed", str(seed)]
        subprocess.run([edgemill, "generate", kind, self.path, *size, *seeds, "--weights", "random:1:100:7", "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        top = call(edgemill, "run", "degrees", self.path, "--top", "16")["top"]
        self.sources = [str(row["id"]) for row in top]

    def words(self, algorithm):
        words = [algorithm, self.path]
        if algorithm in NEED_SOURCE:
            words += ["-r", self.sources[0]]
        elif algorithm == "path":
            words += ["-r", self.sources[0], "--target", self.sources[-1]]
        elif algorithm in ("msbfs", "ppr"):
            words += [word for source in self.sources for word in ("-r", source)]
        elif algorithm in SEARCHES:
            words += ["--sample", str(SEARCHES[algorithm])]
        return words

    def run(self, algorithm, *options):
        return call(self.edgemill, "run", *self.words(algorithm), "--device", "cpu", *options)

    def size(self, algorithm, pull_rate):
        """What the run takes, in the measures of RunSize; None where it is not known."""
        plan = self.run(algorithm, "--dry-run")
        ample = plan and self.run(algorithm, "--threads", "1", "-n", "3")
        if not ample:
            return None
        plan = self.run(algorithm, "--dry-run", "--threads", "1")
        memory = plan["least_memory_bytes"]
        least = self.run(algorithm, "--threads", "1", "--memory", str(memory))
        for _ in range(8 if algorithm in RESERVE_MORE else 0):
            if least is None:
                memory += memory // 4
                least = self.run(algorithm, "--threads", "1", "--memory", str(memory))
        if not least:
            return None
        full = (ample["edges"] + 6 * ample["vertices"]) / pull_rate
        seconds = sorted(ample["trial_seconds"])[1] - ample["num_iterations"] * 20e-6
        edges = max(1, plan["edge_bytes"])
        # A last trial reads less: its cache is full. The first run's reads are those of ample memory.
        once = self.run(algorithm, "--threads", "1")
        return [ample["vertices"], ample["num_iterations"], max(0, seconds / full), once["bytes_read"] / edges,
                least["bytes_read"] / edges], plan


def number(value):
    return f"{value:.3g}"


def measure(edgemill):
    rate = call(edgemill, "calibrate", "--show")["cpu_pull_rate"]
    names = algorithms(edgemill)
    graphs, runs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            sizes = {scale: Graph(edgemill, folder, kind, scale, SEED) for scale in (13, 15, 16, 18)}
            shape = sizes[18].run("cc", "--dry-run")
            directed = "true" if kind in ("rmat", "web") else "false"
            graphs.append(f'    {{"{kind}", {{{directed}, {number(shape["mean_degree"])}, '
                          f'{number(shape["neighbor_bits"])}}}}},')
            for name in names:
                scales = (13, 16) if name in SIMULATIONS else (15, 18)
                found = [sizes[scale].size(name, rate) for scale in scales]
                if None in found:
                    continue
                small, large = (", ".join(map(number, size)) for size, _ in found)
                runs.append(f'    {{"{name}", "{kind}", {SEARCHES.get(name, 0)},\n     {{{small}}}, {{{large}}}}},')
                print(f"{kind} {name}: {small} | {large}", file=sys.stderr)
    print("""// Printed by bench/known_runs.py. Of each size: vertices, iterations, passes, and reads where all
// is cached and where nothing is.
#include "engine/estimate/known_runs.h"

namespace edgemill {
namespace {

// clang-format off
constexpr KnownGraph kGraphs[] = {""")
    print("\n".join(graphs))
    print("};\n\nconstexpr KnownRun kRuns[] = {")
    print("\n".join(runs))
    print("""};
// clang-format on

}  // namespace

std::span<const KnownGraph> KnownGraphs() { return kGraphs; }
std::span<const KnownRun> KnownRuns() { return kRuns; }

}  // namespace edgemill""")


def check(edgemill, scale):
    """Estimates beside runs, with ample memory and with little."""
    names = algorithms(edgemill)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            graph = Graph(edgemill, folder, kind, scale, SEED + 1)
            for name in names:
                if name in SIMULATIONS:
                    continue
                told = graph.run(name, "--dry-run")
                if not told or "seconds" not in told:
                    continue
                for memory in ("8GiB", str(told["least_memory_bytes"] + told["edge_bytes"] // 4)):
                    told = graph.run(name, "--dry-run", "--memory", memory)
                    took = graph.run(name, "--memory", memory)
                    if not told or not took or "seconds" not in told:
                        continue
                    rows.append({"kind": kind, "like": told["like"], "algorithm": name, "memory": memory,
                                 "iterations": [told["iterations"], took["num_iterations"]],
                                 "bytes_read": [told["bytes_read"], took["bytes_read"]],
                                 "seconds": [round(told["seconds"], 6), round(took["seconds"], 6)]})
                    print(rows[-1], file=sys.stderr)
    def within(key):
        pairs = [row[key] for row in rows]
        return sum(told <= 2 * took and took <= 2 * told for told, took in pairs)
    print(json.dumps({"command": f"bench/known_runs.py --check edgemill {scale}", "runs": len(rows),
                      **{f"{key}_within_2": within(key) for key in ("iterations", "bytes_read", "seconds")},
                      "rows": rows}, indent=1))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 4:
        check(sys.argv[2], int(sys.argv[3]))
    elif len(sys.argv) == 2:
        measure(sys.argv[1])
    else:
        sys.exit(__doc__)
