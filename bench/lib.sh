# What the benchmarks' scripts share. Sourced by them, with their arguments.
set -euo pipefail

# Prints the script's header and ends with the code for a wrong command line, when the script has
# fewer than LEAST arguments.
usage() {  # LEAST ARGUMENT...
  [ $(($# - 1)) -ge "$1" ] || { sed -n '2,$ { /^#/!q; s/^# \{0,1\}//p }' "$0" >&2; exit 64; }
}

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# Empties the kernel's caches where that is allowed; $cold says whether it always was.
cold=yes
drop_caches() { sync; { echo 3 > /proc/sys/vm/drop_caches; } 2> /dev/null || cold=no; }

# Names the next report, $report, and adds it to what bench record is given.
results=()
new_report() {  # [LABEL@THREADS=]
  report=$reports/${#results[@]}.json
  results+=("${1:-}$report")
}
