"""What can be pickled, and what cannot: functions of users are found again by their names, which lambdas lack."""

from __future__ import annotations

import io
import pickle
from typing import Any

from dalembert.errors import DalembertError


class _Trial(pickle.Pickler):
    """A pickle that is thrown away; what is looked at by itself stays apart from it."""

    def __init__(self, own: Any, apart: tuple[type, ...]) -> None:
        super().__init__(io.BytesIO())
        self._own, self._apart = own, apart

    def persistent_id(self, item: Any) -> Any:
        return "apart" if item is not self._own and isinstance(item, self._apart) else None


def check_picklable(part: Any, label: str, error: type[DalembertError], apart: tuple[type, ...] = ()) -> None:
    """Complain about a part of something that cannot be pickled, by its label; ``apart``: types that are not looked
    into."""
    try:
        _Trial(part, apart).dump(part)
    except DalembertError:
        raise
    except Exception as found:
        raise error(
            f"{label} cannot be pickled: {found}. Functions and classes in it must stand at the top level of a module, "
            "not inside of a function, and not be a lambda"
        ) from found
