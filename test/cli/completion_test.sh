#!/bin/bash
# Completions of shells, and pages for man: both are made from the declarations.
source "$(dirname "$0")/lib.sh"

expect 0 completion bash
cp out bash.sh
expect 0 completion zsh
cp out zsh.sh
expect 0 completion fish
cp out fish.fish
expect 64 completion tcsh
says '"tcsh" is none of bash, zsh, fish'
expect 64 completion
says 'SHELL is missing'

# completes LINE WORDS: after LINE, whose last word may be empty, bash offers WORDS.
source ./bash.sh
completes() {
  local want=$2
  IFS='|' read -ra COMP_WORDS <<< "edgemill|$1"
  [[ "$1" != *'|' ]] || COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _edgemill
  [ "${COMPREPLY[*]}" = "$want" ] || fail "after ${COMP_WORDS[*]}: '${COMPREPLY[*]}', not '$want'"
}
touch graph.mill ' with blanks'
completes 'ru' 'run'
completes 'bench|me' 'memory'
completes 'run|' "$(algorithm_names)"
completes 'run|ss' 'ssnsp sssp sswp'
completes 'run|pagerank|gr' 'graph.mill'
completes 'run|pagerank|--mode|' 'auto pull push notify-pull'
completes 'run|pagerank|--mode|=|no' 'notify-pull'
completes 'run|--mode|pull|pager' 'pagerank'
completes 'run|--quiet|pager' 'pagerank'
completes 'run|bfs|graph.mill|--par' '--parents'
completes 'run|bfs|graph.mill|-o|gr' 'graph.mill'
completes 'run|bfs|graph.mill|--threads|' ''
completes 'generate|s' 'star'
completes 'ingest|--quote|' 'none " lines'
completes 'help|run|kc' 'kcore'
completes 'nothing|--' ''
# A program with another name has functions of its own.
expect 0 completion bash my-program
grep -q '^complete -F _my_program my-program$' out || fail "my-program: $(tail -2 out)"

# Every option of every command is in all three, and on the command's page.
for command in ingest generate run info export verify remove calibrate 'bench io' 'bench run' help; do
  # shellcheck disable=SC2086 # words of a command
  expect 0 help $command
  grep -oE '^  (-., )?--[a-z-]+' out | grep -oE -- '--[a-z-]+' > options
  # shellcheck disable=SC2086
  expect 0 help --man $command
  page=$(sed 's/\\-/-/g' out) zsh=$(cat zsh.sh) fish=$(cat fish.fish)
  bash=$(grep "^ *'$command options')" bash.sh)
  while read -r option; do
    [[ $bash == *["' "]"$option "* ]] || fail "bash: $command $option"
    [[ $zsh == *"'*$option"[=[]* ]] || fail "zsh: $command $option"
    [[ $fish == *"_is $command' -l ${option#--} "* ]] || fail "fish: $command $option"
    [[ $page == *".B "*"$option"* ]] || fail "man: $command $option"
  done < options
done
for shell in zsh fish; do
  ! command -v $shell > /dev/null || $shell -n $shell.* 2> err || fail "$shell: $(cat err)"
done

expect 0 help --man
says '.TH EDGEMILL 1'
says '.BR edgemill-run (1)'
expect 0 help --man run pr
says '.TH EDGEMILL-RUN-PAGERANK 1'
says '.BR edgemill-run (1)'
expect 64 help --man nothing
says 'there is no command nothing'
expect 64 help --man run nothing
says 'there is no algorithm nothing'
if command -v man > /dev/null; then
  for page in '' run 'bench io' 'run cs' ingest; do
    # shellcheck disable=SC2086
    expect 0 help --man $page
    man --warnings -E UTF-8 -l -Tutf8 -Z out 2>&1 > /dev/null | grep . && fail "man warns of the page of '$page'"
  done
fi

finish
