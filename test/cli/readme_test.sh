#!/bin/bash
# The commands that README.md and docs/USAGE.md show, run in order in an empty folder with the repository's test data:
# each prints what its document shows, except times, rates and memory. A command is a line of a ```console block that
# begins with "$ ". Its standard output follows; if it fails, also the last line of its errors.
source "$(dirname "$0")/lib.sh"
export CUDA_VISIBLE_DEVICES=  # the documents show a machine without a GPU, whose ranks have other last digits
root=$(realpath "$checks/../..")
PATH=$(dirname "$edgemill"):$PATH

# shown DOCUMENT: the lines of its console blocks.
shown() { awk '/^```/ {console = $0 == "```console"; next} console' "$1"; }

# performed TRANSCRIPT: the commands of TRANSCRIPT with what they print on this machine.
performed() {
  local line
  while IFS= read -r line; do
    [[ $line == '$ '* ]] || continue
    printf '%s\n' "$line"
    bash -c "${line#??}" > "$work/out" 2> "$work/err" < /dev/null
    code=$?
    cat "$work/out"
    [ $code = 0 ] || grep '^edgemill: ' "$work/err" | tail -n 1 | grep . || echo "exit code $code: $(cat "$work/err")"
  done < "$1"
}

# masked: leaves out lines, and numbers of lines, that depend on the machine.
masked() {
  sed -E -e '/^\$ /b' \
    -e '/^(threads|processor|GPU|bytes to the GPU|calibration) /d' \
    -e '/^(time|memory|edges\/s|bytes read|verified|trials|last change) /s/[0-9][0-9.,e-]*( [KMGT]?i?B\b)?/#/g' \
    -e 's/(at least --memory )[0-9]+MiB/\1#/' \
    -e 's/, in [0-9.]+ s: /, in # s: /; s/ in [0-9.]+ s$/ in # s/; s/[0-9.]+ [KMGT]?i?B are free/# are free/' \
    -e 's/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#/' "$1"
}

# agrees SHOWN PERFORMED: both are equal, except what depends on the machine. The file why has the difference.
agrees() {
  masked "$1" > shown.masked
  masked "$2" > performed.masked
  diff shown.masked performed.masked > why
}

# check DOCUMENT LEAST: DOCUMENT has LEAST commands or more, and each prints what DOCUMENT shows.
check() {
  local name
  name=$(basename "$1" .md)
  shown "$1" > "$name.shown"
  [ "$(grep -c '^\$ ' "$name.shown")" -ge "$2" ] || fail "$1 has fewer than $2 commands"
  mkdir -p "folder/$name/test"
  ln -s "$root/test/data" "folder/$name/test/data"
  ln -s "$root/examples" "folder/$name/examples"
  (cd "folder/$name" && performed "$work/$name.shown") > "$name.performed"
  agrees "$name.shown" "$name.performed" || fail "$1 says (<) what is not so (>):"$'\n'"$(head -40 why)"
}
check "$root/README.md" 4
check "$root/docs/USAGE.md" 20

# notices SED: the check fails after the change SED to the output that README.md shows.
notices() {
  sed -E "$1" README.shown > changed.shown
  ! cmp -s README.shown changed.shown || fail "'$1' changes nothing in README.md"
  ! agrees changed.shown README.performed || fail "README.md may be wrong unnoticed: '$1'"
}
notices 's/3,216,152, directed/3,216,153, directed/'
notices 's/, directed/, symmetric/'
notices 's/^(33 accounts, )81/\180/'
notices 's/ s of loading/ s of waiting/'
notices 's/ 60595: / 60596: /'
notices '/^loops /d'
notices 's/pagerank needs at least/pagerank takes at least/'
notices 's/^(\$ python3 .*)/\1\nand more/'
sed -E 's/^(time +)[0-9]/\19/; s/^(memory +)[0-9]+/\1777/; s/^threads .*/threads         none/' README.shown > changed.shown
agrees changed.shown README.performed || fail "times are not masked: $(head -10 why)"
! cmp -s README.shown changed.shown || fail "README.md shows no times"

# Only commands that install may be in other blocks, which no test runs.
awk '/^## / {section = $0} /^```/ {inside = !inside; if (inside && $0 != "```console" && section != "## Install") print}' \
  "$root/README.md" > unchecked
[ ! -s unchecked ] || fail "README.md has commands that no test runs: use \`\`\`console"

# README.md is short.
[ "$(wc -l < "$root/README.md")" -le 150 ] || fail "README.md has more than 150 lines"
finish
