# The entry point of all development tasks; `make help` lists them.
# Needs Python 3.11 or later, and a C compiler for `make compiled`. Packages come from pip's configured index.

# The first recent enough Python on the PATH; override it with PYTHON=...
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

BIN := .venv/bin
ENVIRONMENT := .venv/installed
BENCH_BIN := .venv-bench/bin
BENCH_ENVIRONMENT := .venv-bench/installed

# The maximum number of test workers; by default there is one per core.
WORKERS ?= 8
# Further arguments of pytest: make test OPTIONS="-k bombs"
OPTIONS ?=
# Idle workers steal tests from others, since some tests take seconds and most almost no time.
RUN_TESTS = $(BIN)/python -m pytest -n auto --maxprocesses $(WORKERS) --dist worksteal

SOURCES := engine games haggis_service tests tools examples benchmarks manage.py

.DEFAULT_GOAL := help

.PHONY: help
help: ## List all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- Environments: created from a lock, and recreated when the lock changes ---------------------------------------

define make_environment
	@test ! -L $(1) || { echo "$(1) is a link to $$(readlink $(1)): make would empty the environment of another checkout." \
		"Remove the link (rm $(1)) so that make creates an environment here, or call $(BIN)/python directly." >&2; exit 1; }
	@test -n "$(PYTHON)" || { echo "Haggis needs Python 3.11 or later on the PATH." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(1)
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(2)
	@touch $(1)/installed
endef

$(ENVIRONMENT): requirements-dev.lock
	$(call make_environment,.venv,$<)

$(BENCH_ENVIRONMENT): requirements-bench.lock
	$(call make_environment,.venv-bench,$<)

.PHONY: lock
lock: $(ENVIRONMENT) ## Update the requirement locks from the .in files (UPGRADE=--upgrade for newer versions)
	@for name in requirements requirements-push requirements-parquet requirements-dev requirements-bench; do \
		$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
			--no-header $(UPGRADE) $$name.in --output-file $$name.lock || exit 1; \
	done
	@! grep --line-number --extended-regexp '[a-z]+://|index-url' requirements*.lock \
		|| { echo "A lock contains a URL." >&2; exit 1; }

# --- Use -----------------------------------------------------------------------------------------------------------

# The documentation, which the service shows at /docs/.
DOCS := build/docs/index.html
$(DOCS): $(ENVIRONMENT) mkdocs.yml tools/docs_hooks.py examples/bot.py $(shell find docs -name openapi -prune -o -type f -print)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The port of `make run`, and the folder of its database and secret key.
PORT ?= 8000
DATA ?= var

.PHONY: run
run: $(ENVIRONMENT) $(DOCS) ## Run the whole service on this machine (PORT=8000 DATA=var)
	@exec $(BIN)/python manage.py serve --port $(PORT) --data $(DATA)

# The processes of production need PostgreSQL (DATABASE_URL), Redis (REDIS_URL) and nginx.
.PHONY: stack
stack: PORT = 8080
stack: $(ENVIRONMENT) $(DOCS) ## Run every process of production on this machine, without containers (PORT=8080)
	@exec $(BIN)/python -m haggis_service.stack --port $(PORT) $(OPTIONS)

.PHONY: terminal
terminal: $(ENVIRONMENT) ## Play a round in the terminal against the AI (OPTIONS="--players 3 --level random")
	@$(BIN)/python examples/terminal_round.py $(OPTIONS)

# --- Tests and checks ----------------------------------------------------------------------------------------------

.PHONY: test
test: $(ENVIRONMENT) ## Run the tests; tests whose server is not available are skipped and listed
	$(RUN_TESTS) $(OPTIONS)

# How often the chaos tests kill each server.
KILLS ?= 5

.PHONY: chaos
chaos: $(ENVIRONMENT) ## Kill PostgreSQL, Redis and every process during play, and check that nothing is lost (KILLS=5)
	HAGGIS_KILLS=$(KILLS) HAGGIS_AI_MATCHES=20 HAGGIS_STACK_MATCHES=100 HAGGIS_REDIS_AWAY=30 HAGGIS_STORED_MATCHES=10000 \
		HAGGIS_DEADLINES=600 HAGGIS_LATE_MOVES=200 HAGGIS_CUTS=300 \
		HAGGIS_FLOOD_MATCHES=500 HAGGIS_FLOOD_PLAYERS=50 HAGGIS_FLOOD_SECONDS=60 HAGGIS_ATTACK_SECONDS=30 \
		$(RUN_TESTS) -rP tests/chaos $(OPTIONS)

MINUTES ?= 30

.PHONY: soak
soak: $(ENVIRONMENT) ## Play whole matches over HTTP for a long time and check memory (MINUTES=30)
	HAGGIS_SOAK_MINUTES=$(MINUTES) $(BIN)/python -m pytest -rP tests/load/test_soak.py $(OPTIONS)

# How long the API is fuzzed.
SECONDS ?= 600

.PHONY: fuzz
fuzz: $(ENVIRONMENT) ## Fuzz a running server against its contract with schemathesis (SECONDS=600)
	HAGGIS_FUZZ_SECONDS=$(SECONDS) $(BIN)/python -m pytest -rP --timeout 3600 tests/fuzz $(OPTIONS)

# How many pairs of worlds are compared, half of them on each database.
PAIRS ?= 2000

.PHONY: worlds
worlds: $(ENVIRONMENT) ## Check that responses do not depend on hidden cards, with pairs of worlds (PAIRS=2000)
	HAGGIS_WORLDS=$$(( $(PAIRS) / 2 )) $(BIN)/python -m pytest -n 2 -rP --show-capture stdout tests/games/worlds $(OPTIONS) \
		-k "worlds_that_differ"

.PHONY: coverage
coverage: $(ENVIRONMENT) ## Run the engine's tests and show branches of the rules that they do not cover
	$(RUN_TESTS) --cov tests/engine $(OPTIONS)

# Production settings with harmless values, for Django's deployment check.
DEPLOYED := DJANGO_SETTINGS_MODULE=haggis_service.settings.production \
	HAGGIS_SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
	HAGGIS_ALLOWED_HOSTS=haggis.example DATABASE_URL=postgres://db/haggis REDIS_URL=redis://:password@redis/0

.PHONY: check
check: $(ENVIRONMENT) ## Run all static checks: lint, format, types, architecture, dependencies, migrations
	$(BIN)/ruff check $(SOURCES) clients packages
	$(BIN)/ruff format --check $(SOURCES) clients packages
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry .
	$(BIN)/python -m tools.check_scripts
	$(BIN)/python -m tools.check_language
	$(BIN)/python -m tools.messages --check
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(DEPLOYED) $(BIN)/python manage.py check --deploy --fail-level WARNING

.PHONY: audit
audit: $(ENVIRONMENT) ## Look up known vulnerabilities of the locked packages and write build/haggis.cdx.json
	@$(BIN)/python -m tools.audit_dependencies $(OPTIONS)

.PHONY: messages
messages: $(ENVIRONMENT) ## Update the catalogues of translations (games/locale) from the sources, and compile them
	@$(BIN)/python -m tools.messages

.PHONY: contract
contract: $(ENVIRONMENT) ## Update the published contract (docs/openapi)
	@$(BIN)/python tools/write_contract.py

.PHONY: examples
examples: $(ENVIRONMENT) contract ## Update the contract's examples from the responses of a real server
	$(BIN)/python -m tests.clients.recording
	@$(BIN)/python tools/write_contract.py

.PHONY: docs
docs: $(DOCS) ## Build the documentation (build/docs), which the service shows at /docs/

.PHONY: clients
clients: $(ENVIRONMENT) ## Generate and check the TypeScript and Python clients (needs Node.js)
	@$(BIN)/python tools/build_clients.py

.PHONY: packages
packages: $(ENVIRONMENT) ## Build the packages to publish in build/packages (needs Node.js and a C compiler)
	@$(BIN)/python -m tools.packages $(OPTIONS)

.PHONY: generators
generators: $(ENVIRONMENT) ## Generate, compile and try clients in 7 languages (Java, Node.js; downloads tools)
	@$(BIN)/python tools/generator_matrix.py $(OPTIONS)

.PHONY: format
format: $(ENVIRONMENT) ## Format the code and fix what the linter can fix
	$(BIN)/ruff check --fix-only $(SOURCES) clients packages
	$(BIN)/ruff format $(SOURCES) clients packages
	$(BIN)/python -m tools.check_scripts --write

# --- The compiled engine -------------------------------------------------------------------------------------------

.PHONY: compiled
compiled: $(ENVIRONMENT) ## Compile the core of the engine in place; it runs about three times as fast
	$(BIN)/python tools/compile_engine.py build

.PHONY: clean-compiled
clean-compiled: ## Remove the compiled engine
	@$(or $(PYTHON),python3) tools/compile_engine.py clean

.PHONY: test-compiled
test-compiled: ## Run the engine's tests on the compiled engine, then remove it
	$(MAKE) compiled
	$(RUN_TESTS) tests/engine $(OPTIONS); status=$$?; $(MAKE) clean-compiled; exit $$status

# --- The image -----------------------------------------------------------------------------------------------------

.PHONY: image
image: $(ENVIRONMENT) ## Build the image without Docker and start its processes (root, buildah, debootstrap)
	@$(BIN)/python -m tools.build_image $(OPTIONS)

# --- Benchmarks ----------------------------------------------------------------------------------------------------

.PHONY: bench
bench: $(BENCH_ENVIRONMENT) ## Benchmark the engine and other libraries, and print the ratios
	$(BENCH_BIN)/python -m benchmarks $(OPTIONS)

# --- Screenshots ---------------------------------------------------------------------------------------------------

.PHONY: screenshots
screenshots: $(ENVIRONMENT) ## Take screenshots of every page for docs/images, phone and desktop, light and dark
	$(BIN)/python -m tools.screenshots

# --- Cleaning up ---------------------------------------------------------------------------------------------------

.PHONY: clean
clean: clean-compiled ## Remove all generated files, but not the data in var/
	rm -rf .venv .venv-bench build .coverage .coverage.* htmlcov .hypothesis .import_linter_cache
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find engine games haggis_service tests tools examples benchmarks -name __pycache__ -prune -exec rm -rf {} +
