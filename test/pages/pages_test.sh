#!/bin/bash
# Opens every kind of page and picture that the program writes in a headless Chromium (check_pages.py): pages_test.sh
# EDGEMILL. Skips with exit code 77 if there is no Chromium or no Python. With PAGES=DIR, screenshots go to DIR.
set -euo pipefail
edgemill=$(realpath "$1")
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for chromium in chromium chromium-browser google-chrome ""; do
  [ -n "$chromium" ] || { echo "skipped: there is no Chromium (scripts/setup.sh test installs it)"; exit 77; }
  command -v "$chromium" > /dev/null && break
done
command -v python3 > /dev/null || { echo "skipped: there is no Python"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
quiet() { "$edgemill" "$@" --quiet > /dev/null; }

quiet generate kron kron.mill --scale 12 --weights random:1:255:1 --data one --data two
quiet run pagerank kron.mill --report pagerank.html --top 1000
quiet run sssp kron.mill -r 3 --async --report async.html
# Several hundred small iterations, which share reports, and names that are markup.
quiet generate road road.mill --scale 14
quiet run bfs road.mill -r 0 --report lumped.html
printf '"<b>&amp;</b>","a ""quoted"" one"\n"<script>alert(1)</script>",x\n' > names.csv
quiet ingest names.csv names.mill --ids strings
quiet run cc names.mill --report names.html
quiet stats kron.mill --plot stats.html
quiet stats road.mill --sources 3 --plot stats.svg
quiet stats names.mill --plot tiny.html
mkdir disk
quiet bench io disk --sizes 4K,1M --depths 1,8 -n 2 --duration 0.05 --file-size 16MiB --plot io.html
quiet bench run bfs,cc,pagerank kron.mill -n 3 --json old.json --plot run.html
quiet bench run bfs,cc,pagerank kron.mill -n 3 --json new.json --plot run.svg
quiet bench compare old.json new.json --all --least-change 1000 --plot compare.html
quiet bench compare old.json new.json --all --least-change 1000 --plot compare.svg
quiet bench scales disk --from 8 --to 10 -n 1 --memory 1GiB --plot scales.html
quiet bench scales disk --from 8 --to 10 -n 1 --memory 1GiB --plot scales.svg

if [ -n "${PAGES:-}" ]; then pictures=(--screenshots "$PAGES"); else pictures=(); fi
python3 "$checks/check_pages.py" "$chromium" "${pictures[@]}" ./*.html ./*.svg
[ "$(echo ./*.html ./*.svg | wc -w)" = 14 ] || { echo "not all pages were written: $(echo ./*.html ./*.svg)"; exit 1; }

# The check finds what is wrong.
finds() {  # SED TEXT: the change SED to a page is found, with this TEXT.
  sed -E "$1" compare.html > "$work/wrong.html"
  cmp -s compare.html wrong.html && { echo "'$1' changes nothing"; exit 1; }
  if python3 "$checks/check_pages.py" "$chromium" wrong.html > found || ! grep -qF -- "$2" found; then
    echo "'$1' goes unnoticed: $(cat found)"
    exit 1
  fi
}
finds 's/<main>/<main><p style="width:2000px">wide<\/p>/' 'the page is'
finds 's/<main>/<main><script>console.log(1)<\/script>/' 'console:'
finds 's/<main>/<main><img src="http:\/\/localhost:1\/x.png">/' 'it loads http'
finds 's/--soft:#59636e/--soft:#b0b0b0/' 'has a contrast of'
finds 's/prefers-color-scheme:dark/prefers-color-scheme:other/' 'have one ground'
finds 's/ class="lead"//' 'no sentence'
echo "14 pages and pictures are sound on wide and narrow screens, light and dark, and on paper"
