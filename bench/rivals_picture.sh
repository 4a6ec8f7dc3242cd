#!/bin/bash
# Draws Edgemill's seconds beside other programs' from recorded figures: bench/rivals_picture.sh [RESULTS] > FILE.svg
# RESULTS (default: bench/results) holds rivals.json, which has every bar. docs/rivals.svg is what it prints.
# It needs only awk. Exit code 1: a figure is missing.
set -euo pipefail
here=$(dirname "$0")
results=${1:-$here/results}
exec awk -f "$here/rivals_picture.awk" "$results/rivals.json"
