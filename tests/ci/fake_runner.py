"""As much of GitHub's and GitLab's runners as the templates need, and programs they call."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

import yaml

import ragproof

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "templates/gitlab-ci.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
OFFICIAL = re.compile(r"actions/(checkout|cache/restore|cache/save|upload-artifact)@v\d+")
MATCH = "generation.exact_match"
CONFIG = f"""
    project: shop
    dataset: cases.jsonl
    adapter: {{type: recorded, path: seen.jsonl}}
    metrics: [{MATCH}]
    gate:
      thresholds:
        {MATCH}: {{max_drop: 0.1}}
"""
GH = """
    #!{python}
    # `gh api`: comments of a pull request in a file, and a log of what was asked
    import json, os, re, shutil, subprocess, sys
    from pathlib import Path
    held, args = Path(os.environ["FAKE"]) / "comments.json", sys.argv[2:]
    if (Path(os.environ["FAKE"]) / "readonly").exists():
        sys.exit("HTTP 403: Resource not accessible by integration")
    comments = json.loads(held.read_text()) if held.exists() else []
    with (Path(os.environ["FAKE"]) / "log").open("a") as log:
        log.write(" ".join(args) + "\\n")
    body = next((Path(one[6:]).read_text() for one in args if one.startswith("body=@")), None)
    if "--jq" in args:
        query = args[args.index("--jq") + 1]
        if shutil.which("jq"):
            told = subprocess.run(["jq", "-r", query], input=json.dumps(comments), text=True)
            sys.exit(told.returncode)
        author, mark = re.search(r'login == "(.*?)".*startswith\\("(.*?)"\\)', query).groups()
        for one in comments:
            if one["user"]["login"] == author and one["body"].startswith(mark):
                print(one["id"])
    elif "PATCH" in args:
        (number,) = [one.rpartition("/")[2] for one in args if one.startswith("repos/")]
        next(one for one in comments if str(one["id"]) == number)["body"] = body
    else:
        bot = {{"login": "github-actions[bot]"}}
        comments.append({{"id": len(comments) + 1, "user": bot, "body": body}})
    held.write_text(json.dumps(comments))
"""
CURL = """
    #!{python}
    # `curl` of the template: the artifact of the default branch, and the notes of a merge request
    import json, os, shutil, sys
    from pathlib import Path
    fake, args = Path(os.environ["FAKE"]), sys.argv[1:]
    url = args[-1] if args[-1].startswith("https://") else next(
        one for one in args if one.startswith("https://"))
    with (fake / "log").open("a") as log:
        log.write(" ".join(args) + "\\n")
    if "/jobs/artifacts/main/raw/ragproof-report/store.db?job=ragproof" in url:
        if not (fake / "store.db").exists():
            sys.exit(22)
        shutil.copy(fake / "store.db", args[args.index("--output") + 1])
        sys.exit(0)
    held = fake / "notes.json"
    notes = json.loads(held.read_text()) if held.exists() else []
    body = next((Path(one[5:]).read_text() for one in args if one.startswith("body@")), None)
    if "PUT" in args:
        next(one for one in notes if str(one["id"]) == url.rpartition("/")[2])["body"] = body
    elif "POST" in args:
        notes.append({{"id": len(notes) + 1, "body": body}})
    else:
        print(json.dumps(notes))
    held.write_text(json.dumps(notes))
"""
STUB = """
    #!{python}
    # `ragproof`: exits as it is told to, with the files that the real one writes
    import os, sqlite3, sys
    from pathlib import Path
    args = dict(zip(sys.argv[2:], sys.argv[3:] + [""]))
    if sys.argv[1] == "run":
        sqlite3.connect(args["--store"]).close()
    for name in ("--html", "--markdown", "--sarif", "--junit"):
        if name in args:
            Path(args[name]).write_text(os.environ.get("STUB_WRITES", "report") + "\\n")
    with (Path(os.environ["FAKE"]) / "log").open("a") as log:
        log.write(" ".join(sys.argv[1:]) + "\\n")
    print("told on stderr", file=sys.stderr)
    sys.exit(int(os.environ.get("STUB_" + sys.argv[1].upper(), "0")))
"""


@dataclass
class Runner:
    """As much of GitHub's runner as a composite action needs: expressions, outputs, caches."""

    folder: Path
    inputs: Mapping[str, str] = field(default_factory=dict[str, str])
    event: str = "pull_request"
    ref: str = "refs/pull/7/merge"
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    outputs: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    said: str = ""
    uploaded: list[str] = field(default_factory=list[str])

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def fake(self) -> Path:
        return self.folder / "fake"

    @property
    def cached(self) -> Path:
        return self.fake / "cache"

    def value(self, name: str) -> str:
        known = {
            "github.event_name": self.event,
            "github.ref": self.ref,
            "github.repository": "me/shop",
            "github.token": "token",
            "github.run_id": "1",
            "github.run_attempt": "1",
            "github.event.repository.default_branch": "main",
            "github.event.pull_request.number": "7",
        }
        match name.split("."):
            case ["inputs", one]:
                default = str(ACTION["inputs"][one]["default"])
                return self.inputs.get(one, self.filled(default))
            case ["steps", step, "outputs", one]:
                return self.outputs.get(step, {}).get(one, "")
            case _:
                return known[name]

    def filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda found: self.value(found[1]), text)

    def holds(self, condition: str, *, failed: bool) -> bool:
        parts = EXPRESSION.sub(r"\1", condition).split(" && ")
        if failed and "always()" not in parts:
            return False
        for part in parts:
            if part == "always()":
                continue
            name, sign, literal = part.split(" ")
            if (self.value(name) == literal.strip("'")) != (sign == "=="):
                return False
        return True

    def run(self, *names: str) -> int:
        """Take every step, or those named; the exit code of the first that failed."""
        code = 0
        for step in STEPS:
            if names and step["name"] not in names:
                continue
            if not self.holds(
                step.get("if", "${{ always() }}" if not code else ""), failed=code != 0
            ):
                continue
            if "uses" in step:
                self.use(step)
            else:
                code = code or self.shell(step)
        return code

    def use(self, step: dict[str, Any]) -> None:
        paths = [self.work / one for one in self.filled(step["with"]["path"]).split("\n") if one]
        match step["uses"].partition("@")[0]:
            case "actions/cache/restore" if self.cached.exists():
                shutil.copytree(self.cached, paths[0], dirs_exist_ok=True)
            case "actions/cache/save":
                shutil.rmtree(self.cached, ignore_errors=True)
                shutil.copytree(paths[0], self.cached)
            case "actions/upload-artifact":
                self.uploaded = [one.name for one in paths if one.is_file()]

    def shell(self, step: dict[str, Any]) -> int:
        output, page = self.fake / "output", self.fake / "summary"
        output.write_text("")
        env = {name: self.filled(str(one)) for name, one in step.get("env", {}).items()}
        code, said = shell(
            step["run"],
            self.work / self.filled(step.get("working-directory", ".")),
            {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(page), **self.environ, **env},
            self.fake,
        )
        self.said += said
        if "id" in step:
            lines = output.read_text().splitlines()
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in lines)
        return code


def shell(script: str, work: Path, env: Mapping[str, str], fake: Path) -> tuple[int, str]:
    """As GitHub and GitLab run a script: bash, stopping at the first failure."""
    path = os.pathsep.join([str(fake), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=work,
        env={"PATH": path, "HOME": str(fake), "FAKE": str(fake), "COLUMNS": "80", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout


def project(folder: Path, *, wrong: int = 0, **programs: str) -> Path:
    """A project of 20 recorded answers, and programs that come before those of the machine."""
    for name in ("work", "fake"):
        (folder / name).mkdir(exist_ok=True)
    work = folder / "work"
    (work / "ragproof.yaml").write_text(dedent(CONFIG))
    cases = [{"id": f"q{at}", "question": "?", "expected_answer": "yes"} for at in range(20)]
    seen = [
        {"case_id": f"q{at}", "answer": {"answer_text": "no" if at < wrong else "yes"}}
        for at in range(20)
    ]
    for name, lines in (("cases", cases), ("seen", seen)):
        (work / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    for name, source in programs.items():
        program = folder / "fake" / name
        program.write_text(dedent(source.format(python=sys.executable)).lstrip())
        program.chmod(0o755)
    return folder


def baseline(folder: Path, store: Path) -> None:
    """A run of the project as it stands, in a store of its own."""
    store.parent.mkdir(parents=True, exist_ok=True)
    ragproof.evaluate(config=folder / "work/ragproof.yaml", store=store)


def held(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "fake" / name).read_text())
    return found


def gitlab(folder: Path, **env: str) -> tuple[int, str]:
    job = GITLAB[".ragproof"]
    variables = {
        **job["variables"],
        "RAGPROOF_INSTALL": "",
        "CI_API_V4_URL": "https://gitlab.test/api/v4",
        "CI_DEFAULT_BRANCH": "main",
        "CI_JOB_NAME": "ragproof",
        "CI_JOB_TOKEN": "job-token",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_PROJECT_ID": "5",
        "RAGPROOF_GITLAB_TOKEN": "token",
        **env,
    }
    return shell("\n".join(job["script"]), folder / "work", variables, folder / "fake")
