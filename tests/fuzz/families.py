"""All families of the campaign."""

from fuzz import families_closed_forms

FAMILIES = (*families_closed_forms.FAMILIES,)
