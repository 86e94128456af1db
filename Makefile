# Everything starts here: `make run`, `make test`. `make help` lists the rest.
# Needed: Python 3.11 or later, and a C compiler for `make compiled`. Packages come from wherever pip is set up to
# find them.

# The first Python on the path that is recent enough; PYTHON=... names another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

BIN := .venv/bin
ENVIRONMENT := .venv/installed
BENCH_BIN := .venv-bench/bin
BENCH_ENVIRONMENT := .venv-bench/installed

# Test runners: one for each core, but no more than this.
WORKERS ?= 8
# More for the test runner: make test OPTIONS="-k bombs"
OPTIONS ?=
# A worker that has nothing left takes tests from the others: some take seconds, most take none.
RUN_TESTS = $(BIN)/python -m pytest -n auto --maxprocesses $(WORKERS) --dist worksteal

SOURCES := engine games haggis_service tests tools examples benchmarks manage.py

.DEFAULT_GOAL := help

.PHONY: help
help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- Environments: made from a lock, and made anew when the lock changes -------------------------------------------

define make_environment
	@test -n "$(PYTHON)" || { echo "Haggis needs Python 3.11 or later on the path." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(1)
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(2)
	@touch $(1)/installed
endef

$(ENVIRONMENT): requirements-dev.lock
	$(call make_environment,.venv,$<)

$(BENCH_ENVIRONMENT): requirements-bench.lock
	$(call make_environment,.venv-bench,$<)

.PHONY: lock
lock: $(ENVIRONMENT) ## Write the requirement locks again from the .in files (UPGRADE=--upgrade for newer versions)
	@for name in requirements requirements-push requirements-dev requirements-bench; do \
		$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
			--no-header $(UPGRADE) $$name.in --output-file $$name.lock || exit 1; \
	done
	@! grep --line-number --extended-regexp '[a-z]+://|index-url' requirements*.lock \
		|| { echo "A lock holds an address." >&2; exit 1; }

# --- Use -----------------------------------------------------------------------------------------------------------

# Where `make run` listens, and where it keeps what has to outlive it.
PORT ?= 8000
DATA ?= var

.PHONY: run
run: $(ENVIRONMENT) ## Serve the whole product on this machine (PORT=8000 DATA=var)
	@exec $(BIN)/python manage.py serve --port $(PORT) --data $(DATA)

# Every process of production needs PostgreSQL (DATABASE_URL), Redis (REDIS_URL) and nginx.
.PHONY: stack
stack: PORT = 8080
stack: $(ENVIRONMENT) ## Start every process of production on this machine, without containers (PORT=8080)
	@exec $(BIN)/python -m haggis_service.stack --port $(PORT) $(OPTIONS)

.PHONY: terminal
terminal: $(ENVIRONMENT) ## Play a round at the terminal, against the AI (OPTIONS="--players 3 --level random")
	@$(BIN)/python examples/terminal_round.py $(OPTIONS)

# --- Tests and checks ----------------------------------------------------------------------------------------------

.PHONY: test
test: $(ENVIRONMENT) ## Run the tests; those that need a server run where it is, and are named where it is not
	$(RUN_TESTS) $(OPTIONS)

# How often each server is killed.
KILLS ?= 5

.PHONY: chaos
chaos: $(ENVIRONMENT) ## Kill PostgreSQL, Redis and every process in the middle of play, and look for what is lost (KILLS=5)
	HAGGIS_KILLS=$(KILLS) HAGGIS_AI_MATCHES=20 HAGGIS_STACK_MATCHES=100 HAGGIS_REDIS_AWAY=30 HAGGIS_STORED_MATCHES=10000 \
		HAGGIS_DEADLINES=600 HAGGIS_LATE_MOVES=200 HAGGIS_CUTS=300 \
		$(RUN_TESTS) -rP tests/chaos $(OPTIONS)

MINUTES ?= 30

.PHONY: soak
soak: $(ENVIRONMENT) ## Whole matches by clients for a long time, and whether the memory grows (MINUTES=30)
	HAGGIS_SOAK_MINUTES=$(MINUTES) $(BIN)/python -m pytest -rP tests/load/test_soak.py $(OPTIONS)

# How long the contract is tried with whatever fits it and with what does not.
SECONDS ?= 600

.PHONY: fuzz
fuzz: $(ENVIRONMENT) ## Try the contract against a running server with schemathesis, every check (SECONDS=600)
	HAGGIS_FUZZ_SECONDS=$(SECONDS) $(BIN)/python -m pytest -rP --timeout 3600 tests/fuzz $(OPTIONS)

# How many pairs of worlds are compared, half of them on each database.
PAIRS ?= 2000

.PHONY: worlds
worlds: $(ENVIRONMENT) ## Compare worlds that differ in hidden cards alone: nobody may be told anything (PAIRS=2000)
	HAGGIS_WORLDS=$$(( $(PAIRS) / 2 )) $(BIN)/python -m pytest -n 2 -rP --show-capture stdout tests/games/api/worlds $(OPTIONS) \
		-k "two_worlds_that_differ"

.PHONY: coverage
coverage: $(ENVIRONMENT) ## Run the tests of the engine and show which branches of the rules none of them takes
	$(RUN_TESTS) --cov tests/engine $(OPTIONS)

# The settings for production, with harmless values, so that Django can judge them.
DEPLOYED := DJANGO_SETTINGS_MODULE=haggis_service.settings.production \
	HAGGIS_SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
	HAGGIS_ALLOWED_HOSTS=haggis.example DATABASE_URL=postgres://db/haggis REDIS_URL=redis://redis/0

.PHONY: check
check: $(ENVIRONMENT) ## Everything that can be said about the code without running it
	$(BIN)/ruff check $(SOURCES) clients
	$(BIN)/ruff format --check $(SOURCES) clients
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry .
	$(BIN)/python -m tools.check_scripts
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(DEPLOYED) $(BIN)/python manage.py check --deploy --fail-level WARNING

.PHONY: contract
contract: $(ENVIRONMENT) ## Write the published contract anew
	@$(BIN)/python tools/write_contract.py

.PHONY: examples
examples: $(ENVIRONMENT) contract ## Take the examples of the contract from a real server anew
	$(BIN)/python -m tests.clients.recording
	@$(BIN)/python tools/write_contract.py

.PHONY: docs
docs: $(ENVIRONMENT) ## Write docs/ as pages that work from the file system (build/docs/index.html)
	@$(BIN)/mkdocs build --strict --quiet && echo "build/docs/index.html"

.PHONY: clients
clients: $(ENVIRONMENT) ## Generate the TypeScript and Python clients from the contract, check and pack them (Node.js)
	@$(BIN)/python tools/build_clients.py

.PHONY: format
format: $(ENVIRONMENT) ## Format the code, and mend what the linter can mend by itself
	$(BIN)/ruff check --fix-only $(SOURCES) clients
	$(BIN)/ruff format $(SOURCES) clients
	$(BIN)/python -m tools.check_scripts --write

# --- The compiled engine -------------------------------------------------------------------------------------------

.PHONY: compiled
compiled: $(ENVIRONMENT) ## Compile the core of the engine, in place, for about three times the speed
	$(BIN)/python tools/compile_engine.py build

.PHONY: clean-compiled
clean-compiled: ## Go back to the plain engine
	@$(or $(PYTHON),python3) tools/compile_engine.py clean

.PHONY: test-compiled
test-compiled: ## Run the tests of the engine on the compiled one, then go back to the plain one
	$(MAKE) compiled
	$(RUN_TESTS) tests/engine $(OPTIONS); status=$$?; $(MAKE) clean-compiled; exit $$status

# --- Measures ------------------------------------------------------------------------------------------------------

.PHONY: bench
bench: $(BENCH_ENVIRONMENT) ## Measure the engine beside others, and print the ratios
	$(BENCH_BIN)/python -m benchmarks $(OPTIONS)

# --- Pictures ------------------------------------------------------------------------------------------------------

.PHONY: screenshots
screenshots: $(ENVIRONMENT) ## Take pictures of every page, phone and desktop, light and dark, into docs/images
	$(BIN)/python -m tools.screenshots

# --- Cleaning up ---------------------------------------------------------------------------------------------------

.PHONY: clean
clean: clean-compiled ## Remove what was made, except what is kept in var/
	rm -rf .venv .venv-bench build .coverage .coverage.* htmlcov .hypothesis .import_linter_cache
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find engine games haggis_service tests tools examples benchmarks -name __pycache__ -prune -exec rm -rf {} +
