"""One file a command, no logic: parse, wire, call, print, exit code."""
