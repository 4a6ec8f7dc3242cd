#!/bin/bash
# examples/accounts: what it says of its own file, what it leaves, and what it says of bad ones.
source "$(dirname "$0")/lib.sh"
PATH=$(dirname "$edgemill"):$PATH
example=$checks/../../examples/accounts

python3 "$example/accounts.py" "$example/payments.csv" > out 2> err || fail "it fails: $(cat err)"
says '33 accounts, 81 payments'
says '0.2174  Harbour Bank'
says '3 groups of accounts:'
says 'path: Ada Berg -> Blue Kiosk -> Harbour Bank'
says '    27  Ada Berg, Ben Otieno, '
[ "$(wc -l < accounts/ranks.csv)" = 34 ] || fail "ranks.csv has $(wc -l < accounts/ranks.csv) lines"
grep -q '<svg' accounts/payments.html || fail "payments.html draws nothing"
cp out first
python3 "$example/accounts.py" "$example/payments.csv" > out 2> err || fail "it fails the second time: $(cat err)"
same first out

# A vertex that an option names has its name in --json.
expect 0 run path accounts/payments.mill -r 'Ada Berg' --target 'Harbour Bank' --json path.json
grep -q '"target": "Harbour Bank"' path.json || fail "path.json: $(cat path.json)"
tr -d '\n' < path.json | tr -s ' ' | grep -qF '"path": [ "Ada Berg", "Blue Kiosk", "Harbour Bank" ],' ||
  fail "the path of path.json: $(cat path.json)"

printf 'payer,payee\nada,bob\nbob\n' > short.csv
! python3 "$example/accounts.py" short.csv bad > out 2> err || fail "a line that is cut short goes unnoticed"
says 'short.csv:3'
! python3 "$example/accounts.py" none.csv bad > out 2> err || fail "a missing file goes unnoticed"
[ "$(wc -l < err)" = 1 ] || fail "the error is not one line: $(cat err)"
finish
