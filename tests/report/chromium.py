"""A Chromium that is driven by the DevTools protocol: the program, or else Qt's web engine (``webengine.py``).

``Chromium().open(path)`` gives a page with ``js``, ``until``, ``key``, ``screenshot``; ``console`` and ``requests``
list its messages and the addresses that it requested. ``DALEMBERT_BROWSER=webengine`` chooses Qt's web engine where
both are installed.
"""

import base64
import functools
import importlib.util
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0  # seconds until a page that does not answer is given up
WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
NO_WEBGL = ("--disable-gpu", "--disable-3d-apis")


def program() -> str | None:
    """Path of the program, if it is to be used."""
    if os.environ.get("DALEMBERT_BROWSER") == "webengine":
        return None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@functools.cache
def obstacle() -> str:
    """Why no browser can run here; empty if one can."""
    if program():
        return ""
    remedy = "install Chromium (Debian: apt-get install chromium)"
    package = importlib.util.find_spec("PySide6")
    if package is None:
        return f"needs a browser: {remedy}, or pip install 'dalembert[browser]'"
    modules = "PySide6.QtWebEngineWidgets, PySide6.QtWebSockets"
    loaded = subprocess.run([sys.executable, "-c", f"import {modules}"], capture_output=True, text=True, check=False)
    if loaded.returncode == 0:
        return ""
    missing = loaded.stderr.strip().splitlines()[-1]
    engine = Path(package.submodule_search_locations[0]) / "Qt" / "lib" / "libQt6WebEngineCore.so.6"
    if shutil.which("ldd") and engine.exists():
        listed = subprocess.run(["ldd", str(engine)], capture_output=True, text=True, check=False).stdout
        missing = ", ".join(re.findall(r"(\S+) => not found", listed)) or missing
    return f"needs a browser: {remedy}, or the libraries that Qt's web engine lacks: {missing}"


class Chromium:
    def __init__(self, webgl=True, size=(1400, 900), dark=False, phone=False, reduced=False):
        self.size, self.dark, self.phone, self.reduced = size, dark, phone, reduced
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.from_read, to_answer = os.pipe()
        # The browser reads from descriptor 3 and answers on descriptor 4.
        os.set_inheritable(to_read, True)
        os.set_inheritable(to_answer, True)
        flags = WEBGL if webgl else NO_WEBGL
        if chromium := program():
            width, height = size
            command = [
                chromium, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run",
                "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--mute-audio", "--disable-dev-shm-usage", f"--user-data-dir={self.home.name}",
                f"--window-size={width},{height}", *flags, "about:blank",
            ]  # fmt: skip
        else:
            command = [sys.executable, str(Path(__file__).with_name("webengine.py")), *map(str, size), *flags]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{to_read} 4>&{to_answer}', *command], pass_fds=(to_read, to_answer),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_answer)
        self.count, self.rest, self.session = 0, b"", None
        self.console, self.requests = [], []
        self.attach()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to_write)  # a browser whose pipe is closed ends
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.from_read)
        self.home.cleanup()

    def send(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        wanted, limit = self.count, time.monotonic() + PATIENCE
        while True:
            answer = self.receive(limit)
            if answer.get("id") == wanted:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, limit):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.from_read], [], [], max(0.0, limit - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.from_read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(line)
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                arguments = message["params"]["args"]
                self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in arguments))
            case "Runtime.exceptionThrown":
                self.console.append(str(message["params"]["exceptionDetails"].get("exception", {}).get("description")))
            case "Log.entryAdded":
                entry = message["params"]["entry"]
                if "Automatic fallback to software" not in entry["text"] and "GPU stall" not in entry["text"]:
                    self.console.append(entry["text"])
            case "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        return message

    def attach(self):
        """Take the first page of the browser, the one that it starts with."""
        limit = time.monotonic() + PATIENCE
        while not (pages := [one for one in self.send("Target.getTargets")["targetInfos"] if one["type"] == "page"]):
            if time.monotonic() > limit:
                raise TimeoutError("the browser has no page")
            time.sleep(0.02)
        target = pages[0]["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        width, height = self.size
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=self.phone
        )
        features = [{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}]
        features.append({"name": "prefers-reduced-motion", "value": "reduce" if self.reduced else "no-preference"})
        self.send("Emulation.setEmulatedMedia", features=features)

    def open(self, path, ready="window.dalembert?.ready || window.dalembert?.errors.length > 0"):
        for url, arrived in (
            ("about:blank", "location.href === 'about:blank'"),
            (Path(path).resolve().as_uri(), ready),
        ):
            self.send("Page.navigate", url=url)  # the blank page first, as the last one may be ready too
            self.until(arrived)
        return self

    def js(self, code):
        found = self.send("Runtime.evaluate", expression=f"({code})", returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"].get("exception", found["exceptionDetails"])))
        return found["result"].get("value")

    def until(self, code):
        limit = time.monotonic() + PATIENCE
        while not self.js(f"Boolean({code})"):
            if time.monotonic() > limit:
                raise TimeoutError(f"never true: {code}")
            time.sleep(0.02)

    def frames(self, n=2):
        """Wait for so many frames of the browser."""
        self.js(
            f"new Promise((done) => {{ let n = {n}; const f = () => n-- ? requestAnimationFrame(f) : done(1); f(); }})"
        )

    def key(self, name, shift=False):
        code = {" ": "Space"}.get(name, name)
        text = {"text": name} if len(name) == 1 else {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=name, code=code, modifiers=8 if shift else 0,
                **(text if kind == "keyDown" else {}), windowsVirtualKeyCode=_CODES.get(name, 0),
            )  # fmt: skip

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=int(kind == "mousePressed"), clickCount=count)

    def screenshot(self, path):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        Path(path).write_bytes(base64.b64decode(data))


_CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
          "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip
