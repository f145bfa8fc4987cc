"""The same from Python: evaluate, look, compare, gate. `import ragproof` offers it all."""
