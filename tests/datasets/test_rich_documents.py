"""The text of pages, PDF and DOCX files."""

from __future__ import annotations

import sys
from pathlib import Path

import docx
import pytest

from ragproof.core import UsageError
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.documents import text_of

PAGE = """<!doctype html><html><head><title>Tab</title><style>p {color: red}</style></head>
<body><nav>Home</nav><h1>Pump</h1><p>It <b>runs</b>
   at night.<script>alert(1)</script> Quietly.</p><!-- unseen -->
<ul><li>One</li><li><p>Two</p></li></ul>
<h2>Sizes</h2><table><tr><th>Name</th><th>kg</th></tr><tr><td>X2</td><td>118</td></tr></table>
<pre>a
  b</pre></body></html>"""
SHOWN = """Home

# Pump

It runs at night. Quietly.

- One
- Two

## Sizes

Name | kg
X2 | 118

a
  b"""


def a_pdf(*lines: str) -> bytes:
    """A PDF file of one page a line, written by hand."""
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{3 + 2 * at} 0 R" for at in range(len(lines)))
    parts.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(lines)} >>".encode())
    font = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    for at, line in enumerate(lines):
        parts.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {4 + 2 * at} 0 R "
            f"/Resources << /Font {font} >> >>".encode()
        )
        drawn = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET".encode()
        parts.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    raw, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(raw))
        raw += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(parts) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(raw))
    return raw + head + table + tail


def test_a_page_is_what_it_shows(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text(PAGE)
    assert text_of(file) == SHOWN


def test_a_page_says_how_it_is_encoded(tmp_path: Path) -> None:
    latin, utf8, blank = (tmp_path / f"{name}.htm" for name in ("latin", "utf8", "blank"))
    latin.write_bytes('<meta charset="iso-8859-1"><p>Caf\u00e9</p>'.encode("latin-1"))
    utf8.write_text("<p>Caf\u00e9 \u6771\u4eac</p>")
    blank.write_text(" ")
    assert [text_of(one) for one in (latin, utf8, blank)] == [
        "Caf\u00e9",
        "Caf\u00e9 \u6771\u4eac",
        "",
    ]


def test_a_pdf_is_its_pages(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(a_pdf("The pump weighs 118 kg.", "It runs at night."))
    assert text_of(file) == "The pump weighs 118 kg.\n\nIt runs at night."


def test_a_docx_file_keeps_headings_lists_and_tables(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("Pump", level=1)
    made.add_paragraph("It runs at night.")
    made.add_paragraph("One", style="List Bullet")
    table = made.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "X2", "118 kg"
    made.save(str(tmp_path / "a.docx"))
    assert text_of(tmp_path / "a.docx") == "# Pump\n\nIt runs at night.\n\n- One\n\nX2 | 118 kg"


@pytest.mark.parametrize(("name", "told"), [("a.pdf", "the PDF"), ("a.docx", "the DOCX file")])
def test_a_broken_file_is_named(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / name).write_bytes(b"nothing of the kind")
    with pytest.raises(UsageError, match=f"{name}: {told} cannot be read"):
        text_of(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "module"), [("a.html", "lxml.html"), ("a.pdf", "pypdf"), ("a.docx", "docx")]
)
def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / name).write_bytes(b"<p>x</p>")
    with pytest.raises(UsageError, match=r"needs .*pip install 'ragproof\[documents\]'"):
        text_of(tmp_path / name)


def test_all_kinds_are_documents_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.pdf").write_bytes(a_pdf("Text."))
    corpus = load_corpus(tmp_path)
    assert list(corpus) == ["a.html", "b.pdf"]
    assert corpus.text("b.pdf") == "Text."
