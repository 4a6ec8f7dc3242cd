#!/bin/bash
# Under limits on memory, threads and their stacks, commands work or say what they lack.
source "$(dirname "$0")/lib.sh"
printf '0 1\n1 2\n2 3\n3 0\n' > small.el
expect 0 generate kron kron.mill --scale 12 --weights random:1:255:1
commands=('generate kron made.mill --scale 8 --replace' 'ingest small.el made.mill --replace'
  'run bfs kron.mill -r 1' 'run cc kron.mill' 'run pagerank kron.mill -i 2' 'run sssp kron.mill -r 1'
  'verify kron.mill')

# Limits of the address space (-v) and data (-d), in KiB. If even the loader fails (code 127), nothing is checked.
for limit in '-v 40000' '-v 70000' '-v 150000' '-v 300000' '-d 12000' '-d 30000' '-d 80000'; do
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086
    (ulimit $limit && exec "$edgemill" $command --memory 64MiB --threads 4) > out 2> err < /dev/null
    code=$?
    [ $code != 127 ] || continue
    [ $code = 0 ] || [ $code = 71 ] || fail "ulimit $limit: $command: exit code $code: $(head -c 500 err)"
    [ $code = 0 ] || [ "$(grep -c '^edgemill: ' err)" = 1 ] || fail "ulimit $limit: $command: $(cat err)"
  done
done

# Small steps find limits at which an allocation of a library or of one of several threads fails.
for limit in $(seq 110000 6000 170000); do
  (ulimit -v "$limit" && exec "$edgemill" generate kron made.mill --scale 14 --replace --memory 128MiB --threads 4) \
    > out 2> err < /dev/null
  code=$?
  [ $code = 0 ] || [ $code = 71 ] || fail "ulimit -v $limit: generate: exit code $code: $(head -c 500 err)"
done

# Limits of threads do not hold for root, so another user runs the program.
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 54321 --regid 54321 --clear-groups)
if ${user[@]+"${user[@]}"} true 2> /dev/null; then
  chmod 711 "$work"
  install -m 755 "$edgemill" program
  mkdir -m 777 others
  cp small.el others
  cd others || exit 1
  as_user=(${user[@]+"${user[@]}"} "$work/program")
  "${as_user[@]}" generate kron kron.mill --scale 12 --weights random:1:255:1 > out || fail "generate as another user"
  for threads in 1 2 3 4 5 7 9; do
    for command in "${commands[@]}"; do
      # shellcheck disable=SC2086
      prlimit --nproc="$threads" "${as_user[@]}" $command --threads 4 > out 2> err < /dev/null
      code=$?
      [ $code = 0 ] || [ $code = 71 ] || fail "$threads threads: $command: exit code $code: $(head -c 500 err)"
      [ $code = 0 ] || tail -1 err | grep -q '^edgemill: .*thread' || fail "$threads threads: $command: $(cat err)"
    done
  done
  cd "$work" || exit 1
else
  echo "skipped: root cannot become another user (setpriv): limits on threads"
fi

# A thread's stack has the size of the process's limit.
for stack in 192 256 512; do
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086
    (ulimit -s $stack && exec "$edgemill" $command --threads 4) > out 2> err < /dev/null ||
      fail "ulimit -s $stack: $command: exit code $?: $(head -c 500 err)"
  done
done
finish
