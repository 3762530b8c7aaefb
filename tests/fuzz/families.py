"""All families of the campaign."""

from fuzz import families_closed_forms, families_laws

FAMILIES = (*families_closed_forms.FAMILIES, *families_laws.FAMILIES)
