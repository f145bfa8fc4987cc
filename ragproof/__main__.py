"""The command `ragproof`, and `python -m ragproof`."""

from __future__ import annotations

from ragproof.cli.main import Process, root


def main() -> None:
    """Run the command that the arguments name and exit with its code."""
    root.main(prog_name="ragproof", obj=Process(own=True))


if __name__ == "__main__":
    main()
