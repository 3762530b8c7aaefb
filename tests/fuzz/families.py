"""All families of the campaign."""

from fuzz import families_closed_forms, families_equations, families_laws, families_relations

FAMILIES = (
    *families_closed_forms.FAMILIES,
    *families_laws.FAMILIES,
    *families_relations.FAMILIES,
    *families_equations.FAMILIES,
)
