#!/usr/bin/env python3
"""Compares edgemill with what make_cases.py wrote: check_cases.py EDGEMILL DIR [DEVICE]... (default: cpu).

Each graph runs with each algorithm on each device: with ample memory, and with the least that works. Blocks, threads
and modes differ from graph to graph. Prints what differs; exit code 1 if anything does.
"""
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-9


class Check:
    """One graph."""

    def __init__(self, edgemill, case, devices, folder):
        self.edgemill, self.case, self.devices, self.folder = edgemill, case, devices, folder
        self.random = random.Random(case["seed"])
        self.graph = os.path.join(folder, "g.mill")

    def edgemill_says(self, *words):
        done = subprocess.run([self.edgemill, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"exit code {done.returncode} of {' '.join(words)}: {done.stderr}")
        return done.stdout

    def ingest(self):
        edges = os.path.join(self.folder, "g.el")
        with open(edges, "w", encoding="ascii") as file:
            file.writelines(f"{u} {v}\n" for u, v in self.case["edges"])
        options = ["--block-edges", str(self.random.choice([128, 1024, 65536]))]
        options += self.random.choice([[], ["--renumber", "degree"]])
        if not self.case["directed"]:
            options.append("-s")
        self.edgemill_says("ingest", edges, self.graph, "--quiet", *options)

    def answer(self, words):
        file = os.path.join(self.folder, "answer.tsv")
        self.edgemill_says("run", *words, "--quiet", "--force", "--output", file)
        with open(file, encoding="ascii") as lines:
            return dict(line.split() for line in lines)

    def compare(self, algorithm, words):
        expected = self.case["expected"][algorithm]
        given = self.answer(words)
        if given.keys() != expected.keys():
            return [f"{len(given)} vertices, not {len(expected)}"]
        return [f"vertex {v}: {given[v]}, not {right}" for v, right in expected.items()
                if abs(float(given[v]) - right) > TOLERANCE * (1 + right)]

    def run(self):
        """What is wrong, a line each."""
        self.ingest()
        wrong = []
        for algorithm in self.case["expected"]:
            words = [*algorithm.split(), self.graph]
            if algorithm.split()[0] == "ppr" or algorithm == "betweenness":
                words += [w for s in self.case["sources"] for w in ("-r", str(s))]
            for device in self.devices:
                options = ["--device", device, "--threads", str(self.random.choice([1, 3]))]
                if algorithm != "degree":  # it has no passes
                    options += ["--mode", self.random.choice(["auto", "push", "pull"])]
                if device != "cpu":
                    options += self.random.choice([[], ["--gpu-memory", "40MiB"], ["--transfer", "compaction"],
                                                   ["--transfer", "zero-copy"], ["--transfer", "managed"]])
                if device == "hybrid":
                    options += ["--cpu-share", str(self.random.choice([0.1, 0.5, 1]))]
                least = re.search(r"--memory (\S+)", self.edgemill_says("run", *words, *options, "--dry-run"))
                for memory in ("1GiB", least.group(1)):
                    line = [*words, *options, "--memory", memory]
                    wrong += [f"{self.case['name']}, seed {self.case['seed']}: {' '.join(line)}: {what}"
                              for what in self.compare(algorithm, line)[:3]]
        return wrong


def check(edgemill, path, devices):
    with open(path, encoding="ascii") as file:
        case = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return Check(edgemill, case, devices, folder).run()
        except RuntimeError as error:
            return [f"{case['name']}, seed {case['seed']}: {str(error).strip()}"]


def main():
    edgemill, directory, devices = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:] or ["cpu"]
    paths = sorted(os.path.join(directory, name) for name in os.listdir(directory))
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        wrong = [line for lines in pool.map(lambda path: check(edgemill, path, devices), paths) for line in lines]
    for line in wrong[:20]:
        print(line)
    print(f"{len(paths)} graphs on {', '.join(devices)}: {len(wrong)} differences")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
