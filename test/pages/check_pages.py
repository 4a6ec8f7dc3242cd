"""Opens pages and pictures in Chromium on wide and narrow screens, light and dark, and on paper: check_pages.py
CHROMIUM [--screenshots DIR] FILE... A page must log nothing, load nothing, be no wider than the screen, be readable
and, in HTML, begin with one sentence. Prints each fault, and ends with 1 if there is any."""
import os
import sys

from browser import Browser

# What is wrong with a page, seen from inside: a list of texts.
LOOK = """(() => {
  const faults = [];
  const root = document.documentElement, isPage = document.contentType == 'text/html';
  if (isPage && root.scrollWidth > innerWidth) {
    faults.push(`the page is ${root.scrollWidth} wide, the screen ${innerWidth}`);
  }
  const scrolls = e => e && (['auto', 'scroll'].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = new Set();
  const inside = document.querySelectorAll('body *');
  for (const e of inside) {
    const box = e.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(e.parentElement) && !wide.has(e.tagName)) {
      wide.add(e.tagName);
      faults.push(`<${e.tagName}> "${(e.textContent || '').slice(0, 40)}" sticks out: ${box.left} to ${box.right}`);
    }
  }
  const rgb = text => (text.match(/[0-9.]+/g) || []).map(Number);
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const contrast = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length == 3 || c[3] > 0) return light(c);
    }
    const own = getComputedStyle(root).getPropertyValue('--ground').trim();
    return own == '#fff' ? 1 : light([1, 3, 5].map(i => parseInt(own.slice(i, i + 2), 16)));
  };
  const seen = new Set();
  for (const e of document.querySelectorAll('p,dt,dd,h1,h2,th,td,span,b,text')) {
    if (!e.textContent.trim()) continue;
    const style = getComputedStyle(e), ink = e.tagName == 'text' ? style.fill : style.color;
    const c = contrast(light(rgb(ink)), ground(e));
    if (c < 4.5 && !seen.has(e.tagName)) {
      seen.add(e.tagName);
      faults.push(`<${e.tagName}> "${e.textContent.slice(0, 40)}" has a contrast of ${c.toFixed(1)}`);
    }
  }
  for (const svg of document.querySelectorAll('svg.chart')) {
    const view = svg.viewBox.baseVal, texts = [...svg.querySelectorAll(':scope > text')].filter(t => t.textContent);
    const boxes = texts.map(t => [t.textContent, t.getBBox()]);
    boxes.forEach(([text, b], i) => {
      if (b.x < view.x - 1 || b.x + b.width > view.width + 1 || b.y + b.height > view.height + 2) {
        faults.push(`"${text}" sticks out of its chart`);
      }
      for (const [other, o] of boxes.slice(i + 1)) {
        if (b.x + b.width > o.x + 1 && o.x + o.width > b.x + 1 && b.y + b.height > o.y + 4 && o.y + o.height > b.y + 4) {
          faults.push(`"${text}" and "${other}" overlap`);
        }
      }
    });
    if (innerWidth < 600 && isPage && !scrolls(svg.parentElement)) {
      const size = 12 * svg.getBoundingClientRect().width / view.width;
      if (size < 9) faults.push(`text of a chart is ${size.toFixed(1)} pixels high`);
    }
  }
  if (isPage) {
    const lead = document.querySelector('.lead');
    if (!lead || lead.textContent.length < 20) faults.push('no sentence stands at the top');
    if (!document.querySelector('meta[name=viewport]')) faults.push('no viewport is set');
  }
  if (document.querySelector('parsererror')) faults.push('it is not well-formed');
  if (root.textContent.includes('\ufffd')) faults.push('it has bytes that are not UTF-8');
  if (!document.querySelector('svg')) faults.push('nothing is drawn');
  return faults;
})()"""

# A page that is white in the dark, or the other way round, has no scheme of its own.
GROUND = "getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"


def faults_of(events):
    for method, parameters in events:
        if method == "Runtime.consoleAPICalled":
            yield "console: " + str(parameters["args"])
        elif method == "Runtime.exceptionThrown":
            yield "exception: " + str(parameters["exceptionDetails"])
        elif method == "Log.entryAdded":
            yield "log: " + parameters["entry"]["text"]
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url != parameters.get("documentURL"):
                yield "it loads " + url[:100]


def main(arguments):
    program, files, pictures = arguments[0], arguments[1:], None
    if files[0] == "--screenshots":
        pictures, files = files[1], files[2:]
    browser = Browser(program)
    failures = 0
    for path in files:
        grounds = {}
        ways = [(width, scheme, "screen") for width in (1280, 400) for scheme in ("light", "dark")]
        for width, scheme, media in ways + [(800, "dark", "print")]:
            browser.show(path, width, scheme, media)
            faults = browser.evaluate(LOOK)
            grounds[media, scheme] = browser.evaluate(GROUND)
            if pictures:
                name = os.path.basename(path).replace(".", "-")
                browser.screenshot(f"{pictures}/{name}-{width}-{scheme}{'-print' * (media == 'print')}.png")
            for fault in list(faults_of(browser.drain())) + faults:
                print(f"{path}, {width} wide, {scheme}, {media}: {fault}")
                failures += 1
        if len({grounds["screen", "light"], grounds["screen", "dark"]}) < 2:
            print(f"{path}: light and dark screens have one ground")
            failures += 1
        if grounds["print", "dark"] != grounds["screen", "light"]:
            print(f"{path}: paper is dark")
            failures += 1
    browser.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
