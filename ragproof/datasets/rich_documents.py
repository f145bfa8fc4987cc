"""The text of web pages, PDF and DOCX files, as far as it can be had without a model.

Headings keep their level, as in Markdown, so that whoever cuts the text sees its sections. What is
read this way depends on the version of the library that reads it, and so do offsets into it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.text.files import opened

_HEADING = re.compile(r"h([1-6])")
_BLOCK_NAMES = """
    address article aside blockquote body dd details div dl dt fieldset figcaption figure footer
    form header h1 h2 h3 h4 h5 h6 hr html li main nav ol p pre section summary table tbody thead
    tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_UNSEEN = frozenset({"script", "style", "noscript", "template", "head", "svg"})
_CELLS = frozenset({"td", "th"})
_BLANK = re.compile(r"[ \t\r\f\v\n]+")
_ONE_BLANK = re.compile(r"\A (?=[^ ])")
"""What is left of the white space between two blocks."""


def html_text(path: Path) -> str:
    """What a page shows: headings, paragraphs, list items and rows, each on lines of its own."""
    html = _library("lxml.html", path, "lxml")
    with opened(path) as file:
        raw = file.read()
    if not raw.strip():
        return ""
    try:
        parser = html.HTMLParser(encoding=_encoding(raw), remove_comments=True)
        root = html.document_fromstring(raw, parser=parser)
    except Exception as fault:
        raise UsageError(f"{path}: the page cannot be read: {fault}") from fault
    return re.sub(r"(?m)^-\n+(?=\S)", "- ", _tidied("".join(_shown(root, html.etree.iterwalk))))


def pdf_text(path: Path) -> str:
    """The text layer of a PDF file, a blank line between pages; none where pages are pictures."""
    pypdf = _library("pypdf", path, "pypdf")
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # its remarks on odd files help nobody
    with opened(path) as file:
        try:
            pages = [page.extract_text() for page in pypdf.PdfReader(file).pages]
        except Exception as fault:
            raise UsageError(f"{path}: the PDF cannot be read: {fault}") from fault
    return _tidied("\n\n".join(pages))


def docx_text(path: Path) -> str:
    """Headings, paragraphs, list items and tables of a DOCX file, in its order."""
    docx = _library("docx", path, "python-docx")
    with opened(path) as file:
        try:
            body = docx.Document(file)
            parts = [_part(one) for one in body.iter_inner_content()]
        except Exception as fault:
            raise UsageError(f"{path}: the DOCX file cannot be read: {fault}") from fault
    return _tidied("\n\n".join(part for part in parts if part.strip()))


def _library(module: str, path: Path, name: str) -> Any:  # noqa: ANN401  a module
    """Import it when it is first needed: most corpora are plain text, and it takes long."""
    try:
        return import_module(module)
    except ImportError as fault:
        raise UsageError(
            f"{path}: reading {path.suffix} needs {name}. "
            "Install it: pip install 'ragproof[documents]'"
        ) from fault


def _encoding(raw: bytes) -> str | None:
    """UTF-8 where it is that; else what the page or the parser says."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _shown(root: Any, walk: Any) -> Iterator[str]:  # noqa: ANN401  an element
    """Texts and the breaks between them; without recursion, as pages may be nested deeply."""
    for event, node in walk(root, events=("start", "end")):
        name = node.tag if isinstance(node.tag, str) else ""
        if event == "start":
            if any(one.tag in _UNSEEN for one in (node, *node.iterancestors())):
                continue
            yield _before(name)
            yield _text(node.text, name, node)
        else:
            if name in _BLOCKS:
                yield {"li": "", "tr": "\n"}.get(name, "\n\n")
            elif name in _CELLS:
                yield " | " if node.getnext() is not None else ""
            inside = any(one.tag in _UNSEEN for one in node.iterancestors())
            yield "" if inside else _text(node.tail, "", node.getparent())


def _before(name: str) -> str:
    if found := _HEADING.fullmatch(name):
        return f"\n\n{'#' * int(found[1])} "
    if name == "li":
        return "\n- "
    if name == "br":
        return "\n"
    return "\n\n" if name in _BLOCKS - {"tr"} else ""


def _text(text: str | None, name: str, node: Any) -> str:  # noqa: ANN401  an element
    if not text:
        return ""
    if name == "pre" or (node is not None and any(node.iterancestors("pre"))):
        return text
    return _BLANK.sub(" ", text)


def _part(one: Any) -> str:  # noqa: ANN401  a paragraph or a table
    if hasattr(one, "rows"):
        rows = [[_BLANK.sub(" ", cell.text).strip() for cell in row.cells] for row in one.rows]
        return "\n".join(" | ".join(row) for row in rows)
    style = (one.style.name or "") if one.style is not None else ""
    if found := re.fullmatch(r"Heading ([1-6])", style):
        return f"{'#' * int(found[1])} {one.text.strip()}"
    if style == "Title":
        return f"# {one.text.strip()}"
    text: str = one.text
    return f"- {text.strip()}" if style.startswith("List") and text.strip() else text


def _tidied(text: str) -> str:
    """Without what cannot be seen: blanks at the ends of lines, more than one blank line."""
    clean = text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    clean = clean.encode("utf-8", "replace").decode()
    lines = [_ONE_BLANK.sub("", line.rstrip()) for line in clean.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
