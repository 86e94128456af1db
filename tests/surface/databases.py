"""Collect the objects of a migrated database from its catalog, and the values that models store."""

import enum
import importlib
import pkgutil
import re
from typing import Any, Final

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED, Field

Objects = dict[str, dict[str, Any]]

_SQLITE: Final = (
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
)
# Each query returns names and definitions.
_POSTGRESQL: Final = {
    "tables": """
        SELECT relname, relkind::text || ' ' || relpersistence::text || ' ' || coalesce(reloptions::text, '')
          FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'I', 'S', 't')
    """,
    "columns": """
        SELECT c.relname || '.' || a.attname,
               format_type(a.atttypid, a.atttypmod)
               || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
               || CASE WHEN a.attidentity <> '' THEN ' IDENTITY ' || a.attidentity::text ELSE '' END
               || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
          FROM pg_attribute a
          JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm')
          LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
    """,
    "constraints": """
        SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
          FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    """,
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": """
        SELECT tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) || ' ' || tgenabled::text
          FROM pg_trigger
         WHERE NOT tgisinternal
    """,
    "functions": """
        SELECT oid::regprocedure::text, pg_get_functiondef(oid)
          FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
    """,
    "types": """
        SELECT typname, typtype::text
          FROM pg_type
         WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e')
    """,
    "extensions": "SELECT extname, '' FROM pg_extension",
}


def objects() -> Objects:
    """Return the tables, constraints, indexes, triggers and functions of the default database."""
    return _postgresql_objects() if connection.vendor == "postgresql" else _sqlite_objects()


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def _postgresql_objects() -> Objects:
    return {
        kind: {name: _one_line(text) for name, text in _rows(query)} for kind, query in _POSTGRESQL.items()
    }


def _sqlite_objects() -> Objects:
    found: Objects = {}
    for kind, name, sql in _rows(_SQLITE):
        text = _one_line(sql)
        found.setdefault(kind, {})[name] = definitions(text) if kind == "table" else text
    return found


def _one_line(sql: str) -> str:
    return " ".join(sql.split())


def definitions(create_table: str) -> list[str]:
    """Split a CREATE TABLE statement into the definitions of its columns and constraints, sorted.

    >>> definitions("CREATE TABLE t (b integer CHECK (b IN (1, 2)), a text)")
    ['a text', 'b integer CHECK (b IN (1, 2))']
    """
    body = create_table[create_table.index("(") + 1 : create_table.rindex(")")]
    parts, depth = [""], 0
    for character in body:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return sorted(part.strip() for part in parts)


def models() -> dict[str, Any]:
    """Return the table, permissions and fields of each model, with the choices that fields may store."""
    return {
        model._meta.label: {
            "table": model._meta.db_table,
            "permissions": sorted(code for code, _ in model._meta.permissions),
            "fields": {field.name: _field(field) for field in model._meta.local_concrete_fields},
        }
        for model in apps.get_app_config("games").get_models()
    }


def _field(field: "Field[Any, Any]") -> dict[str, Any]:
    description: dict[str, Any] = {
        "column": field.column,
        "type": field.get_internal_type(),
        "max_length": field.max_length,
    }
    if field.default is not NOT_PROVIDED:
        description["default"] = shape(field.default() if callable(field.default) else field.default)
    if field.choices:
        description["choices"] = [value for value, _ in field.flatchoices]
    return {name: value for name, value in description.items() if value is not None}


def shape(value: Any) -> Any:
    """Replace the random part of an identifier by its length, and other objects by their type.

    >>> shape("m_01m7r46f8fw7bhgwz21dzfdt8h")
    'm_ and 26 characters'
    >>> shape("r1CKCXciRMbfC-QNk9gKHXKYYDyIUp9p.zip")
    '32 characters and .zip'
    """
    if isinstance(value, str) and (match := re.fullmatch(r"([a-z]+_)([\w-]{16,})", value)):
        return f"{match[1]} and {len(match[2])} characters"
    if isinstance(value, str) and (match := re.fullmatch(r"([\w-]{16,})(\.[a-z]+)", value)):
        return f"{len(match[1])} characters and {match[2]}"
    return value if value is None or isinstance(value, (str, int, bool, list, dict)) else type(value).__name__


def migrations() -> list[str]:
    """Return the names under which databases record the migrations of the app."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return sorted(name for app, name in loader.disk_migrations if app == "games")


def enumerations(*packages: str) -> list[str]:
    """Return the values of all string enumerations, without their names, which may change."""
    found: set[str] = set()
    for package in packages:
        root = importlib.import_module(package)
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if ".migrations" in info.name or info.name.endswith("__main__"):
                continue
            for each in vars(importlib.import_module(info.name)).values():
                if isinstance(each, type) and each.__module__ == info.name and issubclass(each, enum.Enum):
                    found.add(", ".join(member.value for member in each if isinstance(member.value, str)))
    return sorted(found - {""})
