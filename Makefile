# pawl: build, test, install. `make help` lists the targets.
# One Makefile for everything; objects go to build/$(VARIANT).

VERSION := 0.1.0
# Of the last change to man pages.
DATE := 2026-11-29

# ARCH=arm64 makes the static program for that kind of machine, with Debian's cross compiler and a folder of its libraries.
ifeq ($(origin ARCH),command line)
STATIC := 1
TRIPLET := $(or $(shell dpkg-architecture -a$(ARCH) -qDEB_HOST_GNU_TYPE 2>/dev/null),$(error ARCH=$(ARCH): dpkg-architecture (dpkg-dev) knows no such machine))
SYSROOT := $(CURDIR)/build/sysroot-$(ARCH)
CC := $(TRIPLET)-gcc --sysroot=$(SYSROOT)
AR := $(TRIPLET)-ar
PKG_CONFIG := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(TRIPLET)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig pkg-config
endif

CC ?= cc
STRIP ?= $(or $(patsubst %-gcc,%-strip,$(filter %-gcc,$(CC))),strip)
PKG_CONFIG ?= pkg-config
prefix ?= /usr/local
bindir ?= $(prefix)/bin
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/pawl
DESTDIR ?=
# Of an unpacked source archive, whose .commit git has filled in. COMMIT= leaves it out of the program.
COMMIT ?= $(shell test -e .git && git -c safe.directory='*' rev-parse HEAD 2>/dev/null || sed -n 's/^commit \([0-9a-f]*\)$$/\1/p' .commit)

VARIANT := release
OPTIMISE := -O2 -g
ifeq ($(SAN),1)
VARIANT := san
OPTIMISE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifeq ($(COVERAGE),1)
VARIANT := coverage
OPTIMISE := -O0 -g --coverage
endif
# One program that needs no library but libc. Its bytes do not depend on the folder of the build.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ifeq ($(STATIC),1)
VARIANT := static-$(MACHINE)
OPTIMISE := -O2 -ffile-prefix-map=$(CURDIR)=.
endif

B := build/$(VARIANT)
comma := ,
# What the compiler knows of these; fortifying needs optimisation.
accepts = $(shell $(CC) -Werror $(1) -E -x c /dev/null >/dev/null 2>&1 && echo $(1))
HARDEN := -fPIE -fstack-protector-strong $(call accepts,-fstack-clash-protection) $(call accepts,-fcf-protection=full) \
	$(call accepts,-mbranch-protection=standard)
ifneq ($(filter release static-%,$(VARIANT)$(filter -O0,$(CFLAGS))),)
HARDEN += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
# libiberty is not marked for indirect branch tracking, so the linker says neither; of shadow stacks it may be told.
HARDEN_LD := -pie -Wl,-z,relro,-z,now,-z,noexecstack$(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),$(comma)-z$(comma)shstk)
WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith -Wwrite-strings \
	-Wformat=2 -Wvla -Wundef -Wno-format-nonliteral $(if $(WERROR),-Werror)
MODULES := yaml-0.1 libcjson libdw libelf libpcre2-8 zlib
LIBRARIES := libc6-dev libiberty-dev libyaml-dev libcjson-dev libdw-dev libelf-dev libpcre2-dev zlib1g-dev
PAWL_CPPFLAGS = -D_GNU_SOURCE -DPAWL_VERSION='"$(VERSION)"' -Isrc -include base/banned.h \
	$(shell $(PKG_CONFIG) --cflags $(MODULES)) $(CPPFLAGS)
PAWL_CFLAGS = -std=gnu11 $(OPTIMISE) $(WARN) $(HARDEN) $(CFLAGS)
PAWL_LDLIBS = $(shell $(PKG_CONFIG) --libs $(MODULES)) -liberty -lm $(LDLIBS)
# pkg-config knows what these need in turn, such as libbz2 and liblzma. Debian has no static cJSON, so its source is built.
STATIC_OWN = $(shell $(PKG_CONFIG) --static --libs $(filter-out libcjson,$(MODULES)))
ifeq ($(STATIC),1)
STATIC_CJSON = $(B)/cjson/cJSON.o
PAWL_LDLIBS = -Wl,-Bstatic $(filter-out -lm -pthread -lpthread,$(STATIC_OWN)) -liberty -Wl,-Bdynamic -lm $(LDLIBS)
endif

SRCS := $(sort $(wildcard src/*/*.c src/*/*/*.c))
OBJS := $(SRCS:src/%.c=$(B)/%.o)
UNITS := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BINS := $(UNITS:tests/unit/%.c=$(B)/unit/%)
FUZZERS := $(sort $(wildcard tests/fuzz/fuzz_*.c))

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n'
endif

.PHONY: all help
all: build/pawl ## build pawl (SAN=1 with sanitizers, COVERAGE=1, V=1 shows the commands)

help: ## this list
	@echo 'usage: make [TARGET] [SAN=1] [COVERAGE=1] [V=1] [prefix=/usr/local] [DESTDIR=]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

# Without a library the compiler's error would name a header; this names the way out.
.PHONY: libraries cmocka
libraries: $(SYSROOT)
	$(Q)$(PKG_CONFIG) --exists $(MODULES) || \
		{ echo 'make: libyaml, cJSON, libdw, libelf, PCRE2 or zlib is missing: run `make setup`, or install $(LIBRARIES)' >&2; exit 1; }
cmocka: libraries
	$(Q)$(PKG_CONFIG) --exists cmocka || \
		{ echo 'make: cmocka, which the unit tests need, is missing: run `make setup`, or install libcmocka-dev' >&2; exit 1; }

$(CURDIR)/build/sysroot-%:
	$(say) GET $@
	$(Q)tools/debian.sh packages $* $@ $(LIBRARIES) libbz2-dev libcmocka-dev

# Objects and the program

$(B)/%.o: src/%.c Makefile | libraries
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(PAWL_CPPFLAGS) $(PAWL_CFLAGS) -MMD -MP -c -o $@ $<

# Style sheets, and the script of flame graphs, as text of C; comments stay behind.
vpath %.css src/profile src/report/formats
vpath %.js src/profile
$(B)/embedded/%.inc: % Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's/^[ \t]*//' -e '/^\/\//d' -e '/^$$/d' -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

$(B)/profile/flame_svg.o: $(B)/embedded/flame.css.inc $(B)/embedded/flame.js.inc
$(B)/report/formats/html.o: $(B)/embedded/report.css.inc
$(B)/profile/flame_svg.o $(B)/report/formats/html.o: PAWL_CPPFLAGS += -I$(B)

# Modules that Python targets load, as text of C.
$(B)/embedded/%.py.inc: src/measure/tools/%.py Makefile
	@mkdir -p $(@D)
	$(Q)sed -e '/^ *#/d' -e '/^$$/d' -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

$(B)/measure/tools/python.o: $(B)/embedded/python.py.inc $(B)/embedded/pytest.py.inc
$(B)/measure/tools/python.o: PAWL_CPPFLAGS += -I$(B)

# What shells source, as text of C.
$(B)/embedded/pawl.%.inc: share/completion/pawl.% Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

$(B)/cmd/completion.o: $(patsubst %,$(B)/embedded/pawl.%.inc,bash zsh fish)
$(B)/cmd/completion.o: PAWL_CPPFLAGS += -I$(B)

# What `pawl init` writes, as text of C.
$(B)/embedded/init/%.inc: share/init/% Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

$(B)/cmd/init.o: $(patsubst %,$(B)/embedded/init/%.inc,scenario.yaml service.yaml benchmarks.yaml pawl.yaml workflow.yml gitlab-ci.yml CODEOWNERS)
$(B)/cmd/init.o: PAWL_CPPFLAGS += -I$(B)

# The frames of the reference's pages, as text of C.
$(B)/embedded/reference/%.md.inc: src/cmd/reference/%.md Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

$(B)/cmd/help.o: $(patsubst %,$(B)/embedded/reference/%.md.inc,pawl commands exit-status scenario pawl-yaml metrics result baseline formats)
$(B)/cmd/help.o: PAWL_CPPFLAGS += -I$(B)
$(B)/cmd/reference/page.o $(B)/lint/cmd/reference/page: PAWL_CPPFLAGS += -DPAWL_DATE='"$(DATE)"'

# Written only if it differs, so that a new commit compiles one file.
.PHONY: commit
$(B)/embedded/commit.inc: commit
	@mkdir -p $(@D)
	@echo '"$(COMMIT)"' | cmp -s - $@ || echo '"$(COMMIT)"' >$@

$(B)/cmd/reference/version.o: $(B)/embedded/commit.inc
$(B)/cmd/reference/version.o: PAWL_CPPFLAGS += -I$(B)

$(B)/libpawl.a: $(OBJS) $(STATIC_CJSON)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/cjson/cJSON.c:
	$(say) GET $@
	$(Q)tools/debian.sh source cjson $(@D)

$(B)/cjson/cJSON.o: $(B)/cjson/cJSON.c | libraries
	$(say) CC $<
	$(Q)$(CC) -std=gnu11 $(OPTIMISE) $(HARDEN) $(CFLAGS) -c -o $@ $<

$(B)/pawl: $(B)/main.o $(B)/libpawl.a
	$(say) LD $@
	$(Q)$(CC) $(PAWL_CFLAGS) $(HARDEN_LD) $(LDFLAGS) -o $@ $^ $(PAWL_LDLIBS)

build/pawl: $(B)/pawl
	$(Q)ln -sfn $(VARIANT)/pawl $@

# Tests

# The tests alone are not optimised: that took four fifths of the time to compile them.
UNIT_CFLAGS := -O0 -U_FORTIFY_SOURCE -Wno-unused-parameter

$(B)/unit/%: tests/unit/%.c $(B)/libpawl.a | cmocka
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(PAWL_CPPFLAGS) -Itests/unit $(PAWL_CFLAGS) $(UNIT_CFLAGS) -MMD -MP -o $@ $< $(B)/libpawl.a $(PAWL_LDLIBS) -lcmocka

.PHONY: units
units: cmocka $(UNIT_BINS) $(B)/unit/samples

$(B)/bench/%: tests/bench/%.c $(B)/libpawl.a
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(PAWL_CPPFLAGS) -Itests/unit $(PAWL_CFLAGS) -MMD -MP -o $@ $< $(B)/libpawl.a $(PAWL_LDLIBS)

-include $(OBJS:.o=.d) $(B)/main.d $(UNIT_BINS:=.d) $(B)/unit/samples.d $(B)/bench/noise.d $(B)/bench/made.d

# What people type

.PHONY: setup test test-servers test-pmu test-packages check lint cppcheck codespell guard fuzz mutate bench bench-live bench-benchmarks bench-cause bench-identical demo install uninstall schemas docs pictures clean

setup: ## install what building, testing and the shipped scenarios need (apt; PAWL_NO_INSTALL=1 only prints)
	$(Q)tools/setup.sh build test scenarios

test: setup ## install what is missing, then every test but those of test-servers, test-pmu and test-packages
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all units
	$(Q)B=$(CURDIR)/$(B) tests/run.sh

test-servers: ## install servers without starting them (nginx, redis, PostgreSQL, Slurm), and test with them
	$(Q)tools/setup.sh build servers
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)B=$(CURDIR)/$(B) tests/servers/run.sh

test-pmu: ## hardware counters of this machine, as root, or of machines that PMU_VM emulates (see tests/pmu/README.md)
	$(Q)test -n "$(PMU_VM)" || $(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)B=$(CURDIR)/$(B) tests/pmu/run.sh

test-packages: ## what a release publishes, on both kinds of machine and on a bare Debian; as root, a quarter of an hour
	$(Q)tools/setup.sh build package
	$(Q)tests/packages/run.sh

check: all units ## every test, with what is installed already
	$(Q)B=$(CURDIR)/$(B) tests/run.sh

demo: ## measure, accept a baseline, pass, then catch a real slowdown
	$(Q)tools/setup.sh build scenarios
	$(Q)$(MAKE) --no-print-directory all
	$(Q)PAWL=$(CURDIR)/build/pawl share/demo/demo.sh

bench: ## what pawl itself costs; how far pairs spread by the way they are taken; how often its rule is right, beside others, on recorded noise and, a few minutes, live
	$(Q)tools/setup.sh build bench
	$(Q)$(MAKE) --no-print-directory all $(B)/bench/noise $(B)/bench/made
	$(Q)tests/bench/noise.sh $(B)/bench/noise
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tests/bench/bench.sh
	$(Q)PAWL=$(CURDIR)/$(B)/pawl MADE=$(CURDIR)/$(B)/bench/made tests/bench/spreads.sh
	$(Q)PAWL=$(CURDIR)/$(B)/pawl VERDICTS_AA=$${VERDICTS_AA:-24} VERDICTS_INJECTED=$${VERDICTS_INJECTED:-6} \
		VERDICTS_PEERS_AA=$${VERDICTS_PEERS_AA:-6} VERDICTS_PEERS=$${VERDICTS_PEERS:-2} \
		VERDICTS_TURNS=$${VERDICTS_TURNS:-2} VERDICTS_BUSY=$${VERDICTS_BUSY:-3} tests/bench/verdicts.sh

bench-live: ## the last of these at full size; goes on where it ended (VERDICTS_SECONDS=1100)
	$(Q)tools/setup.sh build bench
	$(Q)$(MAKE) --no-print-directory all
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tests/bench/verdicts.sh

bench-benchmarks: ## a program of 20 benchmarks, unchanged and with one slowed by 5 %, by pawl and by other rules; goes on where it ended (BENCHMARKS_SECONDS=1100)
	$(Q)tools/setup.sh build bench
	$(Q)$(MAKE) --no-print-directory all
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tests/bench/benchmarks.sh

bench-cause: ## how often the function at fault is named first, over slowdowns planted in real programs; goes on where it ended (CASES="NAME...")
	$(Q)tools/setup.sh build bench
	$(Q)$(MAKE) --no-print-directory all
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tests/bench/causes.sh $(CASES)

bench-identical: ## may a different build pass as identical? Over 200 pairs of builds (NAMES="NAME...")
	$(Q)tools/setup.sh build bench
	$(Q)$(MAKE) --no-print-directory all
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tests/bench/identical.sh $(NAMES)

# A file is looked at again when it, or what it includes, has changed. .clang-tidy and tools/cppcheck.txt say what is left out, and why.
TIDY ?= clang-tidy
$(B)/lint/%: src/%.c .clang-tidy $(B)/%.o
	@mkdir -p $(@D)
	$(say) TIDY $<
	$(Q)$(TIDY) --quiet --warnings-as-errors='*' $< -- $(PAWL_CPPFLAGS) -I$(B) -std=gnu11 >$@.said 2>&1 || { cat $@.said; exit 1; }
	$(Q)mv $@.said $@

cppcheck:
	@mkdir -p $(B)/lint/cppcheck
	$(say) CPPCHECK src
	$(Q)cppcheck --quiet --enable=warning,performance,portability --error-exitcode=1 --std=c11 -j$$(nproc) \
		--cppcheck-build-dir=$(B)/lint/cppcheck --suppressions-list=tools/cppcheck.txt -Isrc -I$(B) -D_GNU_SOURCE src

# These words are parts of C strings: "\nin", "%.*sies" and roff's bullet, "\\(bu".
codespell:
	$(say) CODESPELL src docs
	$(Q)codespell --ignore-words-list=nin,sies,bu src README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs

lint: ## clang-tidy and cppcheck over src, codespell over src and the documents; about a minute on two processors
	$(Q)tools/setup.sh build lint
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) $(patsubst src/%.c,$(B)/lint/%,$(SRCS) src/main.c) cppcheck codespell

BASE ?= HEAD~1
guard: all $(B)/unit/samples ## what the program prints and writes, byte by byte beside that of the commit BASE (default HEAD~1)
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tests/guard/guard.sh $(BASE)

FUZZ_SECONDS ?= 10
fuzz: ## the fuzz harnesses of every parser and of the renderers, FUZZ_SECONDS each (needs clang)
	$(Q)tests/fuzz/run.sh $(FUZZ_SECONDS)

# The commands of pawl one after the other in one process.
$(B)/mutate/serve: tests/mutate/serve.c $(B)/main.o $(B)/libpawl.a
	@mkdir -p $(@D)
	$(say) LD $@
	$(Q)objcopy --redefine-sym main=pawl_main $(B)/main.o $(@D)/main.o
	$(Q)$(CC) -D_GNU_SOURCE $(PAWL_CFLAGS) $(LDFLAGS) -o $@ $< $(@D)/main.o $(B)/libpawl.a $(PAWL_LDLIBS)

MUTATIONS ?= 20000
mutate: ## MUTATIONS damaged results, baselines, scenarios and recordings through every command, with sanitizers
	$(Q)$(MAKE) --no-print-directory SAN=1 all build/san/mutate/serve
	$(Q)PAWL=$(CURDIR)/build/san/pawl PAWL_SERVE=$(CURDIR)/build/san/mutate/serve tests/mutate/mutate.py --inputs $(MUTATIONS) $(if $(SEED),--seed $(SEED))

# Man pages come out of the program, which makes them from its tables of options.
bashdir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/site-functions
fishdir = $(datadir)/fish/vendor_completions.d

$(B)/share: $(B)/pawl
	$(say) MAKE $@
	$(Q)rm -rf $@ && mkdir -p $@
	$(Q)$< help --man >$@/pawl.1
	$(Q)for c in $$($< help --all | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'); do $< help --man $$c >$@/pawl-$$c.1 || exit; done
	$(Q)$< help --man scenario >$@/pawl-scenario.5
	$(Q)$< help --man pawl-yaml >$@/pawl.yaml.5
	$(Q)$< help --man result >$@/pawl-result.5
	$(Q)$< help --man metrics >$@/pawl-metrics.7

docs: $(B)/pawl ## rewrite docs/reference from the program's tables and action.yml
	$(Q)for page in scenario pawl-yaml metrics commands result baseline exit-status formats; do $(B)/pawl help --markdown $$page >docs/reference/$$page.md || exit; done
	$(Q)awk -f tools/github/reference.awk action.yml comment/action.yml >docs/reference/action.md

# The JSON Schemas that pawl prints from the tables by which it reads, written to share/.
schemas: $(B)/pawl ## rewrite the JSON Schemas in share/
	$(Q)for name in baseline pawl result scenario; do $(B)/pawl help --schema $$name >share/$$name.schema.json; done

pictures: all ## redraw docs/pictures, with Chromium
	$(Q)PAWL=$(CURDIR)/$(B)/pawl tools/pictures.sh

DOCUMENTS := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE

install: $(B)/pawl $(B)/share ## install to $(DESTDIR)$(prefix): the program, man pages, documents, completions, schemas
	install -d $(addprefix $(DESTDIR),$(bindir) $(datadir)/pawl $(docdir) $(addprefix $(mandir)/,man1 man5 man7) $(bashdir) $(zshdir) $(fishdir))
	install -m 755 $(B)/pawl $(DESTDIR)$(bindir)/pawl
	install -m 644 share/*.schema.json $(DESTDIR)$(datadir)/pawl/
	for n in 1 5 7; do install -m 644 $(B)/share/*.$$n $(DESTDIR)$(mandir)/man$$n/ || exit; done
	install -m 644 $(DOCUMENTS) $(DESTDIR)$(docdir)/
	find docs '(' -name '*.md' -o -name '*.png' ')' -exec install -D -m 644 {} $(DESTDIR)$(docdir)/{} \;
	install -m 644 share/completion/pawl.bash $(DESTDIR)$(bashdir)/pawl
	install -m 644 share/completion/pawl.zsh $(DESTDIR)$(zshdir)/_pawl
	install -m 644 share/completion/pawl.fish $(DESTDIR)$(fishdir)/pawl.fish

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(bindir)/pawl $(DESTDIR)$(mandir)/man[157]/pawl.* $(DESTDIR)$(mandir)/man[157]/pawl-*
	rm -f $(DESTDIR)$(bashdir)/pawl $(DESTDIR)$(zshdir)/_pawl $(DESTDIR)$(fishdir)/pawl.fish
	rm -rf $(DESTDIR)$(datadir)/pawl $(DESTDIR)$(docdir)

# What is published. The bytes depend on the commit and the tools, not on the folder or the time (tests/packages).
DIST := build/dist
NAME := pawl-$(VERSION)

.PHONY: dist static deb sums
dist: ## the source of HEAD as an archive in build/dist
	@mkdir -p $(DIST)
	$(say) TAR $(DIST)/$(NAME).tar.gz
	$(Q)git -c tar.umask=0022 archive --format=tar --prefix=$(NAME)/ HEAD >$(DIST)/$(NAME).tar
	$(Q)gzip -9nf $(DIST)/$(NAME).tar

static: ## one program that needs no library but libc, in build/dist (ARCH=arm64: built here for another machine)
	$(Q)$(MAKE) --no-print-directory STATIC=1 build/static-$(MACHINE)/pawl
	@mkdir -p $(DIST)
	$(say) STRIP $(DIST)/$(NAME)-linux-$(MACHINE)
	$(Q)$(STRIP) -o $(DIST)/$(NAME)-linux-$(MACHINE) build/static-$(MACHINE)/pawl

deb: dist ## a Debian package in build/dist, which lintian accepts
	$(Q)rm -rf build/deb && mkdir -p build/deb && tar -C build/deb -xf $(DIST)/$(NAME).tar.gz
	$(Q)cd build/deb/$(NAME) && unset MAKEFLAGS MAKELEVEL && dpkg-buildpackage -us -uc -b
	$(Q)lintian --fail-on error,warning build/deb/*.changes
	$(Q)cp build/deb/pawl_*.deb $(DIST)/

sums: ## SHA256SUMS of what build/dist holds
	$(Q)cd $(DIST) && rm -f SHA256SUMS && sha256sum * >../SHA256SUMS && mv ../SHA256SUMS .

clean: ## remove build/
	rm -rf build
