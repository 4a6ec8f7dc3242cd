# Functions that the program's tests share. A test sources this file; $1 is the program's path. The test works in a
# folder of its own, which is removed at the end. A check that fails prints why, and then the test fails.
set -u
edgemill=$(realpath "$1")
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$checks/../data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

finish() {
  [ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
  echo "all checks passed"
  exit 0
}

# Runs the program with the arguments. Sets $code; what the program prints is in the files out and err.
run() {
  "$edgemill" "$@" > out 2> err < /dev/null
  code=$?
}

# expect CODE ARGUMENT...: runs the program, whose exit code must be CODE. The program must explain a failure in one
# line.
expect() {
  local want=$1
  shift
  run "$@"
  if [ "$code" != "$want" ]; then
    fail "edgemill $*: exit code $code, not $want; it said: $(head -c 2000 err)"
  elif [ "$want" != 0 ]; then
    [ "$(grep -c '^edgemill: ' err)" = 1 ] && [ "$(wc -l < err)" = 1 ] ||
      fail "edgemill $*: the error is not one line: $(cat err)"
  fi
}

# interrupt PROCESS SECONDS: sends SIGINT after SECONDS, or later, once the program handles it: until then, processes that
# a shell started with & ignore it.
interrupt() {
  local status
  sleep "$2"
  for _ in {1..100}; do
    status=$(cat "/proc/$1/status" 2> /dev/null) || break
    [[ $status =~ State:.Z || $status =~ SigCgt:.[0-9a-f]*[2367abef]$'\n' ]] && break
    sleep 0.1
  done
  kill -s INT "$1" 2> /dev/null
}

# says TEXT: the last run printed TEXT, on either stream.
says() {
  grep -qF -- "$1" out err || fail "it does not say '$1' but: $(head -c 2000 out err)"
}

# valid_json FILE: CMake's parser, which every build has, accepts FILE.
valid_json() {
  cmake -DFILE="$(realpath "$1")" -P "$checks/check_json.cmake" > json.log 2>&1 ||
    fail "$1 is not JSON: $(head -c 1000 json.log) $(head -c 1000 "$1")"
}

# json_number FILE KEY: the first number called KEY.
json_number() {
  sed -n "s/.*\"$2\": \([0-9.e+-]*\).*/\1/p" "$1" | head -1
}

same() {
  cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2" | head -5)"
}

absent() {
  local path
  for path in "$@"; do
    [ ! -e "$path" ] || fail "$path was left behind"
  done
}

# Writes small.el: a graph with two components, a loop, a duplicate edge and the isolated id 6.
small_graph() {
  printf '# a comment\n0 1\n0 2\n1 3\n2 3\n3 3\n3 4\n3 4\n5 7\n' > small.el
}

# The names of all algorithms, as help lists them, on one line in order.
algorithm_names() {
  "$edgemill" help | sed -n '/^  run /,/^  info /s/^ \{17\}//p' | tr -s '; ' '\n' | grep -v ':$' | sort | paste -sd ' '
}
