"""ragproof drift"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS, Process, tell

if TYPE_CHECKING:
    from rich.console import Console

    from ragproof.analysis.drift_shifts import Noticed
    from ragproof.wiring.drifting import DriftRequest

T = TypeVar("T")

FILE = click.Path(path_type=Path)
POSITIVE = click.IntRange(min=1)
SHARE = options.FiniteRange(min=0, max=1)
CALIBRATING = {"sizes": "--sizes", "tries": "--tries", "mix": "--mix"}
NAMED = ("text", "group", "tags", "without", "numbers")
"""Parameters that name columns."""
PROBING = {"now_probes": "--current-probes", "k": "--k", "least": "--min-overlap"}
TESTING = {
    **{"alpha": "--alpha", "deals": "--permutations", "seed": "--seed", "embed": "--embed"},
    **{"text": "--text", "group": "--group", "tags": "--tag", "without": "--no-tag"},
    "numbers": "--column",
}
"""Parameter to the option that has an effect in one use of the command only."""


def _numbers(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Read a list of whole numbers, `50,100`."""
    parts = [one.strip() for one in text.split(",")] if text else []
    if not all(one.isdecimal() and int(one) > 0 for one in parts):
        raise click.BadParameter(f"got {text!r}; allowed: whole numbers from 1, as 50,100")
    return tuple(sorted({int(one) for one in parts}))


OPTIONS = (
    options.config,
    click.option(
        "--embed",
        metavar="WHAT",
        help="spelling (no model), local, adapter, or module:function "
        "[default: local.embeddings of the config, else spelling].",
    ),
    click.option(
        "--metric",
        "distance",
        type=click.Choice(["cosine", "ip", "l2"]),
        default="cosine",
        help="cosine: lengths of vectors do not count [default: cosine].",
    ),
    click.option("--text", metavar="NAME", help="Column of the text."),
    click.option("--group", metavar="NAME", help="Column of rows that belong together."),
    click.option(
        "--no-tag",
        "without",
        multiple=True,
        metavar="NAME",
        help="A tag not to compare, as one that changes by itself.",
    ),
    click.option(
        "--tag",
        "tags",
        multiple=True,
        metavar="NAME",
        help="A column that slices; also the tag `release`, which is left out otherwise.",
    ),
    click.option("--column", "numbers", multiple=True, metavar="NAME", help="A number to compare."),
    click.option(
        "--fail-on",
        type=click.Choice(["drift", "inconclusive"]),
        help="Exit 1 on this verdict; `inconclusive` means on both.",
    ),
    click.option(
        "--alpha",
        type=options.FiniteRange(min=0, max=0.5, min_open=True),
        default=0.05,
        metavar="X",
        help="Chance of a false alarm, of all detectors together [default: 0.05].",
    ),
    click.option(
        "--permutations",
        "deals",
        type=click.IntRange(min=99),
        metavar="N",
        help="Times that labels are dealt anew [default: 599, 199 with --calibrate; more for a "
        "smaller --alpha].",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Another draw [default: 0].",
    ),
    click.option(
        "--calibrate",
        "is_calibration",
        is_flag=True,
        help="Put known shifts into REFERENCE (or rows of CURRENT) and count what is noticed.",
    ),
    click.option("--sizes", callback=_numbers, metavar="N,...", help="[default: 50,100,200]."),
    click.option(
        "--tries", type=POSITIVE, default=50, metavar="N", help="Of each shift [default: 50]."
    ),
    click.option("--mix", metavar="TAG=VALUE", help="With --calibrate: the rows to mix in."),
    click.option(
        "--probes",
        type=FILE,
        metavar="FILE",
        help="Compare neighbours: vectors of queries, or a .txt of document ids.",
    ),
    click.option(
        "--current-probes",
        "now_probes",
        type=FILE,
        metavar="FILE",
        help="Vectors of the probes by the new encoder, where there is one.",
    ),
    click.option(
        "--k", "-k", type=POSITIVE, default=10, metavar="N", help="Neighbours [default: 10]."
    ),
    click.option(
        "--min-overlap",
        "least",
        type=SHARE,
        metavar="X",
        help="With --probes: the overlap that must be reached; else exit 1.",
    ),
)


asked = options.together(OPTIONS)


@click.command()
@click.argument("reference", type=FILE)
@click.argument("current", type=FILE, required=False)
@asked
@options.markdown
@options.as_json
@click.pass_obj
def command(
    process: Process | None,
    /,
    *,
    markdown: Path | None,
    as_json: bool,
    is_calibration: bool,
    fail_on: str | None,
    **said: Any,  # noqa: ANN401
) -> int:
    """Tell whether CURRENT differs from REFERENCE: queries, documents or embeddings.

    Files are JSONL, JSON, CSV or Parquet with a `question` or `text`, or vectors: .npy, .npz, or
    rows with a `vector`. Detectors: MMD, a validated classifier, KL between histograms. With
    --probes the files are two versions of the same documents, and their neighbours are compared.
    """
    options.refuse_two_on_stdout({"markdown": markdown}, as_json=as_json)
    read = (said["reference"], said["current"], said["probes"], said["now_probes"])
    options.refuse_inputs(read, [markdown])
    use = _use(is_probing=said["probes"] is not None, is_calibration=is_calibration)
    with options.results(own_process=process is not None and process.own) as out:
        to = Output(out, markdown, as_json)
        return SUCCESS if use(said, fail_on, to) else NOT_MET


@dataclass(frozen=True)
class Output:
    """Where results go, and in which form."""

    out: TextIO
    markdown: Path | None
    as_json: bool

    def put(
        self,
        found: T,
        as_json: Callable[[T], str],
        as_markdown: Callable[[T], str],
        show: Callable[[Console, T], None],
    ) -> None:
        """Write and print."""
        if self.markdown == options.STDOUT:
            self.out.write(as_markdown(found))
        elif self.markdown is not None:
            options.put(self.markdown, as_markdown(found))
        if self.as_json:
            click.echo(as_json(found), file=self.out)
        elif self.markdown != options.STDOUT:
            from rich.console import Console

            show(Console(file=self.out), found)


Use = Callable[[dict[str, Any], "str | None", Output], bool]
"""Carries the command out; tells whether what was asked for is met."""


def _use(*, is_probing: bool, is_calibration: bool) -> Use:
    """Which of the three it is; refuses options that would have no effect."""
    if is_probing and is_calibration:
        raise click.UsageError("--probes and --calibrate are two uses of it; give one of them.")
    if is_probing:
        _refuse({**CALIBRATING, **TESTING, "fail_on": "--fail-on"}, "with '--probes'")
        return _neighbours
    _refuse(PROBING, "without '--probes'")
    if is_calibration:
        _refuse({"fail_on": "--fail-on"}, "with '--calibrate'")
        return _calibration
    _refuse(CALIBRATING, "without '--calibrate'")
    return _drift


def _refuse(known: Mapping[str, str], where: str) -> None:
    source = click.get_current_context().get_parameter_source
    for name, option in known.items():
        if source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"'{option}' has no effect {where}.")


def _drift(said: dict[str, Any], fail_on: str | None, to: Output) -> bool:
    from ragproof.analysis.drift import Verdict
    from ragproof.reports.drift_json import drift_json
    from ragproof.reports.drift_markdown import drift_markdown
    from ragproof.reports.drift_terminal import print_drift
    from ragproof.wiring.drifting import measure_drift

    found = measure_drift(_request(said, 599), os.environ)
    to.put(found, drift_json, drift_markdown, print_drift)
    failing = {"drift": {Verdict.DRIFT}, "inconclusive": {Verdict.DRIFT, Verdict.INCONCLUSIVE}}
    return fail_on is None or found.verdict not in failing[fail_on]


def _calibration(said: dict[str, Any], _: str | None, to: Output) -> bool:
    from ragproof.reports.drift_json import calibration_json
    from ragproof.reports.drift_markdown import calibration_markdown
    from ragproof.reports.drift_terminal import print_calibration
    from ragproof.wiring.drift_known import CalibrationRequest, calibrate

    request = CalibrationRequest(
        drift=_request(said, 199), sizes=said["sizes"], tries=said["tries"], mix=said["mix"]
    )
    found = calibrate(request, os.environ, _tell)
    to.put(found, calibration_json, calibration_markdown, print_calibration)
    return True


def _neighbours(said: dict[str, Any], _: str | None, to: Output) -> bool:
    from ragproof.analysis.drift_result import Held
    from ragproof.index.exact import Distance
    from ragproof.reports.drift_json import neighbours_json
    from ragproof.reports.drift_markdown import neighbours_markdown
    from ragproof.reports.drift_terminal import print_neighbours
    from ragproof.wiring.drift_probes import ProbeRequest, compare_neighbours

    if said["current"] is None:
        raise click.UsageError("Missing argument 'CURRENT': the new version of the documents.")
    request = ProbeRequest(
        before=said["reference"],
        now=said["current"],
        distance=Distance(said["distance"]),
        **{name: said[name] for name in ("probes", "now_probes", "k", "least")},
    )
    found = compare_neighbours(request)
    to.put(found, neighbours_json, neighbours_markdown, print_neighbours)
    return found.verdict in (None, Held.PASS)


def _request(said: dict[str, Any], deals: int) -> DriftRequest:
    from ragproof.analysis.drift import Setup, fewest_deals
    from ragproof.index.exact import Distance
    from ragproof.wiring.drift_samples import Columns
    from ragproof.wiring.drifting import DriftRequest

    deals = said["deals"] or max(deals, 2 * fewest_deals(said["alpha"]))
    return DriftRequest(
        reference=said["reference"],
        current=said["current"],
        config=said["config"],
        embed=said["embed"],
        distance=Distance(said["distance"]),
        columns=Columns(**{name: said[name] for name in NAMED}),
        setup=Setup(alpha=said["alpha"], deals=deals, seed=said["seed"]),
    )


def _tell(one: Noticed) -> None:
    from ragproof.reports.drift_wording import tried

    if sys.stderr.isatty():
        tell(tried(one))
