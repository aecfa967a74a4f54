# Thin front of CMake: every target installs what is missing, builds, and runs.
PRESET  ?= release
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   := build/$(PRESET)
JOBS    ?= $(shell nproc)

.PHONY: all build demo test test-memory test-faults test-kills test-mutations test-threads fuzz \
        fuzz-long coverage bench lint docs-tables site python deb test-packages sbom install clean deps help
all: build

help:
	@echo "make demo         build, and run mgnn on embedded data"
	@echo "make test         build, and run all tests"
	@echo "make test-memory  build, and run every verb with too little memory"
	@echo "make test-faults  fail every system call of many commands, one at a time"
	@echo "make test-kills   kill many commands at N=$(N) random moments, and resume them"
	@echo "make test-mutations  give all commands N=$(N) damaged and forged files"
	@echo "make test-threads all rooms' tests under the thread sanitizer"
	@echo "make fuzz         every parser for a minute; fuzz-long: HOURS=$(HOURS) on end"
	@echo "make coverage     lines and branches that the tests reach"
	@echo "make bench        build, and run the benchmarks"
	@echo "make lint         formatting, table of allowed includes, warnings as errors"
	@echo "make docs-tables  write the tables of docs/ from stored results (RESULTS=results)"
	@echo "make site         the documentation as pages, in build/site"
	@echo "make deb          Debian packages, in dist/; test-packages uses them in a fresh Debian"
	@echo "make sbom         what the tool is made of (CycloneDX), in dist/"
	@echo "make python       one wheel for every Python, in dist/"
	@echo "make install      install below PREFIX=$(PREFIX) (DESTDIR is respected)"
	@echo "make clean        remove build/"

deps:
	@tools/install-deps

build: deps
	@cmake --preset $(PRESET) -DMGNN_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS) --target mgnn_cli

demo: build
	@$(BUILD)/bin/mgnn demo

test: deps
	@tools/install-deps --with-tests
	@cmake --preset $(PRESET) -DMGNN_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@tools/run-tests $(BUILD) -j $(JOBS)

test-memory: build
	@tools/test-memory $(BUILD)/bin/mgnn
	@tests/tools/small_files.py $(BUILD)/bin/mgnn

# Every system call of every command fails once; see tools/faults.
test-faults: build
	@cmake --preset $(PRESET) -DMGNN_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS) --target mgnn_cli fault_injector
	@tools/faults --mgnn $(BUILD)/bin/mgnn --library $(BUILD)/lib/libfault_injector.so

# kill -9 at N random moments; see tools/kill-test.
N ?= 1000
test-kills: build
	@tools/kill-test --mgnn $(BUILD)/bin/mgnn --kills $(N)

test-mutations: build
	@tools/mutations --mgnn $(BUILD)/bin/mgnn --inputs $(N)

test-threads: deps
	@tools/install-deps --with-tests --with-lint
	@tools/test-threads

# Inputs that were tried are added up in fuzz/counts.tsv; those that reach more code join fuzz/corpus.
HOURS ?= 8
fuzz: deps
	@tools/install-deps --with-lint
	@tools/run-fuzz 60
fuzz-long: deps
	@tools/install-deps --with-lint
	@end=$$(($$(date +%s) + $(HOURS) * 3600)); \
	while [ $$(date +%s) -lt $$end ]; do tools/run-fuzz --record 300 || exit 1; done

coverage: deps
	@tools/install-deps --with-tests --with-lint --with-oracles
	@tools/coverage

bench: deps
	@tools/install-deps --with-bench
	@cmake --preset $(PRESET) -DMGNN_BUILD_BENCH=ON -DMGNN_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@for bench in $(BUILD)/bin/*_bench; do echo "== $${bench##*/}"; $$bench || exit 1; done

lint: deps
	@tools/install-deps --with-lint
	@tools/lint

# Only from stored results: nothing is trained, and tables without them stay as they are.
RESULTS ?= results
docs-tables: build
	@tools/measure write
	@tools/kernel-table write
	@for page in $$(grep -l '^<!-- mgnn reproduce' docs/*.md); do \
	  $(BUILD)/bin/mgnn reproduce --stored --results $(RESULTS) --markdown $$page || exit 1; done

site: build
	@tools/install-deps --with-docs
	@cmake --build --preset $(PRESET) -j $(JOBS) --target mgnn_c
	@$(PYTHON) -m sphinx -q -W -b html docs build/site
	@echo "build/site/index.html"

# Of what git knows, in a folder of its own; the clock of the last commit makes them reproducible.
deb: deps
	@tools/install-deps --with-docs --with-packaging
	@rm -rf build/deb && mkdir -p build/deb/mgnn dist
	@git ls-files -z | tar c --null -T - | tar x -C build/deb/mgnn
	@cd build/deb/mgnn && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  DEB_BUILD_OPTIONS="parallel=$(JOBS) $(DEB_BUILD_OPTIONS)" dpkg-buildpackage -b -us -uc >../log 2>&1 || \
	  { tail -n 30 ../log; exit 1; }
	@rm -f dist/*.deb && mv build/deb/*.deb dist/ && ls dist/*.deb

# In a fresh Debian, in a chroot.
test-packages: deps
	@tools/install-deps --with-oracles
	@tools/test-packages dist

sbom: build
	@mkdir -p dist && tools/sbom $(BUILD)/bin/mgnn >dist/mgnn.cdx.json && echo dist/mgnn.cdx.json

# Where patchelf is, the wheel holds all libraries that it needs, and runs on other systems, too.
PYTHON ?= /usr/bin/python3
python: deps
	@rm -rf build/wheel
	@$(PYTHON) -m pip -q wheel --no-deps --no-build-isolation -w build/wheel .
	@mkdir -p dist
	@if command -v patchelf >/dev/null; then $(PYTHON) python/repair_wheel.py build/wheel/*.whl dist; \
	  else cp build/wheel/*.whl dist/ && echo "no patchelf: this wheel is for systems like this one"; fi

install: deps
	@cmake --preset $(PRESET) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DMGNN_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build
