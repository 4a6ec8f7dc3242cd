#!/bin/bash
# Draws the seconds of Edgemill and of other programs from recorded figures:
#   bench/rivals_picture.sh [RESULTS] > FILE.svg
# RESULTS (default: bench/results) holds rivals.json, which has the figure of every bar. docs/rivals.svg is the output.
# The script needs only awk. Exit code 1 when a figure is missing.
set -euo pipefail
here=$(dirname "$0")
results=${1:-$here/results}
exec awk -f "$here/rivals_picture.awk" "$results/rivals.json"
