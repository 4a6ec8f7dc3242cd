#!/bin/bash
# verify and run find damage to a graph, and no run gives an answer.
source "$(dirname "$0")/lib.sh"
seq 0 20000 | awk '{print $1, ($1 * 7919) % 20000; print $1, ($1 * 31) % 20000}' > graph.el
expect 0 ingest graph.el graph.mill --block-edges 1024 --weights random:1:255:1
expect 0 run cc graph.mill --output want.txt

flip() {  # FILE OFFSET: flips one bit
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
  printf "$(printf '\\%03o' $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}

segments=$(find graph.mill -type f -size +1k \( -name '*neighbors*' -o -name '*offsets*' -o -name '*weights*' \))
[ -n "$segments" ] || fail "no segments were found"
for segment in $segments; do
  size=$(stat -c %s "$segment")
  for offset in 0 70 $((size / 2)); do
    flip "$segment" "$offset"
    run verify graph.mill
    # Padding between blocks belongs to no block.
    if [ "$code" = 0 ]; then
      [ "$offset" != 0 ] && [ "$offset" != 70 ] || fail "a flip at $offset of $segment is not found"
    else
      [ "$code" = 65 ] || fail "verify of a damaged graph: exit code $code: $(cat err)"
      says "$(basename "$segment" | sed 's/\..*//')"
    fi
    flip "$segment" "$offset"
  done
done
expect 0 verify graph.mill

# refuses SEGMENT ARGUMENT...: the command finds damage to the segment, and leaves no output.
refuses() {
  local segment
  segment=$(echo "$segments" | grep -m 1 "$1")
  flip "$segment" 70
  shift
  expect 65 "$@" --quiet
  says "$(basename "$segment" | sed 's/\..*//')"
  absent rank.txt back.el
  ls | grep -qE 'tmp|edgemill-part' && fail "temporary files were left: $(ls)"
  flip "$segment" 70
}
refuses in-neighbors run pagerank graph.mill --output rank.txt
refuses in-offsets run pagerank graph.mill --output rank.txt
refuses out-neighbors run bfs graph.mill -r 1 --mode push --output rank.txt
refuses out-weights run sssp graph.mill -r 1 --mode push --output rank.txt
refuses out-neighbors export graph.mill back.el
refuses out-weights export graph.mill back.wel
absent back.wel

# verify lists all bad blocks.
segment=$(echo "$segments" | grep -m 1 out-neighbors)
flip "$segment" 70
size=$(stat -c %s "$segment")
flip "$segment" $((size - size % 128 - 128 * 3))
run verify graph.mill --json bad.json
[ "$code" = 65 ] || fail "two bad blocks: exit code $code"
valid_json bad.json
[ "$(json_number bad.json blocks_bad)" -ge 1 ] || fail "no bad block is counted"
flip "$segment" $((size - size % 128 - 128 * 3))
flip "$segment" 70

# A segment that is cut short, or a damaged catalog, is found when the graph is opened.
cp -r graph.mill copy.mill
for file in $(find copy.mill -path '*catalog*' -type f -size +0); do
  case $file in *LOG | *LOCK | *OPTIONS* | *IDENTITY) continue ;; esac
  size=$(stat -c %s "$file")
  flip "$file" $((size / 2))
  run run cc copy.mill --output copy.txt --force
  if [ "$code" = 0 ]; then
    same copy.txt want.txt
  else
    [ "$code" = 65 ] || fail "a damaged $file: exit code $code: $(cat err)"
  fi
  flip "$file" $((size / 2))
done
segment=$(find copy.mill -name '*out-neighbors*' | head -1)
truncate -s 200 "$segment"
expect 65 info copy.mill
expect 0 run cc graph.mill --output again.txt
same again.txt want.txt
# A pipe in the place of any file of a graph is damage, and no command waits for it.
expect 0 generate kron plain.mill --scale 8
for name in LOCK $(cd plain.mill && find catalog data -type f ! -name IDENTITY ! -name CURRENT); do
  cp -r plain.mill pipe.mill
  rm "pipe.mill/$name"
  mkfifo "pipe.mill/$name"
  timeout -s KILL 20 "$edgemill" verify pipe.mill > out 2> err
  code=$?
  [ "$code" = 65 ] || fail "$name is a pipe: exit code $code: $(cat err)"
  says 'is not a regular file'
  rm -r pipe.mill
done

# If there are too few descriptors, verify does not call a good graph bad.
for files in 5 6 8 9 10 11 12 16; do
  (ulimit -n $files && exec "$edgemill" verify plain.mill) > out 2> err
  code=$?
  [ "$code" = 0 ] || [ "$code" = 74 ] || fail "verify with $files descriptors: exit code $code: $(cat out err)"
  ! grep -q '^bad' out || fail "verify with $files descriptors calls a good graph bad: $(cat out)"
done
finish
