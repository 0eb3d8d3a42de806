# `make` lists the targets. Needs GNU Make 3.81 and Python 3.11 or newer; all else is
# installed into .venv from the locks, every package by its hash.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON = python3 python3.13 python3.12 python3.11# the first that will do
ARGS = # more arguments for pytest, a benchmark or the demo

VENV := .venv
BIN := $(VENV)/bin
# Quiet: warnings off, errors on.
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
LOCKS := requirements
UV := uv==0.13.9

.PHONY: help demo test check bench lock clean

help: ## this list
	@sed -n 's/^\([a-z][a-z]*\):.*## /\1@/p' Makefile | \
	  while IFS=@ read -r name words; do printf '  make %-6s %s\n' "$$name" "$$words"; done

demo: $(VENV)/.core ## a first comparison, on documents that come with Leadline
	@$(BIN)/leadline demo $(ARGS)

test: $(VENV)/.test ## every test, on two cores; ARGS="-k words" runs some
	@command -v chromium >/dev/null || { \
	  echo "chromium was not found: install the system package 'chromium'" \
	    "(apt install chromium)." >&2; \
	  if [ "$$CI" = true ]; then echo "With CI=true its tests must run." >&2; exit 1; fi; \
	  echo "Without it the browser tests are skipped." >&2; }
	@$(BIN)/python -m pytest -n 2 $(ARGS)

check: $(VENV)/.test ## the guard rails: lint, format, types, floors
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --strict src
	@$(BIN)/lint-imports --no-cache --no-logo

bench: $(VENV)/.test ## every figure that the docs give, measured on this machine
	@set -e; for script in benchmarks/*.py; do \
	  [ -e "$$script" ] || { echo "benchmarks/ holds no script." >&2; exit 1; }; \
	  echo "== $$script"; $(BIN)/python "$$script" $(ARGS); done

lock: $(BIN)/python ## the lock files again; ARGS=--upgrade takes newer versions
	@$(PIP) install '$(UV)'
	@$(COMPILE) pyproject.toml --extra wordllama --group dev -o $(LOCKS)/test.lock
	@$(COMPILE) pyproject.toml --extra wordllama $(SAME) -o $(LOCKS)/wordllama.lock
	@$(COMPILE) pyproject.toml $(SAME) -o $(LOCKS)/core.lock
	@$(COMPILE) --group build $(SAME) -o $(LOCKS)/build.lock
	@cp $(LOCKS)/core.lock src/leadline/labs/pydocs/requirements.lock
	@! grep -nE '^torch|://' $(LOCKS)/*.lock

clean: ## away with .venv, builds and caches; .leadline and what you measured stay
	@rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# One version of a package for every Python and system, so that figures compare.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
  --fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links \
  --custom-compile-command 'make lock' $(ARGS)
# The small locks hold the versions that were tested.
SAME = --constraint $(LOCKS)/test.lock

# One environment for the demo and the tests: the tests' packages come on top. The
# project is installed as a link to src, built by the pinned backend, without network.
PROJECT = $(PIP) install --no-index --no-deps --no-build-isolation --editable .

$(VENV)/.core: $(LOCKS)/core.lock $(LOCKS)/build.lock pyproject.toml | $(BIN)/python
	@echo "Installing what $(LOCKS)/core.lock pins into $(VENV) ..."
	@$(PIP) install --require-hashes --only-binary :all: \
	  -r $(LOCKS)/core.lock -r $(LOCKS)/build.lock
	@$(PROJECT)
	@touch $@

$(VENV)/.test: $(LOCKS)/test.lock pyproject.toml | $(BIN)/python
	@echo "Installing what $(LOCKS)/test.lock pins into $(VENV) ..."
	@$(PIP) install --require-hashes -r $(LOCKS)/test.lock
	@$(PROJECT)
	@touch $@

$(BIN)/python:
	@bare=; for python in $(PYTHON); do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    || continue; \
	  "$$python" -c 'import ensurepip, venv' 2>/dev/null || { bare=$$python; continue; }; \
	  echo "Making $(VENV) with $$("$$python" --version) ..."; \
	  exec "$$python" -m venv --clear $(VENV); \
	done; \
	if [ -n "$$bare" ]; then \
	  version=$$("$$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "$$bare cannot make a virtual environment: its venv module is missing." \
	    "On Debian and Ubuntu: apt install python$$version-venv" >&2; \
	else \
	  echo "Leadline needs Python 3.11 or newer; none was found as: $(PYTHON)." \
	    "Install one, or name it: make PYTHON=/path/to/python" >&2; \
	fi; \
	exit 1
