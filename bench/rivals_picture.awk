# The drawing of bench/rivals_picture.sh. The input is rivals.json, which has one figure in each line. A rival's bar is
# filled if its run took turns with Edgemill's, and hollow if it did not.

# The value of `key` in a line of JSON: "" for null.
function field(line, key) {
  if (!match(line, "\"" key "\": (\"([^\"\\\\]|\\\\.)*\"|[^,}]*)")) return ""
  line = substr(line, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
  gsub(/^"|"$/, "", line)
  return line == "null" ? "" : line
}

function keep(run, algorithm, program, value) {
  seconds[run, algorithm, program] = value + 0
  if (!(program in known)) {
    known[program] = 1
    programs[++num_programs] = program
  }
}

/"program"/ {
  if (field($0, "seconds") != "") {
    keep(field($0, "run"), field($0, "algorithm"), field($0, "program"), field($0, "seconds"))
  }
}

function place(x, y) { return sprintf("x=\"%.1f\" y=\"%.1f\"", x, y) }

function text(x, y, class, words) { printf "<text %s class=\"%s\">%s</text>\n", place(x, y), class, words }

function bar(program, value, class) {
  text(left, top + 12, "name", program)
  printf "<rect %s width=\"%.1f\" height=\"11\" rx=\"2\" class=\"%s\"/>\n", place(left + 72, top + 2.5),
    1 + 129 * value / longest, class
  text(left + 78 + 129 * value / longest, top + 12, class == "own" ? "strong" : "", sprintf("%.3g", value))
  top += 17
}

# The fastest rival of `run` that is not in `drawn`: "" where there is none.
function fastest(run, algorithm,    i, best) {
  best = ""
  for (i = 1; i <= num_programs; ++i) {
    if (programs[i] == "Edgemill" || programs[i] in drawn || !((run, algorithm, programs[i]) in seconds)) continue
    if (best == "" || seconds[run, algorithm, programs[i]] < seconds[run, algorithm, best]) best = programs[i]
  }
  return best
}

# Draws bars of the `most` fastest rivals of `run`.
function rivals(run, algorithm, class, most,    name) {
  for (split("", drawn); most > 0 && (name = fastest(run, algorithm)) != ""; --most) {
    bar(name, seconds[run, algorithm, name], class)
    drawn[name] = 1
    ++bars
  }
}

# The most seconds that a group of bars shows.
function slowest(algorithm,    most, name, value) {
  value = seconds[own, algorithm, "Edgemill"]
  split("", drawn)
  for (most = apart_bars; most > 0 && (name = fastest(apart, algorithm)) != ""; --most) {
    if (seconds[apart, algorithm, name] > value) value = seconds[apart, algorithm, name]
    drawn[name] = 1
  }
  split("", drawn)
  name = fastest(turns, algorithm)
  return name != "" && seconds[turns, algorithm, name] > value ? seconds[turns, algorithm, name] : value
}

# Draws a group of bars: Edgemill, the rival that took turns with it, and others. The longest bar fills the width.
function group(title, algorithm) {
  if (!((own, algorithm, "Edgemill") in seconds)) fail(algorithm)
  longest = slowest(algorithm)
  text(left, top + 12, "strong", title)
  top += 18
  bar("Edgemill", seconds[own, algorithm, "Edgemill"], "own")
  bars = 0
  rivals(turns, algorithm, "turn", 1)
  rivals(apart, algorithm, "apart", apart_bars)
  if (bars == 0) fail(algorithm)
  top += 8
}

function fail(algorithm) {
  print "rivals_picture: a figure of " algorithm " is missing: " own > "/dev/stderr"
  exit 1
}

# Starts a column of groups, with Edgemill's figures of `own_run`, the fastest rival of `turns_run`, and the `most`
# fastest rivals of `apart_run`.
function panel(x, own_run, turns_run, apart_run, most, title, first, second, third) {
  left = x
  own = own_run
  turns = turns_run
  apart = apart_run
  apart_bars = most
  text(left, 62, "title", title)
  text(left, 82, "faint", first)
  text(left, 98, "faint", second)
  text(left, 114, "faint", third)
  top = 126
}

END {
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 920 464\" width=\"920\" height=\"464\" role=\"img\">"
  print "<title>Seconds of Edgemill and of other programs, in memory and out of memory</title>"
  print "<style>"
  print "text { font: 12px system-ui, sans-serif; fill: #1f2328 } .paper { fill: #fff; stroke: #d0d7de }"
  print ".head { font-size: 16px; font-weight: 600 } .title { font-size: 14px; font-weight: 600 }"
  print ".strong { font-weight: 600 } .faint { fill: #59636e }"
  print ".own { fill: #0969da } .turn { fill: #8c959f } .apart { fill: none; stroke: #8c959f; stroke-width: 1.5 }"
  print "@media (prefers-color-scheme: dark) {"
  print "text { fill: #e6edf3 } .paper { fill: #0d1117; stroke: #30363d } .faint { fill: #9198a1 }"
  print ".own { fill: #4493f8 } .turn { fill: #767e88 } .apart { stroke: #767e88 }"
  print "}"
  print "</style>"
  print "<rect x=\"0.5\" y=\"0.5\" width=\"919\" height=\"463\" rx=\"6\" class=\"paper\"/>"
  text(20, 30, "head", "Seconds to an answer; shorter is better")

  run = "in turns, kronecker-22"
  panel(20, run, run, "", 0, "All edges in memory", "Kronecker 22: 128 M edges", "2 cores (AMD EPYC, Zen 4)",
    "in turns in one run")
  group("BFS", "bfs")
  group("Shortest paths", "sssp")
  group("Connected components", "cc")
  group("PageRank, 10 iterations", "pagerank")

  run = "in turns, kronecker-24"
  panel(320, run, run, "by themselves, kronecker-24", 1, "Out of memory: 1 GiB in all", "Kronecker 24: 521 M edges",
    "2 cores, 24 GiB, one virtual disk", "in turns in one run; hollow: another run")
  group("BFS", "bfs")
  group("Connected components", "cc")
  group("PageRank, 10 iterations", "pagerank")

  panel(620, "bench gpu, kronecker-25", "", "by themselves, kronecker-25", 2, "Out of the GPU's memory",
    "Kronecker 25: 1,047 M edges", "NVIDIA H200; Edgemill in 1 GiB of it", "hollow: another run")
  group("BFS", "bfs")
  group("Shortest paths", "sssp")
  group("Connected components", "cc")
  group("PageRank by deltas to .01", "pagerank-delta")

  text(20, 449, "faint", "Each group has its own scale. Hollow: not in turns, but on the same kind of machine. " \
    "Figures and conditions: bench/results/rivals.json")
  print "</svg>"
}
