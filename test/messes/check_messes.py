#!/usr/bin/env python3
"""Compares what edgemill reads of text files with what Python's csv module and NetworkX read of them.

check_messes.py EDGEMILL COUNT [FIRST_SEED]. Each seed makes one file: delimiters, quotes, comments, headers, missing
values, line ends and orders of columns as people have them. Prints what differs, with the file; exit code 1 if
anything does.
"""
import collections
import concurrent.futures
import csv
import io
import os
import random
import shlex
import subprocess
import sys
import tempfile

import networkx as nx

MISSING = ["NULL", "nan", "NA", "\\N", "None", "null", "NaN", "N/A"]
NUMBERS = [str(i) for i in range(30)] + ["4294967296", "18446744073709551614", "100000"]
PLAIN = ["alice", "bob", "Weird-Al", "zoë", "10.0.0.1", "x_1", "A|B", "it's", "a:b", "50%", "C#", "end."]
MARKED = ["#covid", "#mask", "#a", "#b", "//host/share", "%temp"]
SPACED = ["New York", "Carol Smith", "a  b", "Doe (Jr.)"]
QUOTED = ['say "hi"', '"Heroes"', 'a, b', "c; d", 'tab\there', '"', 'a""b', 'p|q, r::s']


class Mess:
    """One text file, the options for it, and the edges that it holds."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.text, self.options, self.suffix = "", [], ".csv"
        self.edges, self.bad = [], 0  # (source, target, weight or None); number of bad lines
        self.random.choice([self.table, self.table, self.table, self.networkx, self.hashtags])()
        self.finish()

    def chance(self, share):
        return self.random.random() < share

    def finish(self):
        if self.chance(0.3):
            self.text = self.text.replace("\n", "\r\n")
        if self.chance(0.2):
            self.text = self.text.rstrip("\r\n")
        if self.chance(0.2):
            self.text = "\ufeff" + self.text

    def field(self, name, delimiter, quote):
        """The name as a field: in quotes where it must be, and now and then where it need not be."""
        if not quote:
            return name
        # Blanks end an unquoted field only if they are the delimiter. A comment mark would begin a comment.
        special = '"' in name or delimiter in name or delimiter == " " and any(c in " \t" for c in name)
        if special or name[0] in "#%/" or self.chance(0.1):
            return '"' + name.replace('"', '""') + '"'
        return name

    def names(self, delimiter, quote):
        if self.chance(0.4):
            return NUMBERS
        pool = PLAIN + (SPACED if delimiter != " " or quote else [])
        pool = pool + (QUOTED if quote else ['"Heroes"', '"Weird Al" Yankovic', 'say "hi"'] if delimiter != " " else [])
        if not quote:
            pool = [name for name in pool if delimiter not in name]
        return pool

    def table(self):
        """CSV: any delimiter, with or without quotes, header, comments, further columns and missing values."""
        delimiter = self.random.choice([",", ";", "\t", "|", "::", " "])
        quote = self.chance(0.6)
        self.suffix = self.random.choice([".csv", ".tsv"] if delimiter == "\t" else [".csv", ".txt"])
        names = self.names(delimiter, quote)
        numbers = names is NUMBERS
        weighted = self.chance(0.5)
        # The order of columns. Ingest must ignore a column "x".
        columns = ["s", "t"] + (["w"] if weighted else []) + ["x"] * self.random.choice([0, 0, 1, 2])
        if self.chance(0.5):
            self.random.shuffle(columns)
        titles = {"s": "payer", "t": "payee", "w": "amount", "x": "kind"}
        if self.chance(0.5):
            titles.update({"s": self.random.choice(["source", "From", "src"]), "w": "weight",
                           "t": self.random.choice(["target", "To", "dst"])})
        header = [titles[c] for c in columns]
        has_header = self.chance(0.5)
        lines = [delimiter.join(header)] if has_header else []
        for _ in range(self.random.randrange(1, 40)):
            row = {"s": self.random.choice(names), "t": self.random.choice(names),
                   "w": self.random.choice(["1", "2.5", "-3", "1e3", "100000", "0.125"]),
                   "x": self.random.choice(["red", "green", ""] if delimiter != " " else ["red", "green"])}
            if numbers and self.chance(0.05):
                row[self.random.choice("st")] = self.random.choice(MISSING + ([""] if delimiter != " " else []))
            lines.append(delimiter.join(self.field(row[c], delimiter, quote) if row[c] else "" for c in columns))
        self.expect(lines[1:] if has_header else lines, columns, delimiter, quote, numbers)
        front = ["# made by hand", "% of things", "// and more"][:self.random.choice([0, 0, 1, 3])]
        if self.chance(0.2):
            front.insert(0, "")
        self.text = "\n".join(front + lines) + "\n"
        self.say(columns, header if has_header else None, delimiter, quote, numbers)

    def say(self, columns, header, delimiter, quote, numbers):
        """The options that a table needs, and now and then some that it does not."""
        by_name = header is not None and header.count("kind") < 2 and self.chance(0.6)
        wanted = [columns.index(c) for c in "stw" if c in columns]
        self.options += ["--csv-columns",
                         ",".join(header[i] if by_name else str(i + 1) for i in wanted)]
        if header is not None and not by_name:
            self.options += ["--header", "yes"]
        if header is None:
            self.options += ["--header", "no"]
        if delimiter in ("|", "::", " ") or self.chance(0.3) or not numbers:
            self.options += ["--delimiter", {"\t": "tab", " ": "blanks"}.get(delimiter, delimiter)]
        if not quote or self.suffix == ".tsv":
            self.options += ["--quote", '"' if quote else "none"]
        if self.chance(0.5):
            self.options += ["--ids", "sparse" if numbers else "strings"]
        self.options += ["--bad-lines", str(self.bad)] if self.bad else []

    def expect(self, lines, columns, delimiter, quote, numbers):
        """Reads the lines with Python's csv module, which has delimiters of one character."""
        unit = "\x1f" if delimiter == "::" else delimiter
        text = [line if delimiter != "::" else self.outside_quotes(line, quote) for line in lines]
        reader = csv.reader(text, delimiter=unit, quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE)
        for row in reader:
            row = [field.strip(" ") for field in row]
            source, target = row[columns.index("s")], row[columns.index("t")]
            if numbers and not (source.isdigit() and target.isdigit()):
                self.bad += 1
                continue
            weight = float(row[columns.index("w")]) if "w" in columns else None
            self.edges.append((source, target, weight))

    @staticmethod
    def outside_quotes(line, quote):
        parts = line.split('"') if quote else [line]
        parts[::2] = [part.replace("::", "\x1f") for part in parts[::2]]
        return '"'.join(parts)

    def networkx(self):
        """A graph as NetworkX writes it, read back by NetworkX."""
        graph = nx.MultiDiGraph()
        names = self.random.choice([NUMBERS, ["alice", "bob", "zoë", "x_1", "it's"]])
        kind = self.random.choice(["weighted", "some data", "no data", "without"])
        for _ in range(self.random.randrange(1, 30)):
            data = {}
            if kind == "weighted":
                data = {"weight": self.random.choice([1, 2.5, -3, 1e20, 100000])}
            if kind in ("weighted", "some data") and self.chance(0.5):
                data["color"] = self.random.choice(["red", "it's {x}", 'a "b": c', "weight"])
                data = dict(sorted(data.items(), key=lambda _: self.random.random()))
            graph.add_edge(self.random.choice(names), self.random.choice(names), **data)
        out = io.BytesIO()
        plain = nx.MultiDiGraph(graph) if kind != "without" else graph
        nx.write_edgelist(nx.DiGraph(plain) if self.chance(0.3) else plain, out, data=kind != "without")
        self.text = out.getvalue().decode()
        if self.chance(0.4):
            self.text = "# written by NetworkX\n" + self.text
        self.suffix = self.random.choice([".el", ".edgelist", ".txt"])
        read = nx.parse_edgelist(self.text.splitlines(), create_using=nx.MultiDiGraph)
        for source, target, data in read.edges(data=True):
            self.edges.append((source, target, float(data["weight"]) if kind == "weighted" else None))

    def hashtags(self):
        """Names that begin as comments do, in every column."""
        delimiter = self.random.choice([",", " ", "\t"])
        self.suffix = ".el" if delimiter == " " else ".csv"
        pool = MARKED + ["x", "y"]
        rows = [(self.random.choice(pool), self.random.choice(pool)) for _ in range(self.random.randrange(1, 20))]
        rows.append((self.random.choice(pool), self.random.choice(MARKED)))
        self.text = "\n".join(delimiter.join(row) for row in rows) + "\n"
        self.edges = [(*row, None) for row in rows]
        if self.chance(0.5):
            self.options = ["--comment", "none"]
        if self.suffix == ".csv":
            self.options += ["--header", "no"]


def differences(edgemill, mess):
    """What is wrong, as text; empty for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path, graph = os.path.join(folder, "in" + mess.suffix), os.path.join(folder, "g.mill")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(mess.text)
        ingest = [edgemill, "ingest", path, graph, "--quiet", *mess.options]
        done = subprocess.run(ingest, capture_output=True, text=True, check=False)
        where = f"seed {mess.seed}: {' '.join(map(shlex.quote, mess.options))} of {mess.text!r}"
        if done.returncode != 0:
            return f"{where}: exit code {done.returncode}: {done.stderr}"
        weighted = any(weight is not None for _, _, weight in mess.edges)
        command = [edgemill, "export", graph, "-", "--format", "wel" if weighted else "el"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
        if done.returncode != 0:
            return f"{where}: exit code {done.returncode} of export: {done.stderr}"
        rows = csv.reader(done.stdout.split("\n"), delimiter=" ")
        given = [(row[0], row[1], float(row[2]) if weighted else None) for row in rows if row]
        missing = collections.Counter(mess.edges) - collections.Counter(given)
        extra = collections.Counter(given) - collections.Counter(mess.edges)
        if missing or extra:
            return f"{where}: not read: {list(missing)}, read instead: {list(extra)}"
    return ""


def main():
    edgemill, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    messes = (Mess(seed) for seed in range(first, first + count))
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        wrong = [line for line in pool.map(lambda mess: differences(edgemill, mess), messes) if line]
    for line in wrong[:20]:
        print(line)
    print(f"{count} files: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
