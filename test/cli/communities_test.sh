#!/bin/bash
# Communities by modularity: louvain and leiden find known ones, give the same bytes with any threads and memory, and
# say in one line what they refuse.
source "$(dirname "$0")/lib.sh"

# The karate club of Zachary (1977). Its best modularity is 0.4198 (Brandes et al., On Modularity Clustering, 2008).
printf '%s %s\n' 0 1 0 2 0 3 0 4 0 5 0 6 0 7 0 8 0 10 0 11 0 12 0 13 0 17 0 19 0 21 0 31 1 2 1 3 1 7 1 13 1 17 1 19 1 21 1 30 2 3 \
  2 7 2 8 2 9 2 13 2 27 2 28 2 32 3 7 3 12 3 13 4 6 4 10 5 6 5 10 5 16 6 16 8 30 8 32 8 33 9 33 13 33 14 32 14 33 \
  15 32 15 33 18 32 18 33 19 33 20 32 20 33 22 32 22 33 23 25 23 27 23 29 23 32 23 33 24 25 24 27 24 31 25 31 26 \
  29 26 33 27 33 28 31 28 33 29 32 29 33 30 32 30 33 31 32 31 33 32 33 > karate.el
expect 0 ingest karate.el karate.mill -s
# Duplicates and loops count: twice the weight inside of each pair is 4, as is its strength.
printf '0 1\n0 1\n2 3\n2 2\n' > pairs.el
expect 0 ingest pairs.el pairs.mill -s
printf '7 7\n' > loop.el
expect 0 ingest loop.el loop.mill -s
for algorithm in louvain leiden; do
  expect 0 run $algorithm karate.mill --verify --json karate.json
  says 'modularity      0.41'
  for key in '"modularity": 0.41[0-9]*' '"communities": [34]' '"levels": [1-9]' '"largest_community_vertices": [1-9]'; do
    grep -q "$key" karate.json || fail "$algorithm: no $key in $(cat karate.json)"
  done
  expect 0 run $algorithm pairs.mill --verify --output pairs.tsv --force --json pairs.json
  grep -q '"modularity": 0.5,\?$' pairs.json || fail "$algorithm: $(cat pairs.json)"
  [ "$(cut -f 2 pairs.tsv | tr '\n' ' ')" = '0 0 2 2 ' ] || fail "$algorithm: $(cat pairs.tsv)"
  expect 0 run $algorithm loop.mill --verify
  says 'communities     1'
done

expect 0 generate kron kron.mill --scale 13
expect 0 generate kron weighted.mill --scale 12 --weights random:1:100:7
for algorithm in louvain leiden; do
  for graph in kron weighted; do
    for options in '' '--resolution 2.5' '--order-seed 9'; do
      first=
      for run in '--threads 1' '--threads 2 --memory 1GiB' '--threads 3 --memory 64MiB'; do
        # shellcheck disable=SC2086
        expect 0 run $algorithm $graph.mill --verify --force --output answer.tsv $options $run
        sum=$(sha256sum < answer.tsv)
        [ "$sum" = "${first:=$sum}" ] || fail "$algorithm $graph $options: another answer with $run"
      done
    done
  done
done

# Runs with checkpoints make all passes over the lists. They find the same, also when they are killed and go on.
for algorithm in louvain leiden; do
  for graph in karate kron weighted; do
    expect 0 run $algorithm $graph.mill --force --output want.tsv
    for killed in 1 3 12; do
      rm -rf kept
      mkdir kept
      EDGEMILL_KILL_POINT=checkpoint.renamed:$killed run run $algorithm $graph.mill --checkpoint-every 1 \
        --checkpoint-dir kept --force --output got.tsv
      resume=
      case $code in
        137) resume=--resume ;;
        0) [ $graph = karate ] || fail "$algorithm $graph: no checkpoint $killed" ;;
        *) fail "$algorithm $graph: code $code with checkpoints" ;;
      esac
      expect 0 run $algorithm $graph.mill --checkpoint-dir kept $resume --verify --force --output got.tsv
      cmp -s want.tsv got.tsv || fail "$algorithm $graph: another answer after checkpoint $killed"
    done
  done
done

expect 0 generate kron large.mill --scale 16
expect 0 generate rmat directed.mill --scale 8
printf '0 1 -2\n1 2 3\n' > negative.wel
expect 0 ingest negative.wel negative.mill -s
for algorithm in louvain leiden; do
  expect 64 run $algorithm directed.mill
  says 'the graph is directed'
  says '--symmetrize'
  expect 64 run $algorithm negative.mill
  says negative
  for value in 0 -1 nan inf 1e7; do
    expect 64 run $algorithm karate.mill --resolution $value
    says '--resolution'
  done
  expect 64 run $algorithm karate.mill --iterations 3
  # The state fits, and the graph of communities does not.
  least=$("$edgemill" run $algorithm large.mill --dry-run | grep -o -- '--memory [^ ]*' | head -1 | cut -d ' ' -f 2)
  expect 71 run $algorithm large.mill --memory "$least"
  says 'the graph of communities needs '
  says 'give at least --memory '
done
finish
