# Rankscope. `make run` opens the dashboard, `make test` runs the whole suite; each needs only Python and make.
# The installed packages carry a stamp with the checksum of their list: a second start installs nothing.

PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11 python
PORT ?= 8501
ADDRESS ?= localhost
HOSTS ?=
SCHEDULER ?=
PYTEST_ARGS ?=
WORKERS ?= $(if $(PYTEST_ARGS),0,3)
BENCH_ARGS ?=
SECONDS ?= 60
TRAININGS ?= 1000
RERUNS ?= 5000
PY := .venv/bin/python
RUN := requirements.txt
LOCK := requirements.lock
DEV := requirements.txt requirements-dev.txt
BENCH := $(DEV) requirements-peers.txt

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# $(call install,NAME,FILES): install FILES unless .venv/.stamp-NAME says that they are there.
define install
@want="$$(cat $(2) | cksum)"; \
if [ "$$(cat .venv/.stamp-$(1) 2>/dev/null)" != "$$want" ]; then \
	$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip; \
	echo "Installing $(2) into .venv (once; under a minute on a fast line) …"; \
	$(PY) -m pip install --quiet $(foreach file,$(2),-r $(file)) && echo "$$want" > .venv/.stamp-$(1); \
fi
endef

# The lock has every package's version and the hashes of its files. Where it has nothing for this machine the
# list does, and that is said; a file that is not the one that was locked ends it.
define install_locked
@want="$$(cat $(RUN) $(LOCK) | cksum)"; \
if [ "$$(cat .venv/.stamp-run 2>/dev/null)" != "$$want" ]; then \
	$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip; \
	echo "Installing $(LOCK) into .venv (once; under a minute on a fast line) …"; \
	said="$$($(PY) -m pip install --quiet --require-hashes -r $(LOCK) 2>&1)" || { \
		printf '%s\n' "$$said"; \
		case "$$said" in *"DO NOT MATCH THE HASHES"*) \
			echo "A package is not the one that $(LOCK) names: nothing was installed."; exit 1 ;; esac; \
		echo "$(LOCK) does not cover this machine: installing $(RUN) without hashes …"; \
		$(PY) -m pip install --quiet -r $(RUN) || exit 1; }; \
	echo "$$want" > .venv/.stamp-run; \
fi
endef

.PHONY: help run test test-quick check bench fuzz soak docs setup lock venv dev kernels

help:
	@echo "make run         open the dashboard on http://localhost:$(PORT) (PORT=9000; ADDRESS=0.0.0.0 lets others in)"
	@echo "make test        run the whole test suite (PYTEST_ARGS=… for pytest)"
	@echo "make test-quick  the same without the browser and without what takes long"
	@echo "make check       lint, format and types"
	@echo "make bench       time the algorithms beside their peers (BENCH_ARGS=… for some of them)"
	@echo "make fuzz        mutated files for every reader, beside slow readers (SECONDS=600 for longer)"
	@echo "make soak        1,000 trainings and 5,000 reruns (TRAININGS=, RERUNS=): memory, threads and files stay"
	@echo "make docs        the reference of the library as a page, build/reference.html"
	@echo "make setup       only make .venv"
	@echo "make lock        write requirements.lock anew, and say which packages have newer versions"

run: setup kernels
	@echo "Rankscope is on http://localhost:$(PORT) — Ctrl-C ends it."
	@exec $(PY) -m pages.ui.app.serve --port $(PORT) --address $(ADDRESS) $(foreach host,$(HOSTS),--host $(host)) $(foreach address,$(SCHEDULER),--scheduler $(address))

# A file of tests stays in one process: its server, its browser and its fitted models are made once.
# They start servers and command lines by the hundred: what Python has compiled is kept, as numba's kernels are.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(PY) -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

test: dev kernels
	@echo "Running the test suite …"
	@$(PYTEST) $(PYTEST_ARGS)

test-quick: dev kernels
	@echo "Running the quick tests …"
	@$(PYTEST) -m "not browser and not slow" $(PYTEST_ARGS)

check: dev
	@echo "Lint …" && $(PY) -m ruff check .
	@echo "Format …" && $(PY) -m ruff format --check .
	@echo "Types …" && $(PY) -m mypy
	@$(PY) -m tests.project.sizes

bench: venv kernels
	$(call install,bench,$(BENCH))
	@$(PY) -m tests.benchmarks.run $(BENCH_ARGS)

soak: dev kernels
	@$(PY) -m tests.benchmarks.soak --trainings $(TRAININGS) --reruns $(RERUNS)

fuzz: dev kernels
	@$(PY) -m tests.fuzz --seconds $(SECONDS)

docs: setup
	@$(PY) -m ltr_core.reference build/reference.html

setup: venv
	$(install_locked)

# One lock for every Python and system that requirements.txt allows, which neither pip nor pip-tools makes.
lock: dev
	@cp $(LOCK) .venv/lock.before
	@$(PY) -m uv pip compile $(RUN) --output-file $(LOCK) --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock" --quiet
	@diff .venv/lock.before $(LOCK) | grep '[<>].*==' || echo "Nothing is newer."

dev: setup
	$(call install,dev,$(DEV))

venv:
	@$(PY) -c pass 2>/dev/null || { \
		for python in $(PYTHON) ""; do \
			$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; \
		test -n "$$python" || { echo "Rankscope needs Python 3.11 or later: install it, or say PYTHON=/path/to/python3."; exit 1; }; \
		echo "Making .venv with $$($$python --version) …"; \
		$$python -m venv --clear .venv || { \
			rm -rf .venv; echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv."; exit 1; }; \
	}

# Numba's kernel cache does not see an edit of a helper in another file: any edit clears it.
kernels:
	@now="$$(find ltr_core -name '*.py' | LC_ALL=C sort | xargs cat | cksum)"; \
	if [ "$$(cat .venv/.stamp-kernels 2>/dev/null)" != "$$now" ]; then \
		find ltr_core -name '*.nb[ic]' -delete; echo "$$now" > .venv/.stamp-kernels; \
	fi
