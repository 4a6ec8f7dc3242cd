#!/bin/bash
# Components of pairs of names, from Parquet to Parquet: components.sh PAIRS.parquet OUT.parquet [MEMORY].
# The first two columns of PAIRS are names; OUT has each name and its component. MEMORY (default 1GiB) bounds all of it.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: components.sh PAIRS.parquet OUT.parquet [MEMORY]" >&2; exit 64; }
edgemill=${EDGEMILL:-edgemill}
memory=${3:-1GiB}
work=$(mktemp -d "$(dirname "$(realpath "$2")")/components.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$edgemill" ingest "$1" "$work/pairs.mill" --undirected --weights none --memory "$memory"
"$edgemill" run cc "$work/pairs.mill" --memory "$memory" --output "$2"
