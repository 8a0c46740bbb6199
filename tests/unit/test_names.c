/* Names of symbols: demangled, made comparable across builds, told apart by file and kernel. */
#include "unit.h"

#include "profile/names.h"
#include "profile/stacks.h"

TEST(symbols_are_demangled)
{
	static const struct { const char *raw, *shown; } cases[] = {
		/* C++ */
		{ "_ZNK4PolyILi5EE4areaEv", "Poly<5>::area() const" },
		{ "_ZN3foo3barEi.constprop.0.isra.1", "foo::bar(int) [clone .constprop.0] [clone .isra.1]" },
		{ "_ZN3foo3barEi.__uniq.12.llvm.ABC", "foo::bar(int) [clone .__uniq.12.llvm.ABC]" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi@@GLIBCXX_3.4", "std::vector<int, std::allocator<int> >::push_back(int&&)"
		  "@@GLIBCXX_3.4" },
		{ "_ZdlPv@plt", "operator delete(void*)@plt" },
		{ "_GLOBAL__I__ZN3foo3barEi", "global constructors keyed to foo::bar(int)" },
		{ "_ZN12_GLOBAL__N_13hotEv", "(anonymous namespace)::hot()" },
		/* Rust, legacy and v0 */
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt" },
		{ "_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE.llvm.123",
		  "<T as core::convert::Into<U>>::into" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
		/* D */
		{ "_D3std5stdio7writelnFZv", "std.stdio.writeln()" },
		{ "_Dmain", "D main" },
		/* not mangled */
		{ "main", "main" }, { "", "" }, { "_", "_" }, { "_Z", "_Z" }, { "_R", "_R" }, { "_D", "_D" }, { "_ZN", "_ZN" },
		{ "[unknown]", "[unknown]" },
		{ "my__c__name", "my__c__name" }, { "__libc_start_main", "__libc_start_main" }, { "system__x", "system__x" },
		{ "_Zfoo", "_Zfoo" }, { "_ZN3fooE@plt.x", "foo@plt.x" }, { "_Rust", "_Rust" }, { "_Draw", "_Draw" },
		{ "intel_check_word.constprop.0", "intel_check_word.constprop.0" },
		{ "operator->", "operator->" }, { "foo(bar (*)(int))", "foo(bar (*)(int))" },
		{ "a\x1b[31m\x01", "a\x1b[31m\x01" }, { "\xff\xfe", "\xff\xfe" },
		{ "JS:*f /srv/x.js:10:5", "JS:*f /srv/x.js:10:5" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		strbuf_adds(&out, "> ");
		name_shown(cases[i].raw, false, &out);
		assert_string_equal(out.buf + 2, cases[i].shown);
	}
}

TEST(ada_is_read_where_there_is_ada)
{
	static const struct { const char *raw, *shown; } cases[] = {
		{ "ada__text_io__put_line", "ada.text_io.put_line" }, { "_ada_main", "main" },
		{ "system__secondary_stack__ss_mark", "system.secondary_stack.ss_mark" }, { "pkg__proc__2", "pkg.proc" },
		{ "__libc_start_main", "__libc_start_main" }, { "Foo__Bar", "Foo__Bar" }, { "_ZN3foo3barEi", "foo::bar(int)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		name_shown(cases[i].raw, true, &out);
		assert_string_equal(out.buf, cases[i].shown);
	}
}

/* Adds pair<int, int>, a pair of two of these, and so on. Every ten bytes double the length of the name. */
static void add_bomb(struct strbuf *out, size_t levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	strbuf_adds(out, "_Z1f4pairIiiE");
	for (size_t i = 0; i < levels; i++)
		strbuf_addf(out, "S_IS%c_S%c_E", digits[i], digits[i]);
}

TEST(hostile_names_stay_as_they_are)
{
	static const char *const pieces[] = { "P", "N1a", "I1a", "Fv", "S_", "_RIC", "1a", "Q", "Qa" };

	for (size_t levels = 5; levels <= 35; levels += 5) {
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, out = STRBUF_INIT;

		add_bomb(&name, levels);
		name_shown(name.buf, false, &out);
		assert_true(out.len <= DEMANGLED_LARGEST);
		assert_int_equal(!strcmp(name.buf, out.buf), levels > 5);
	}
	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
		for (int kind = 0; kind < 6; kind++) {
			CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, out = STRBUF_INIT;

			strbuf_adds(&name, kind % 3 == 0 ? "_Z1f" : kind % 3 == 1 ? "_RIC1a" : "_D1a");
			while (name.len < (kind < 3 ? MANGLED_LARGEST - 10 : 1 << 20))
				strbuf_adds(&name, pieces[i]);
			name_shown(name.buf, false, &out);
			assert_true(out.len <= DEMANGLED_LARGEST || !strcmp(out.buf, name.buf));
		}
}

TEST(names_of_two_builds_compare)
{
	static const struct { const char *shown, *dso, *key; } cases[] = {
		{ "main", "/bin/a", "main" }, { "[unknown]", "/bin/a", "[unknown]" },
		/* copies and parts */
		{ "f.constprop.0", "/bin/a", "f" }, { "f.isra.0", "/bin/a", "f" }, { "f.part.12", "/bin/a", "f" },
		{ "f.cold", "/bin/a", "f" }, { "f.cold.3", "/bin/a", "f" }, { "f.llvm.1234567890", "/bin/a", "f" },
		{ "f.lto_priv.0", "/bin/a", "f" }, { "f.isra.0.cold", "/bin/a", "f" }, { "f.constprop.0.isra.1.part.2", "/bin/a", "f" },
		{ "f.__uniq.77.llvm.5", "/bin/a", "f" }, { "foo::bar(int) [clone .constprop.0] [clone .isra.1]", "/bin/a", "foo::bar(int)" },
		{ "foo::bar(int) [clone .__uniq.12.llvm.ABC]", "/bin/a", "foo::bar(int)" },
		/* numbers that Java and .NET generate */
		{ "com/App$$Lambda$14/0x0000000800c03000.apply", "", "com/App$$Lambda.apply" },
		{ "com/App$$Lambda/0x00007f1234567890.apply", "", "com/App$$Lambda.apply" },
		{ "com/App$$Lambda$1/1831932724::run", "", "com/App$$Lambda::run" },
		{ "com/App$$Lambda+0x0000000800c03000::run", "", "com/App$$Lambda::run" },
		{ "com/Hidden+0x0000000800c03000.f", "", "com/Hidden.f" }, { "com/Hidden/0x0000000800c03000", "", "com/Hidden" },
		{ "java/lang/invoke/LambdaForm$MH/0x0000000800c03000.invoke", "", "java/lang/invoke/LambdaForm$MH.invoke" },
		{ "java/lang/invoke/LambdaForm$DMH/1234567.invoke", "", "java/lang/invoke/LambdaForm$DMH.invoke" },
		{ "jdk/internal/reflect/GeneratedMethodAccessor120.invoke", "", "jdk/internal/reflect/GeneratedMethodAccessor.invoke" },
		{ "com/sun/proxy/$Proxy12.call", "", "com/sun/proxy/$Proxy.call" }, { "$ProxyFactory.get2", "", "$ProxyFactory.get2" },
		{ "x_[j]", "", "x" }, { "x_[0]", "", "x" }, { "_[k]", "", "_[k]" }, { "x_[kk]", "", "x_[kk]" },
		{ "[App] App.Main(string[])[OptimizedTier1]", "", "[App] App.Main(string[])" }, { "f[Tier0]", "", "f" },
		{ "f[QuickJitted]", "", "f" }, { "a[int]", "", "a[int]" }, { "[Tier0]", "", "[Tier0]" },
		{ "[main tid=123]", "", "[main]" }, { "[GC Thread#1 tid=9]", "", "[GC Thread#1]" }, { "[x tid=]y]", "", "[x tid=]y]" },
		{ "f+0x1f", "", "f+0x1f" },
		/* but not names chosen by people */
		{ "f.1", "/bin/a", "f.1" }, { "f.partial", "/bin/a", "f.partial" }, { "cold", "/bin/a", "cold" }, { ".cold", "/bin/a", ".cold" },
		{ "main.func1", "/bin/go", "main.func1" }, { "net/http.(*Client).Do", "/bin/go", "net/http.(*Client).Do" },
		{ "f[abi:cxx11]()", "/bin/a", "f[abi:cxx11]()" }, { "[clone .x]", "/bin/a", "[clone .x]" },
		/* versions, but not the stub of a call */
		{ "__libc_start_main@@GLIBC_2.34", "/lib/libc.so.6", "__libc_start_main" }, { "f@GLIBC_2.2.5", "/lib/libc.so.6", "f" },
		{ "f@plt", "/bin/a", "f@plt" }, { "f@host", "/bin/a", "f@host" }, { "@@V", "/bin/a", "@@V" }, { "f@", "/bin/a", "f@" },
		/* Rust */
		{ "core::iter::from_iter::h0123456789abcdef", "/bin/a", "core::iter::from_iter" },
		{ "<Vec<T> as FromIterator<fn() -> i32>>::from_iter::h0123456789abcdef.cold", "/bin/a",
		  "<Vec<T> as FromIterator<fn() -> i32>>::from_iter" },
		{ "x::h0123456789abcde", "/bin/a", "x::h0123456789abcde" }, { "x::h0123456789abcdeG", "/bin/a", "x::h0123456789abcdeG" },
		{ "::h0123456789abcdef", "/bin/a", "::h0123456789abcdef" },
		/* engines */
		{ "LazyCompile:*foo /srv/app (x)/index.js:10:5", "/tmp/perf-99.map", "JS:foo index.js" },
		{ "JS:~foo /other/index.js:11:7", "/tmp/perf-98.map", "JS:foo index.js" }, { "JS:^foo index.js:1", "", "JS:foo index.js" },
		{ "JS:^ node:internal/crypto/hash:81:3", "", "JS: hash:81:3" }, { "JS:*f", "", "JS:f" }, { "JS:", "", "JS:" },
		{ "JS:* /srv/work.js:5:86", "", "JS: work.js:5:86" }, { "Script:~ work.js:1:1", "", "JS: work.js:1:1" },
		{ "Function:+f /x.js:3:4", "", "JS:f x.js" }, { "RegExp:(a|b)\\s+\"x\"", "", "RegExp:(a|b)\\s+\"x\"" },
		{ "py::loads:/usr/lib/python3.12/json/__init__.py", "", "py::loads:__init__.py" }, { "py::", "", "py::" },
		/* addresses */
		{ "thunk_0x7f12ab34_x", "", "thunk_0x_x" }, { "f<0x10>", "", "f<0x10>" }, { "0xffffffff81000001", "", "0x" },
		{ "0x", "", "0x" },
		/* the kernel's own work is one symbol; its work for the program is not */
		{ "finish_task_switch.isra.0", "[kernel.kallsyms]", "[kernel]" }, { "schedule", "[kernel.kallsyms]", "[kernel]" },
		{ "asm_sysvec_apic_timer_interrupt", "[kernel.kallsyms]", "[kernel]" }, { "__schedule", "/usr/lib/debug/boot/vmlinux-6.1", "[kernel]" },
		{ "update_sd_lb_stats.constprop.0", "[kernel.kallsyms]", "[kernel]" }, { "irqentry_exit_to_user_mode", "[kernel.kallsyms]", "[kernel]" },
		{ "handle_softirqs", "[guest.kernel.kallsyms]", "[kernel]" }, { "try_to_wake_up", "[kernel.kallsyms]", "[kernel]" },
		{ "do_syscall_64", "[kernel.kallsyms]", "do_syscall_64" }, { "asm_exc_page_fault", "[kernel.kallsyms]", "asm_exc_page_fault" },
		{ "schedule_page", "[kernel.kallsyms]", "schedule_page" }, { "net_rx_action", "[kernel.kallsyms]", "net_rx_action" },
		{ "do_execveat_common.isra.0", "[kernel.kallsyms]", "do_execveat_common" },
		{ "schedule", "/bin/a", "schedule" }, { "try_to_wake_up", "[vdso]", "try_to_wake_up" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		strbuf_adds(&out, "> ");
		name_comparable(cases[i].shown, cases[i].dso, &out);
		assert_string_equal(out.buf + 2, cases[i].key);
	}
}

TEST(files_have_names)
{
	static const struct { const char *path, *name; bool kernel; } cases[] = {
		{ "/usr/lib/x86_64-linux-gnu/libc.so.6", "libc.so.6", false }, { "/tmp/my dir/prog", "prog", false },
		{ "/bin/a (deleted)", "a", false }, { "prog", "prog", false }, { "", "", false }, { "[unknown]", "", false },
		{ "inlined", "", false }, { "/", "/", false }, { "[vdso]", "[vdso]", false }, { "[vsyscall]", "[vsyscall]", false },
		{ "[kernel.kallsyms]", "[kernel]", true }, { "[guest.kernel.kallsyms]", "[kernel]", true },
		{ "/usr/lib/debug/boot/vmlinux-6.1.0", "[kernel]", true }, { "/opt/vmlinux-to-elf", "vmlinux-to-elf", false },
		{ "[JIT app cache]", "[JIT app cache]", false }, { "[JIT] tid 17", "[jit]", false }, { "[sigpage]", "[sigpage]", false }, { "[ext4]", "[ext4]", true },
		{ "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", "[ext4]", true }, { "/lib/modules/6.1.0/virtio-net.ko.xz", "[virtio_net]", true },
		{ "bpf_prog_6deef7357e7b4530_sd_fw", "[bpf]", true }, { "/tmp/perf-22511.map", "[jit]", false },
		{ "/tmp/jitted-77-1.so", "[jit]", false }, { "//anon", "[jit]", false }, { "/memfd:jit (deleted)", "[jit]", false },
		{ "/tmp/perf-x.map", "perf-x.map", false }, { "/tmp/perf-.map", "perf-.map", false }, { "[heap]", "[heap]", false },
		{ "/usr/lib/libkoala.kox", "libkoala.kox", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		name_of_dso(cases[i].path, &out);
		assert_string_equal(out.buf, cases[i].name);
		assert_int_equal(dso_is_kernel(cases[i].path), cases[i].kernel);
	}
}

TEST(parameters_are_left_out)
{
	static const struct { const char *name, *plain; } cases[] = {
		{ "app::parse(int)", "app::parse" }, { "app::parse(int) const", "app::parse" }, { "main", "main" }, { "", "" },
		{ "Foo::operator()(int, void (*)(int))", "Foo::operator()" }, { "f(a(b), c)", "f" },
		{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" }, { "(anonymous namespace)::f", "(anonymous namespace)::f" },
		{ "(f)", "(f)" }, { "f)", "f)" }, { "x(y)z", "x(y)z" }, { "f() [clone .cold]", "f" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		name_without_parameters(cases[i].name, &out);
		assert_string_equal(out.buf, cases[i].plain);
	}
}

TEST(a_sentence_has_a_short_name)
{
	static const struct { const char *name, *brief; } cases[] = {
		{ "spin", "spin" }, { "void f<int>(int)", "void f<int>(int)" },
		{ "route::farthest[abi:cxx11](route::Graph const&, unsigned long)", "route::farthest" },
		{ "Heap<unsigned int, unsigned int>::push(unsigned int)", "Heap::push" },
		{ "route::Time::of(route::Edge const&) const", "route::Time::of" },
		{ "a_name_of_c_that_is_longer_than_thirty_two_bytes", "a_name_of_c_that_is_longer_than_thirty_two_bytes" },
		{ "unsigned long app::Table<std::__cxx11::basic_string<char>, unsigned long, std::vector>::sum<app::By>(app::By&&) const",
		  "app::Table::sum" },
		{ "bool app::operator< <std::pair<long long, long long>, std::allocator<char> >(app::Key const&, app::Key const&)",
		  "app::operator< <std::pair<long long, long long>, std::allocator<..." },
		{ "<alloc::vec::Vec<a::very::long::name::Item> as a::very::long::name::Trait>::go",
		  "<alloc::vec::Vec as a::very::long::name::Trait>::go" },
		{ "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\303\251",
		  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		name_brief(cases[i].name, &out);
		assert_string_equal(out.buf, cases[i].brief);
	}
}

static uint32_t add(struct stacks *stacks, const char *name, const char *dso)
{
	return stacks_frame(stacks, stacks_string(stacks, name, strlen(name)), stacks_string(stacks, dso, strlen(dso)));
}

TEST(a_profile_is_named)
{
	static const struct { const char *name, *dso, *shown, *key; } cases[] = {
		{ "_ZN3foo3barEi.cold", "/bin/cpp", "foo::bar(int) [clone .cold]", "foo::bar(int)" },
		{ "my__c__name", "/bin/cpp", "my__c__name", "my__c__name" },
		{ "_ada_main", "/bin/ada", "main", "main" },
		{ "pkg__proc__2", "/bin/ada", "pkg.proc", "pkg.proc" },
		{ "", "/bin/cpp", "", "" },
		{ "schedule", "[kernel.kallsyms]", "schedule", "[kernel]" },
	};
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(add(&stacks, cases[i].name, cases[i].dso), i);
	for (int again = 0; again < 2; again++) {
		names_resolve(&stacks);
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			assert_string_equal(stacks_frame_shown(&stacks, (uint32_t)i), cases[i].shown);
			assert_string_equal(stacks_text(&stacks, stacks.frames[i].key), cases[i].key);
		}
	}
}

TEST(names_take_bounded_memory)
{
	enum { LARGE = 257 << 20 };
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf large = STRBUF_INIT;

	assert_int_equal(add(&stacks, "_ZN3foo3barEi", "/bin/a"), 0);
	names_resolve(&stacks);
	strbuf_pad(&large, 'x', LARGE);
	stacks_string(&stacks, large.buf, large.len);
	assert_int_equal(add(&stacks, "_ZN3foo3bazEi", "/bin/a"), 1);
	names_resolve(&stacks);
	assert_string_equal(stacks_frame_shown(&stacks, 0), "foo::bar(int)");
	assert_string_equal(stacks_frame_shown(&stacks, 1), "_ZN3foo3bazEi");
}
