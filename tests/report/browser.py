"""A browser in a process of its own: opens a page, does as it is told, answers with JSON.

    python browser.py PAGE < commands        the commands are a JSON list of pairs

    ["js", code]      the value of an expression
    ["until", code]   waits until the expression is true
    ["key", name]     presses a key: Space, Left, Right, Home, End, Tab

The answer is an object with "values" (one per command), "console" (messages) and "requests" (addresses). Chromium comes
with Qt's web engine. Exit status 3: Qt cannot be loaded on this machine.
"""

import json
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"  # the sandbox refuses to run as root, as containers do
# WebGL by software: --disable-gpu would forbid it.
SOFTWARE = "--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist"
os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = f"{SOFTWARE} {os.environ.get('QTWEBENGINE_CHROMIUM_FLAGS', '')}"

try:
    from PySide6.QtCore import Qt, QTimer, QUrl
    from PySide6.QtTest import QTest
    from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile, QWebEngineUrlRequestInterceptor
    from PySide6.QtWebEngineWidgets import QWebEngineView
    from PySide6.QtWidgets import QApplication
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

PATIENCE = 60_000  # milliseconds until a page that does not answer is given up


class Requests(QWebEngineUrlRequestInterceptor):
    def __init__(self):
        super().__init__()
        self.addresses = []

    def interceptRequest(self, info):
        self.addresses.append(info.requestUrl().toString())


class Page(QWebEnginePage):
    def __init__(self, profile):
        super().__init__(profile)
        self.console = []

    def javaScriptConsoleMessage(self, level, message, line, source):
        self.console.append(f"{level.name}: {message} (line {line})")


class Session:
    def __init__(self, path, commands):
        self.commands, self.values = commands, []
        self.profile, self.requests = QWebEngineProfile(), Requests()
        self.profile.setUrlRequestInterceptor(self.requests)
        self.page, self.view = Page(self.profile), QWebEngineView()
        self.view.setPage(self.page)
        self.view.resize(1000, 900)
        self.view.show()
        self.page.loadFinished.connect(lambda ok: self.next() if ok else sys.exit("the page does not load"))
        self.page.load(QUrl.fromLocalFile(path))

    def next(self):
        if len(self.values) == len(self.commands):
            QApplication.quit()
            return
        kind, what = self.commands[len(self.values)]
        if kind == "key":
            QTest.keyClick(self.view.focusProxy(), getattr(Qt.Key, f"Key_{what}"))
            self.answer(None)
        else:
            self.page.runJavaScript(f"JSON.stringify([{what}][0] ?? null)", lambda text: self.hear(kind, text))

    def hear(self, kind, text):
        value = json.loads(text) if text else f"failed: {self.page.console[-1:]}"
        if kind == "until" and value is not True:
            QTimer.singleShot(20, self.next)
        else:
            self.answer(value)

    def answer(self, value):
        self.values.append(value)
        QTimer.singleShot(0, self.next)


def main():
    app = QApplication(sys.argv[:1])
    session = Session(os.path.abspath(sys.argv[1]), json.load(sys.stdin))
    QTimer.singleShot(PATIENCE, app.quit)
    app.exec()
    answer = {"values": session.values, "console": session.page.console, "requests": session.requests.addresses}
    print(json.dumps(answer), flush=True)
    os._exit(0)  # Qt is particular about the order in which its objects go


main()
