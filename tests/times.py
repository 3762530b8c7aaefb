"""Seconds that tests take, by folder, or by file of some folders.

make test ARGS="--junit-xml build/tests.xml"
python tests/times.py build/tests.xml [FOLDER ...]
"""

import sys
from collections import Counter
from xml.etree import ElementTree


def main() -> None:
    path, *folders = sys.argv[1:]
    seconds: Counter[str] = Counter()
    for case in ElementTree.parse(path).iter("testcase"):
        place = case.attrib["classname"].split(".")[1:]  # without "tests"
        folder = place[0] if len(place) > 1 else "tests"
        if not folders or folder in folders:
            seconds["/".join(place) if folders else folder] += float(case.attrib["time"])
    for name, total in seconds.most_common():
        print(f"{total:8.1f}  {name}")
    print(f"{seconds.total():8.1f}  in all")


if __name__ == "__main__":
    main()
