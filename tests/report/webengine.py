"""Qt's web engine, a Chromium that is a Python package, as a program that is driven like Chromium itself.

    python webengine.py WIDTH HEIGHT [flags of Chromium]

Messages of the DevTools protocol arrive on descriptor 3 and are answered on descriptor 4. Qt's web engine takes them
through a WebSocket alone, so this program passes them on.
"""

import json
import os
import socket
import sys

from PySide6.QtCore import QSocketNotifier, QUrl
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkRequest
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWebSockets import QWebSocket
from PySide6.QtWidgets import QApplication

FROM_DRIVER, TO_DRIVER = 3, 4


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Bridge:
    """Passes messages between the descriptors and the browser."""

    def __init__(self, port: int):
        self.rest = b""
        self.notifier = QSocketNotifier(FROM_DRIVER, QSocketNotifier.Type.Read, enabled=False)
        self.notifier.activated.connect(self.read)
        self.browser = QWebSocket()
        self.browser.connected.connect(lambda: self.notifier.setEnabled(True))
        self.browser.textMessageReceived.connect(self.answer)
        self.network = QNetworkAccessManager()
        self.version = self.network.get(QNetworkRequest(QUrl(f"http://127.0.0.1:{port}/json/version")))
        self.version.finished.connect(self.connect)

    def connect(self) -> None:
        found = json.loads(self.version.readAll().data())
        self.browser.open(QUrl(found["webSocketDebuggerUrl"]))

    def read(self) -> None:
        piece = os.read(FROM_DRIVER, 1 << 20)
        if not piece:
            os._exit(0)  # the driver is gone
        *messages, self.rest = (self.rest + piece).split(b"\0")
        for message in messages:
            self.browser.sendTextMessage(message.decode())

    def answer(self, message: str) -> None:
        rest = memoryview(message.encode() + b"\0")
        while rest:
            rest = rest[os.write(TO_DRIVER, rest) :]


def main() -> None:
    width, height, *flags = sys.argv[1:]
    port = free_port()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"  # the sandbox refuses to run as root, as containers do
    os.environ["QTWEBENGINE_REMOTE_DEBUGGING"] = f"127.0.0.1:{port}"
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = " ".join(flags)
    app = QApplication(sys.argv[:1])
    view = QWebEngineView()
    view.resize(int(width), int(height))
    view.load(QUrl("about:blank"))
    view.show()
    bridge = Bridge(port)  # noqa: F841 - lives as long as the loop of events
    app.exec()


main()
