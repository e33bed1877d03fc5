# One command each: `make demo` shows a live table, `make test` proves everything. Both set up what they need.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test check unit setup lock bench campaign clean

help:
	@echo "make demo   set up, then run a live simulated table (Ctrl-C ends it)"
	@echo "make test   set up, then formatter check, linter, types, import contracts and every test"
	@echo "make bench  print the latency and speed figures of this machine"
	@echo "make campaign   the long forms of the tests under fire"
	@echo "make lock   renew requirements.lock from pyproject.toml"

# The stamps make a second run start at once.
.venv/dependencies: requirements.lock
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/project: .venv/dependencies pyproject.toml build_consoles.py $(shell find studio/console -type f -not -path '*/node_modules/*')
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

setup: .venv/project

demo: setup
	$(BIN)/studio demo

bench: setup
	$(BIN)/studio bench

test: setup
	@.ci/chromium
	$(MAKE) --no-print-directory check unit

check:
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python build_consoles.py check

# The browser tests hold an event loop of their own, so they get a process of their own. The temporary folder is the
# project's: runs of several clones side by side then leave each other's files alone.
unit:
	@mkdir -p .pytest_tmp
	$(BIN)/pytest -q -n 2 --basetemp .pytest_tmp/all --ignore tests/system/consoles
	$(BIN)/pytest -q --basetemp .pytest_tmp/consoles tests/system/consoles

# The long forms of the tests under fire: 20,000 rounds with faults injected (2 minutes), a hundred kills, three hundred lock-step rounds (about 12 minutes), random
# rounds against the second engine (3), ten thousand rounds of each game through driver, engine and ledger (40).
campaign: setup
	$(BIN)/studio campaign --jobs 2
	STUDIO_KILLS=100 STUDIO_ROUNDS=300 $(BIN)/pytest -q -s tests/system/test_crash.py tests/system/test_lockstep.py \
	    tests/system/test_hole_card.py tests/system/test_shutdown.py
	STUDIO_ROUNDS=20000 $(BIN)/pytest -q --timeout 3600 tests/unit/reference/test_core_against_reference.py
	STUDIO_ROUNDS=10000 $(BIN)/pytest -q -s --timeout 3600 tests/system/test_rounds.py
	$(BIN)/studio trial shoes --shoes 10000
	STUDIO_SHOES=10000 $(BIN)/pytest -q --timeout 3600 tests/unit/drivers/test_driver_trials.py -k policy
	$(BIN)/studio trial soak --readers 64 --minutes 10
	STUDIO_ROUNDS=1000 $(BIN)/pytest -q -s --timeout 36000 tests/system/test_camera_rounds.py

lock: .venv/dependencies
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --extra dev --no-emit-index-url --no-emit-trusted-host \
	    --no-emit-find-links --strip-extras --allow-unsafe --output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv data studio/web/static studio/console/node_modules .mypy_cache .ruff_cache .pytest_cache
