"""A headless Chromium, driven over a pair of pipes (--remote-debugging-pipe), with nothing but Python's library."""
import base64
import json
import os
import subprocess
import tempfile


class Browser:
    """One Chromium and one tab in it. Every message from the tab is kept until `drain`."""

    def __init__(self, program):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()

        def connect():  # Chromium reads from descriptor 3 and writes to 4
            os.dup2(to_read, 13)
            os.dup2(to_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-pipe", "--user-data-dir=" + self._profile.name, "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self._rest = b""
        self._number = 0
        self._session = None
        self._events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        """Calls a method of the DevTools protocol, and returns its result. An error is an exception."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._events.append(answer)

    def _next(self):
        while b"\0" not in self._rest:
            read = os.read(self._in, 1 << 20)
            if not read:
                raise RuntimeError("Chromium ended")
            self._rest += read
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def wait(self, method):
        """Waits for an event, and leaves it among those of `drain`."""
        while not any(event.get("method") == method for event in self._events):
            self._events.append(self._next())

    def drain(self):
        """The events since the last call, as (method, parameters)."""
        events, self._events = self._events, []
        return [(event.get("method"), event.get("params", {})) for event in events]

    def show(self, path, width, scheme, media="screen"):
        """Loads a file in a window of this width, with the colour scheme "light" or "dark"."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.drain()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("Page.loadEventFired")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def screenshot(self, path):
        """Writes a PNG of the whole page."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self._process.terminate()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()
