#!/bin/bash
# bench/paired.sh: what it calls worse, which commands it runs, and what it leaves behind. Most tests use programs that
# do nothing and report known times.
source "$(dirname "$0")/lib.sh"
paired=$checks/../../bench/paired.sh

# Reports of the real program, whose times are replaced by 1 s and by 1.2 s.
expect 0 generate kron g.mill --scale 8 --weights random:1:255:1 --json generate
for start in cold warm; do
  expect 0 bench run bfs,sssp,cc,pagerank g.mill -n 1 --start $start --json $start
done
for report in generate cold warm; do
  for seconds in 1.0 1.2; do
    sed -E '/"samples": \[/{n;s/[0-9].*/'$seconds'/};s/^( *"seconds": ).*,/\1'$seconds',/' $report > $report.$seconds
  done
done

# pretends NAME SECONDS [FIRST_LINES]: makes the program NAME, which says that it takes SECONDS where blocks are
# cached, and one second elsewhere.
pretends() {
  cat > "$1" << END
#!/bin/sh
$3
echo "\$*" >> "$work/$1.log"
case "\$1 \$2" in
  help* | 'bench record' | 'bench compare') exec "$edgemill" "\$@" ;;
  generate* | ingest*) report=generate.1.0 ;;
  bench*) report=cold.1.0 ;;
  *) exit ;;
esac
case "\$*" in *warm*) report=warm.$2 ;; esac
for last; do :; done  # what follows --json
case "\$*" in *--json*) exec cp "$work/\$report" "\$last" ;; esac
END
  chmod +x "$1"
}

# compared CODE ARGUMENT...: runs the script, which must end with CODE and leave no file in its folder.
mkdir place
compared() {
  local want=$1
  shift
  "$paired" "$@" --work place > out 2> err < /dev/null
  code=$?
  [ "$code" = "$want" ] || fail "paired.sh $*: exit code $code, not $want: $(head -c 2000 err)"
  [ -z "$(ls -A place)" ] || fail "paired.sh $*: files were left: $(find place)"
}

# Compares a program with itself. On a busy machine such short times differ by much, hence --worse 4.
compared 0 "$edgemill" "$edgemill" --scale 8 --rounds 6 --worse 4
[ "$(grep -c ' to .* \(same\|better\|WORSE\)$' out)" = 11 ] || fail "not eleven figures: $(cat out)"
for figure in 'Kronecker, generate' 'spilled, ingest' 'text, ingest' 'in RAM, sssp, warm' \
              'out of core, pagerank, cold'; do
  says "$figure: time"
done
for which in old new; do
  valid_json paired-$which.json
  grep -q '"benchmark": "paired, cpu"' paired-$which.json || fail "paired-$which.json: $(head -5 paired-$which.json)"
  for key in commit cpu 'in RAM: threads' 'out of core: memory_bytes'; do
    grep -q "\"$key\": ." paired-$which.json || fail "paired-$which.json has no $key"
  done
done
expect 0 bench compare paired-old.json paired-old.json --paired

# A program that is 20 % slower in RAM is found slower there, and nowhere else. Options that the older program lacks are
# left out for both.
# shellcheck disable=SC2016
pretends older 1.0 '[ "$1" != help ] || { '"$edgemill"' "$@" | grep -v skip-verify; exit; }'
pretends slower 1.2 ''
compared 1 ./older ./slower --rounds 6 --json found
says '12 metrics: 4 worse and 0 better'
[ "$(grep -c 'in RAM.*1.200 to 1.200  WORSE' out)" = 4 ] || fail "not all of it is found: $(cat out)"
says 'bench run --skip-verify is left out: the old program lacks it'
! grep -q 'bench run .*--skip-verify' ./*.log || fail "an option was given that one program lacks"
grep -q 'bench run .*--start warm' older.log || fail "known options were not given: $(cat older.log)"
expect 1 bench compare found-old.json found-new.json --paired --kind time
expect 0 bench compare found-old.json found-new.json --paired --worse 1.5
expect 64 bench compare found-old.json found-new.json --worse 1.5

# A figure that is slow only in the first measurement is not worse.
# shellcheck disable=SC2016
pretends stumbling '$([ "$(grep -c warm '"$work"'/stumbling.log)" -gt 8 ] && echo 1.0 || echo 1.2)' ''
compared 0 ./older ./stumbling --rounds 6
says 'figures that look worse are measured once more'
[ "$(grep -c warm stumbling.log)" = 13 ] || fail "it was measured $(grep -c warm stumbling.log) times"

# The commands of a comparison on a GPU.
pretends steady 1.0 ''
compared 0 ./steady ./steady --gpu --scale 25
says '12 metrics: 0 worse'
grep -q '"rounds": "9"' paired-new.json || fail "not nine rounds are made"
sort -u steady.log > commands
for want in 'kron kron.mill --scale 25 --weights random:1:255:1' \
            'kron.mill -n 5 --skip-verify --device gpu -i 10 --start warm --memory 16448MiB --transfer resident' \
            'kron.mill -n 3 --skip-verify --device gpu -i 10 --start warm --memory 16448MiB --gpu-memory 2112MiB' \
            'kron.mill -n 1 --skip-verify --device gpu -i 5 --memory 2112MiB --gpu-memory 2112MiB'; do
  grep -qF -- "$want" commands || fail "no command has '$want': $(cat commands)"
done

# If a program fails, the script ends with the program's exit code. Wrong command lines are found before any work.
# shellcheck disable=SC2016
pretends failing 1.0 '[ "$1" != ingest ] || { echo "edgemill: no room" >&2; exit 71; }'
compared 71 ./steady ./failing
says 'edgemill: no room'
compared 64
compared 64 ./steady
compared 64 ./steady ./steady --fast
compared 64 ./steady ./steady --rounds 5
compared 64 ./steady ./steady --worse fast
compared 66 ./steady ./none
says './none: there is no such program'
compared 73 ./steady ./steady --json nowhere/found
# shellcheck disable=SC2016
pretends lacking 1.0 '[ "$1" != help ] || exit 64'
compared 64 ./steady ./lacking
says 'has no bench compare --paired'

# The script leaves nothing, however it ends.
# shellcheck disable=SC2016
pretends waiting 1.0 '[ "$1" != ingest ] || { touch begun; exec sleep 2; }'
for signal in INT TERM HUP KILL; do
  set -m  # a group of its own, which Ctrl-C reaches as a whole
  "$paired" ./waiting ./waiting --work place > out 2> err < /dev/null &
  process=$!
  set +m
  for _ in {1..100}; do
    [ -z "$(find place -name begun)" ] || break
    sleep 0.1
  done
  [ -n "$(find place -name begun)" ] || fail "no ingest began: $(cat err)"
  if [ $signal = INT ]; then kill -s INT -- "-$process"; else kill -s $signal "$process"; fi
  wait "$process" 2> /dev/null
  code=$?
  if [ $signal = KILL ]; then
    # After KILL, the folder is empty only once programs that still run have ended.
    for _ in {1..100}; do
      [ -n "$(ls -A place)" ] || break
      sleep 0.1
    done
  else
    [ "$code" = 130 ] || fail "after SIG$signal: exit code $code: $(cat err)"
  fi
  [ -z "$(ls -A place)" ] || fail "files were left after SIG$signal: $(find place)"
done
finish
