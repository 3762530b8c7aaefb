"""Tables in C: constant arrays, and functions for each, shared by all programs that are exported together.

``PREFIX_interval0(x)`` finds the interval, by a product where borders are evenly spaced, else in a loop whose bound is
constant; ``PREFIX_row0(k)`` is the row of interval k, and ``PREFIX_piece0_1(row, u)`` the first derivative of the
polynomial there, u behind its start.  Tables with the same intervals share one array
(:mod:`~dalembert.symbolic.emit.table_data`), and all that is read at one place has the row in common.  Rows and
polynomials are inline functions of the header: as calls they took a tenth of the step of a locomotive.
"""

from __future__ import annotations

from dalembert.symbolic.emit.c_text import constants, number
from dalembert.symbolic.emit.table_data import TableGroup, grouped, terms
from dalembert.symbolic.tables import PiecewisePolynomial

_HALVED = """\
    int low = 0;
    int high = {count};
    int halving;
    for (halving = 0; halving < {halvings}; ++halving) {{
        if (low < high) {{
            const int middle = low + (high - low)/2;
            if (borders{table}[middle] <= x) {{
                low = middle + 1;
            }} else {{
                high = middle;
            }}
        }}
    }}
    return (double)low;
"""
_EVEN = """\
    const double place = (x - {first})*{rate} + 1.0;
    int k = place > 0.0 ? (place < {count}.0 ? (int)place : {count}) : 0;
    /* one off at most */
    if (k > 0 && x < borders{table}[k - 1]) {{
        --k;
    }} else if (k < {count} && borders{table}[k] <= x) {{
        ++k;
    }}
    return (double)k;
"""


class CTables:
    """Tables of one export, numbered as they come."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._tables: list[PiecewisePolynomial] = []
        self._numbers: dict[bytes, int] = {}
        self._searched: set[int] = set()
        self._evaluated: set[tuple[int, int]] = set()
        self._starts: dict[bytes, int] = {}

    def interval(self, table: PiecewisePolynomial) -> str:
        """Name of the function that finds the interval."""
        self._searched.add(self._number(table))
        return f"{self.prefix}_interval{self._number(table)}"

    def piece(self, table: PiecewisePolynomial, order: int) -> str:
        """Name of the function that evaluates a derivative."""
        self._evaluated.add((self._number(table), order))
        return f"{self.prefix}_piece{self._number(table)}_{order}"

    def group(self, table: PiecewisePolynomial) -> int:
        """Number of the array that holds a table."""
        return self._starts.setdefault(table.base.tobytes(), len(self._starts))

    def row(self, table: PiecewisePolynomial) -> str:
        """Name of the function that gives the row of an interval."""
        return f"{self.prefix}_row{self.group(table)}"

    def _number(self, table: PiecewisePolynomial) -> int:
        key = table.digest()
        if key not in self._numbers:
            self._numbers[key] = len(self._tables)
            self._tables.append(table)
        return self._numbers[key]

    @property
    def _groups(self) -> dict[int, TableGroup]:
        found = grouped(self._tables, (table for table, _ in self._evaluated))
        return {self.group(self._tables[group.tables[0]]): group for group in found}

    @property
    def prototypes(self) -> list[str]:
        """Of all functions; those that are inline as a whole."""
        found = [f"double {self.prefix}_interval{table}(double x);" for table in sorted(self._searched)]
        for place, group in self._groups.items():
            found.append(f"extern const double {self.prefix}_data{place}[{len(group.values)}];")
            found.append(
                f"static inline const double *{self.prefix}_row{place}(double k)\n{{\n"
                f"    return {self.prefix}_data{place} + {group.width}*(int)k;\n}}"
            )
            own = sorted(one for one in self._evaluated if one[0] in group.tables)
            found += [self._piece(table, order, group) for table, order in own]
        return found

    def text(self) -> str:
        """All arrays and functions that are not inline; empty if there are none."""
        parts = [self._interval(table) for table in sorted(self._searched)]
        for place, group in self._groups.items():
            parts.append(constants(f"{self.prefix}_data{place}", group.values, "const"))
        return "\n".join(parts)

    def _interval(self, table: int) -> str:
        """Number of borders up to x."""
        data, count = self._tables[table], len(self._tables[table].borders)
        if data.spacing:
            first, rate = number(float(data.borders[0])), number(1.0 / data.spacing)
            body = _EVEN.format(table=table, count=count, first=first, rate=rate)
        else:
            body = _HALVED.format(table=table, count=count, halvings=count.bit_length())
        array = constants(f"borders{table}", data.borders.tolist() or [0.0])
        head = f"/* Number of borders that are not above x. */\ndouble {self.prefix}_interval{table}(double x)"
        return f"{array}\n{head}\n{{\n{body}}}\n"

    def _piece(self, table: int, order: int, group: TableGroup) -> str:
        formula = ""
        for at, factor in terms(self._tables[table], group.places[group.tables.index(table)], order):
            c = f"{'' if factor == 1.0 else f'{number(factor)}*'}c[{at}]" if at else "0.0"
            formula = f"({formula})*u + {c}" if formula else c
        what = "Value" if order == 0 else f"Derivative {order}"
        head = f"static inline double {self.prefix}_piece{table}_{order}(const double *c, double u)"
        return f"/* {what} on a row. */\n{head}\n{{\n    return {formula};\n}}"
