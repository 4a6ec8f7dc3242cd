#!/bin/bash
# Building as others do: without apt-get.
source "$(dirname "$0")/lib.sh"
source_tree=$checks/../..

# Where packages have another manager, what is needed is said.
mkdir bin
for tool in bash id env; do ln -s "$(command -v $tool)" bin/; done
PATH=$work/bin bash "$source_tree/scripts/setup.sh" > out 2> err
[ $? = 69 ] || fail "setup.sh without apt-get: $(cat out err)"
says 'there is no apt-get'
says 'librocksdb-dev liburing-dev'

finish
