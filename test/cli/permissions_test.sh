#!/bin/bash
# If any part of a graph may not be read, commands end with 77 and name the file or folder.
source "$(dirname "$0")/lib.sh"

# Permissions do not hold for root, so root runs the program as another user.
if [ "$(id -u)" = 0 ]; then
  if ! setpriv --reuid 65534 --clear-groups true 2> /dev/null; then
    echo "skipped: root cannot become another user (setpriv)"
    exit 0
  fi
  chmod 711 "$work"
  install -m 755 "$edgemill" program
  mkdir -m 777 others
  cd others || exit 1
  as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$work/program" "$@"; }
  edgemill=as_user
fi

seq 0 3000 | awk '{print $1, ($1 * 7919) % 3001}' > graph.el
make_graph() {
  rm -rf graph.mill one two
  expect 0 ingest graph.el graph.mill --data one --data two --block-edges 128 --quiet
}
# denied PATH COMMAND...: without permission for PATH, each command ends with 77 and names PATH.
denied() {
  local path=$1 command mode
  shift
  mode=$(stat -c %a "$path")
  for command in "$@"; do
    chmod 0 "$path"
    # shellcheck disable=SC2086
    expect 77 $command --quiet
    grep -qF -- "$path" err || fail "$command with $path forbidden does not name it: $(cat err)"
    chmod "$mode" "$path"
  done
}
reading=("info graph.mill" "verify graph.mill" "run cc graph.mill --output rank.txt" "export graph.mill back.el")

make_graph
blocks=$(echo one/*)
for part in graph.mill graph.mill/catalog graph.mill/LOCK $(ls -d graph.mill/catalog/{CURRENT,MANIFEST*}) \
            $(find graph.mill/catalog -name '*.sst' -o -name '*.log' -size +0) one "$blocks" "$blocks/IDENTITY" \
            $(find one -name 'out-neighbors*'); do
  denied "$part" "${reading[@]}"
done
denied graph.mill/IDENTITY "verify graph.mill"
for part in graph.mill graph.mill/catalog one "$blocks" "$blocks/IDENTITY"; do
  denied "$part" "remove graph.mill" "ingest graph.el graph.mill --replace"
done
for part in graph.mill graph.mill/catalog; do
  denied "$part" "ingest graph.el graph.mill --resume" "ingest graph.el graph.mill"
done
denied graph.el "ingest graph.el new.mill"
absent new.mill rank.txt back.el
expect 0 verify graph.mill
# Files in a folder that may be listed but not entered cannot be reached.
chmod 444 graph.mill
for command in "${reading[@]}" "remove graph.mill" "ingest graph.el graph.mill --replace"; do
  # shellcheck disable=SC2086
  expect 77 $command --quiet
done
chmod 700 graph.mill
chmod 444 "$blocks"
for command in "remove graph.mill" "ingest graph.el graph.mill --replace"; do
  # shellcheck disable=SC2086
  expect 77 $command --quiet
  grep -qF -- "$blocks/" err || fail "$command with $blocks closed does not name what is in it: $(cat err)"
done
chmod 700 "$blocks"
expect 0 verify graph.mill
expect 0 remove graph.mill
finish
