"""scripts/check-names on small trees that break one rule each, and on this repository."""
import unittest

from small_tree import ROOT, SmallTree


def own(text):
    """A source that keeps `text` to itself."""
    return "namespace fineprint::store {\nnamespace {\n" + text + "\n}  // namespace\n}\n"


class CheckNames(SmallTree):
    SCRIPT = "check-names"

    def setUp(self):
        super().setUp()
        (self.root / "src").mkdir()

    def breaches_of(self, first, second):
        """What is wrong with two sources of one room."""
        self.write("src/store/a.cpp", first)
        self.write("src/store/b.cpp", second)
        return self.breaches()

    def assert_clash(self, name, first, second):
        self.assertEqual(self.breaches_of(first, second),
                         [f"src/store/b.cpp:3: {name} is also src/store/a.cpp's own (line 3)"])

    def test_names_of_their_own_pass(self):
        self.assertEqual(self.breaches_of(own("int f() { return 1; }\nconstexpr int kA = 1;"),
                                          own("int g() { return 1; }\nconstexpr int kB = 1;")), [])

    def test_functions(self):
        self.assert_clash("f", own("int f() { return 1; }"), own("int f(long x) { return x; }"))

    def test_functions_with_prefixes(self):
        self.assert_clash("f", own("template <class T, int n = (1 > 0)> [[nodiscard]] inline T f(T x);"),
                          own('extern "C" void f(int) {}'))

    def test_functions_behind_constructors_and_operators(self):
        odd = own("struct A { A(); int x; };\nbool operator==(A a, A b) { return a.x == b.x; }\n"
                  "A::A() : x{1} { int y{2}; }\nvoid f() {}")
        self.write("src/store/a.cpp", odd)
        self.write("src/store/b.cpp", own("void f() {}"))
        self.assertEqual(self.breaches(),
                         ["src/store/b.cpp:3: f is also src/store/a.cpp's own (line 6)"])

    def test_overloads_of_one_source_pass(self):
        self.assertEqual(self.breaches_of(own("void f(int);\nvoid f(long);"), own("void g();")), [])

    def test_constants_in_a_named_namespace(self):
        self.assert_clash("kA", "namespace fineprint::store {\n\nconstexpr int kA = 1;\n}",
                          own("const std::map<int, long> kA = {{1, 2}};"))

    def test_second_declarators(self):
        self.assert_clash("b", own("int a = f(1, 2), b = 2;"), own("double b{3};"))

    def test_static_functions(self):
        self.assert_clash("f", "\n\nstatic void f() {}", own("int f;"))

    def test_types_and_enumerators(self):
        self.assert_clash("A", own("struct A { int kB; };"), own("enum class A { kB };"))
        self.assert_clash("kB", own("enum C { kB, kD = (1, 2) };"), own("int kB;"))

    def test_aliases(self):
        self.assert_clash("Guard", own("using Guard = int;"), own("using Guard = long;"))
        self.assertEqual(self.breaches_of(own("using Guard = int;"), own("using Guard = int;")), [])

    def test_functions_with_linkage_are_the_linkers_care(self):
        self.assertEqual(self.breaches_of("namespace fineprint::store {\nvoid f() {}\n}",
                                          "namespace fineprint::store {\nvoid f(int) {}\n}"), [])

    def test_macros(self):
        self.assertEqual(self.breaches_of("#define A 1\n", "\n#define A \\\n  2\n"),
                         ["src/store/b.cpp:2: A is also src/store/a.cpp's own (line 1)"])
        self.assertEqual(self.breaches_of("#define A 1\n#undef A", "#define A 2\n"), [])

    def test_a_call_that_would_find_a_neighbours_function(self):
        self.assertEqual(self.breaches_of(own("int open(int x) { return x; }"),
                                          own("int g() {\n  return a && open(2);\n}")),
                         ["src/store/b.cpp:4: uses open, which is src/store/a.cpp's own (line 3)"])

    def test_a_name_with_its_owner_is_no_neighbours(self):
        self.assertEqual(self.breaches_of(
            own("int open(int x) { return x; }"),
            own("int g(std::string* open) {\n  ::open(1);\n  file.open(2);\n  return *open;\n}")), [])

    def test_text_and_comments_are_no_code(self):
        self.assertEqual(self.breaches_of(
            own('// int f();\n/* int f(); */ const char* a = "int f();"; const char* b = R"(}})";'),
            own("int f() { return '\"' + 1'000; }")), [])

    def test_functions_of_headers(self):
        self.write("src/store/a.h", "namespace fineprint::store {\nint f(int);\n}")
        self.write("include/fineprint/core/b.h", "namespace fineprint {\ninline int g() { return 1; }\n}")
        self.assertEqual(self.breaches_of(own("int f(long);"), own("int g(long);")), [
            "src/store/a.cpp:3: f is also src/store/a.h's",
            "src/store/b.cpp:3: g is also include/fineprint/core/b.h's"])

    def test_types_of_headers(self):
        self.write("src/store/a.h", "namespace fineprint::store {\nstruct A;\nstruct B;\n}")
        self.assertEqual(self.breaches_of("namespace fineprint::store {\nstruct A {};\n}",
                                          own("using B = int;")),
                         ["src/store/b.cpp:3: B is also src/store/a.h's"])

    def test_whole_namespaces(self):
        self.assertEqual(self.breaches_of(own("using namespace std;"),
                                          own("using namespace std::string_view_literals;")),
                         ["src/store/a.cpp:3: takes in std for all sources of its unit"])

    def test_rooms_share_no_units(self):
        self.write("src/store/a.cpp", own("void f();"))
        self.write("src/text/a.cpp", own("void f();"))
        self.assertEqual(self.breaches(), [])

    def test_folders_of_a_room_share_units(self):
        self.write("src/store/a.cpp", own("void f();"))
        self.write("src/store/deep/b.cpp", own("void f();"))
        self.assertEqual(self.breaches(),
                         ["src/store/deep/b.cpp:3: f is also src/store/a.cpp's own (line 3)"])

    def test_sources_apart(self):
        self.write("src/store/a.cpp", own("void f();"))
        self.write("src/store/kernels/b.cpp", own("void f();"))
        self.write("scripts/apart.txt", "# kernels\nsrc/store/kernels/*.cpp\n")
        self.assertEqual(self.breaches(), [])
        self.write("scripts/apart.txt", "src/store/kernels/*.cpp\n\nsrc/gone/*.cpp\n")
        self.assertEqual(self.breaches(), ["scripts/apart.txt:3: no file is called src/gone/*.cpp"])

    def test_a_broken_folder_is_named(self):
        code, _, errors = self.check(self.root / "absent")
        self.assertEqual(code, 2)
        self.assertIn("holds no src", errors)

    def test_this_repository(self):
        self.assertEqual(self.check(ROOT), (0, [], ""))


if __name__ == "__main__":
    unittest.main()
