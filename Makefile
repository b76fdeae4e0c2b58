# What there is to run. README.md says what each is for.
#
#   make             library, header, pkg-config file and command in build/
#   make deps        what the system lacks (Debian)
#   make venv        .venv: the Python package, and what its tests need
#   make test        build everything, run all tests
#   make check       test, and all else that has to hold: what a change must pass
#   make fuzz        every fuzz target for FUZZTIME
#   make bench       the benchmarks, which print ratios to other readers
#   make demo        one slice of a remote file, by three ways
#   make install     to DESTDIR/PREFIX
#   make clean       remove what the others have made

BUILD    := build
VENV     := .venv
GO       ?= go
PYTHON   ?= python3
PREFIX   ?= /usr/local
FUZZTIME ?= 30s

# Packages that need no cgo, and work on every system.
PORTABLE  := ./core/... ./storage/... ./cmd/...
PLATFORMS := js/wasm linux/arm64 darwin/arm64 windows/amd64

tags       = $(shell scripts/build-tags)
python     = $(VENV)/bin/python

.PHONY: all build library command deps venv test test-go test-python check fmt vet portable race cgo-free 386 \
	fuzz bench demo install clean

all: build
build: library command

# The go command knows what has changed: it is always asked.
library:
	scripts/build-library $(BUILD)

command:
	$(GO) build -trimpath -tags "$(tags)" -ldflags "-s -w" -o $(BUILD)/clawh5 ./cmd/clawh5

deps:
	scripts/deps

venv: $(VENV)/ready
$(VENV)/ready: scripts/requirements.txt scripts/venv python/pyproject.toml | deps library
	scripts/venv $(PYTHON) $(VENV)

# --------------------------------------------------------------------- tests

test: deps build test-go test-python

test-go: library
	CLAWH5_BUILD=$(CURDIR)/$(BUILD) $(GO) test -tags "$(tags)" ./...

test-python: build venv
	$(python) -m pytest -q python/tests

check: deps build fmt vet portable race cgo-free 386 test-python

fmt:
	@unformatted=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	[ -z "$$unformatted" ] || { echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; }

vet:
	$(GO) vet -tags "$(tags)" ./...
	CGO_ENABLED=0 $(GO) vet $(PORTABLE)

portable:
	@set -e; for platform in $(PLATFORMS); do \
		echo "build for $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build $(PORTABLE); \
	done

# The layer table, the fuzz seeds and the C programs are among these tests.
race: library
	CLAWH5_BUILD=$(CURDIR)/$(BUILD) $(GO) test -race -tags "$(tags)" ./...

cgo-free:
	CGO_ENABLED=0 $(GO) test $(PORTABLE)

386:
	CGO_ENABLED=0 GOARCH=386 $(GO) test $(PORTABLE)

# ---------------------------------------------------------------------- more

fuzz:
	scripts/fuzz $(FUZZTIME)

bench: build venv
	$(python) bench/bench.py

demo: deps build venv
	$(python) examples/demo.py

install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 755 $(BUILD)/clawh5 $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/include/clawh5.h $(DESTDIR)$(PREFIX)/include/
	install -m 755 $(BUILD)/libclawh5.so $(DESTDIR)$(PREFIX)/lib/
	scripts/pkgconfig '$(PREFIX)' '$${prefix}/lib' '$${prefix}/include' > $(DESTDIR)$(PREFIX)/lib/pkgconfig/clawh5.pc

clean:
	rm -rf $(BUILD) $(VENV)
