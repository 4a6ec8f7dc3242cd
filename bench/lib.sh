# Functions that the benchmark scripts share. The scripts source this file.
set -euo pipefail

# If the script has fewer than LEAST arguments, prints its header and exits with the code for a
# wrong command line.
usage() {  # LEAST ARGUMENT...
  [ $(($# - 1)) -ge "$1" ] || { sed -n '2,$ { /^#/!q; s/^# \{0,1\}//p }' "$0" >&2; exit 64; }
}

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# Drops the kernel's caches where that is allowed. $cold says whether it was always allowed.
cold=yes
drop_caches() { sync; { echo 3 > /proc/sys/vm/drop_caches; } 2> /dev/null || cold=no; }

# Sets $report to the path of the next report, and adds it to the arguments of bench record.
results=()
new_report() {  # [LABEL@THREADS=]
  report=$reports/${#results[@]}.json
  results+=("${1:-}$report")
}
