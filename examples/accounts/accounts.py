#!/usr/bin/env python3
"""From a CSV of payments to the top accounts, a path between two, groups that pay each other, and a picture.

accounts.py PAYMENTS.csv [FOLDER]: the graph, the answers and the picture go to FOLDER (default: accounts). Needs the
program edgemill, and nothing but Python's library. The same commands work for a CSV of a hundred million payments.
"""
import csv
import json
import pathlib
import subprocess
import sys


def edgemill(*words):
    """Runs a command of edgemill and returns its answer."""
    done = subprocess.run(["edgemill", *map(str, words), "--json", "-", "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"edgemill ended with {done.returncode}")
    return json.loads(done.stdout)


def rows(path):
    """The rows of an answer, as dictionaries."""
    with open(path, newline="") as file:
        yield from csv.DictReader(file)


def main(payments, folder="accounts"):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    graph = folder / "payments.mill"

    # 1. The file as it is: two columns of names make a graph.
    made = edgemill("ingest", payments, graph, "--csv-columns", "payer,payee", "--replace")
    print(f"{made['vertices']:,} accounts, {made['edges']:,} payments")

    # 2. Who matters: an account ranks high when accounts that rank high pay it.
    ranks = edgemill("run", "pagerank", graph, "--top", 3, "--bottom", 1, "--output", folder / "ranks.csv", "--force")
    print("top accounts, by PageRank:")
    for account in ranks["top"]:
        print(f"  {account['rank']:.4f}  {account['id']}")

    # 3. How two accounts are connected: the fewest payments from the last of them to the first.
    last, first = ranks["bottom"][0]["id"], ranks["top"][0]["id"]
    edgemill("run", "path", graph, "-r", last, "--target", first, "--output", folder / "path.csv", "--force")
    steps = {int(row["step"]): row["id"] for row in rows(folder / "path.csv") if row["step"] != "inf"}
    print("path:", " -> ".join(steps[place] for place in sorted(steps)) or f"none from {last} to {first}")

    # 4. Who belongs together: accounts that are joined by payments, in any direction.
    edgemill("run", "cc", graph, "--output", folder / "groups.csv", "--force")
    groups = {}
    for row in rows(folder / "groups.csv"):
        groups.setdefault(row["component"], []).append(row["id"])
    print(f"{len(groups)} groups of accounts:")
    for accounts in sorted(groups.values(), key=len, reverse=True):
        print(f"  {len(accounts):4}  {', '.join(accounts[:3])}{', ...' * (len(accounts) > 3)}")

    # 5. What the network looks like: degrees, groups and distances.
    stats = edgemill("stats", graph, "--plot", folder / "payments.html")
    returned = stats["reciprocity"]["value"]
    print(f"{100 * returned:.0f} % of the payments have one in the other direction")
    print(f"picture: {folder / 'payments.html'}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
