#!/usr/bin/env python3
"""Compares edgemill with what make_cases.py wrote: check_cases.py EDGEMILL DIR [DEVICE]... (default: cpu).

Each graph runs with each algorithm on each device: with ample memory, and with the least that works. Blocks, threads
and modes differ from graph to graph. Prints what differs; exit code 1 if anything does.
"""
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-9


def neighbors(edges):
    """By vertex, without loops and directions; keys are texts, as in answers."""
    sets = {str(v): set() for edge in edges for v in edge}
    for u, v in edges:
        if u != v:
            sets[str(u)].add(str(v))
            sets[str(v)].add(str(u))
    return sets


def wrong_set(case, answer, _):
    sets = neighbors(case["edges"])
    for v, chosen in answer.items():
        beside = any(answer[u] == "1" for u in sets[v])
        if beside if chosen == "1" else not beside:
            yield f"vertex {v} of value {chosen} is {'' if beside else 'not '}beside a member"


def wrong_colors(case, answer, most):
    for v, others in neighbors(case["edges"]).items():
        colors = {int(answer[u]) for u in others}
        if int(answer[v]) != min(set(range(most + 1)) - colors, default=None):
            if int(answer[v]) in colors or not set(range(int(answer[v]))) <= colors:
                yield f"vertex {v} has color {answer[v]} beside {sorted(colors)}"


def wrong_sides(case, answer, odd):
    odd = {str(v) for v in odd}
    for v, side in answer.items():
        if (side == "inf") != (v in odd):
            yield f"vertex {v} has side {side}"
    for u, v in case["edges"]:
        if str(u) not in odd and {answer[str(u)], answer[str(v)]} != {"0", "1"}:
            yield f"edge {u} {v} joins {answer[str(u)]} and {answer[str(v)]}"


def wrong_forest(case, answer, weight):
    lightest = {}
    for (u, v), w in zip(case["edges"], case["weights"]):
        for ends in ((str(u), str(v)), (str(v), str(u))):
            lightest[ends] = min(w, lightest.get(ends, w))
    edges = [(v, parent) for v, parent in answer.items() if v != parent]
    if not all(edge in lightest for edge in edges):
        yield "a parent is no neighbour"
        return
    if sum(lightest[edge] for edge in edges) != weight:
        yield f"the edges weigh {sum(lightest[edge] for edge in edges)}, not {weight}"
    above = dict(answer)
    for _ in range(20):  # way to the root, doubled each time
        above = {v: above[above[v]] for v in above}
    for u, v in case["edges"]:
        if above[str(u)] != above[str(v)] or answer[above[str(u)]] != above[str(u)]:
            yield f"edge {u} {v} joins two trees"


def worse_communities(case, answer, found):
    """`found`: the modularity that NetworkX finds, and how much less may be."""
    counts = collections.Counter(map(tuple, case["edges"]))
    inside, strength = 0, collections.Counter()
    for u, v in {(min(edge), max(edge)) for edge in counts}:
        # ingest -s adds the directions that are missing: an edge that is there both ways stays.
        count = max(counts[u, v], counts[v, u])
        same = answer[str(u)] == answer[str(v)]
        inside += 2 * count if same else 0
        for end in (u, v):
            strength[answer[str(end)]] += count
    weight = sum(strength.values())
    modularity = inside / weight - sum((s / weight) ** 2 for s in strength.values())
    if modularity < found[0] - found[1]:
        yield f"modularity {modularity}, and NetworkX finds {found[0]}"


# What answers must be that are not one alone. Each yields what is wrong.
PROPERTIES = {"mis": wrong_set, "coloring": wrong_colors, "bipartite": wrong_sides, "mst": wrong_forest,
              "louvain": worse_communities, "leiden": worse_communities}

# They visit edges or lists, or none.
WITHOUT_MODES = ("bipartite", "cdlp", "degrees", "lcc", "leiden", "louvain", "mst", "triangles")

ON_CPU = ("lcc", "leiden", "louvain", "triangles")  # alone

RESERVE_MORE = ("leiden", "louvain")  # while they run, as much as their communities need


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
        weighted = self.case["weighted"]
        edges = os.path.join(self.folder, "g.wel" if weighted else "g.el")
        with open(edges, "w", encoding="ascii") as file:
            file.writelines(f"{u} {v} {w}\n" if weighted else f"{u} {v}\n"
                            for (u, v), w in zip(self.case["edges"], self.case["weights"]))
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
        given = self.answer(words)
        if algorithm in PROPERTIES:
            return list(PROPERTIES[algorithm](self.case, given, self.case["properties"][algorithm]))
        expected = self.case["expected"][algorithm]
        if given.keys() != expected.keys():
            return [f"{len(given)} vertices, not {len(expected)}"]
        return [f"vertex {v}: {given[v]}, not {right}" for v, right in expected.items()
                if float(given[v]) != right and not abs(float(given[v]) - right) <= TOLERANCE * (1 + right)]

    def run(self):
        """What is wrong, a line each."""
        self.ingest()
        wrong = []
        for algorithm in [*self.case["expected"], *self.case["properties"]]:
            words = [*algorithm.split(), self.graph]
            if algorithm.split()[0] == "ppr" or algorithm == "betweenness":
                words += [w for s in self.case["sources"] for w in ("-r", str(s))]
            for device in self.devices:
                if device != "cpu" and words[0] in ON_CPU:
                    continue
                options = ["--device", device, "--threads", str(self.random.choice([1, 3]))]
                if words[0] not in WITHOUT_MODES:
                    options += ["--mode", self.random.choice(["auto", "push", "pull"])]
                if device != "cpu":
                    options += self.random.choice([[], ["--gpu-memory", "40MiB"], ["--transfer", "compaction"],
                                                   ["--transfer", "zero-copy"], ["--transfer", "managed"]])
                if device == "hybrid":
                    options += ["--cpu-share", str(self.random.choice([0.1, 0.5, 1]))]
                least = re.search(r"--memory (\S+)", self.edgemill_says("run", *words, *options, "--dry-run"))
                for memory in ("1GiB", "64MiB" if words[0] in RESERVE_MORE else least.group(1)):
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
