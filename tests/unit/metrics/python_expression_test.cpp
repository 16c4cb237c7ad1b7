// What Python would make of a text, and where it would stop.
#include <string>

#include <gtest/gtest.h>

#include "metrics/python/expression.h"

namespace fineprint::metrics::python {
namespace {

std::string result(std::string_view source) { return repr(evaluate(source)); }

// The exception's name.
std::string failure(std::string_view source) {
  try {
    return "no error: " + result(source);
  } catch (const Exception& error) {
    const std::string what = error.what();
    return what.substr(0, what.find(':'));
  }
}

TEST(PythonExpression, Literals) {
  EXPECT_EQ(result("None"), "None");
  EXPECT_EQ(result(" True "), "True");
  EXPECT_EQ(result("1_000"), "1000");
  EXPECT_EQ(result("0x1F"), "31");
  EXPECT_EQ(result(".5"), "0.5");
  EXPECT_EQ(result("1e3"), "1000.0");
  EXPECT_EQ(result("00"), "0");
  EXPECT_EQ(result("[1, 'two', (3,), {4: 5}, {6, 6}, []]"), "[1, 'two', (3,), {4: 5}, {6}, []]");
  EXPECT_EQ(result("1,234"), "(1, 234)");
  EXPECT_EQ(result("{}"), "{}");
  EXPECT_EQ(result("5 # of them"), "5");
  EXPECT_EQ(result("[1,\n 2]"), "[1, 2]");
  EXPECT_EQ(result("123456789012345678901234567890123456789012"),
            "123456789012345678901234567890123456789012");
}

TEST(PythonExpression, Strings) {
  EXPECT_EQ(str(evaluate(R"('it\'s')")), "it's");
  EXPECT_EQ(str(evaluate(R"("a\tb\x41\u00e9\101")")),
            "a\tbA\xC3\xA9"
            "A");
  EXPECT_EQ(str(evaluate(R"('a\qb')")), "a\\qb");
  EXPECT_EQ(str(evaluate(R"(r'a\nb')")), "a\\nb");
  EXPECT_EQ(str(evaluate("'''two\nlines'''")), "two\nlines");
  EXPECT_EQ(str(evaluate("'a' \"b\"")), "ab");
  EXPECT_EQ(result(R"("it's")"), R"("it's")");
  EXPECT_EQ(result(R"('it\'s "so"')"), R"('it\'s "so"')");
}

TEST(PythonExpression, Operators) {
  EXPECT_EQ(result("2014-2019"), "-5");
  EXPECT_EQ(result("1/4"), "0.25");
  EXPECT_EQ(result("-7//2"), "-4");
  EXPECT_EQ(result("-7%3"), "2");
  EXPECT_EQ(result("7.5%-2"), "-0.5");
  EXPECT_EQ(result("2**10"), "1024");
  EXPECT_EQ(result("-2**2"), "-4");
  EXPECT_EQ(result("2**-1"), "0.5");
  EXPECT_EQ(result("2**3**2"), "512");
  EXPECT_EQ(result("(1+2)*3"), "9");
  EXPECT_EQ(result("1 < 2 < 3"), "True");
  EXPECT_EQ(result("1 < 2 > 3"), "False");
  EXPECT_EQ(result("3 or 4"), "3");
  EXPECT_EQ(result("3 and 4"), "4");
  EXPECT_EQ(result("not 0"), "True");
  EXPECT_EQ(result("1 if 0 else 2"), "2");
  EXPECT_EQ(result("'a' in 'cat'"), "True");
  EXPECT_EQ(result("'ab' * 2 + 'c'"), "'ababc'");
  EXPECT_EQ(result("[1, 2][-1]"), "2");
  EXPECT_EQ(result("1 == 1.0 == True"), "True");
  EXPECT_EQ(result("6 | 1 ^ 2 & 3 << 1"), "7");
  EXPECT_EQ(result("(-1)**7"), "-1");
}

TEST(PythonExpression, WhereItStops) {
  EXPECT_EQ(failure(""), "SyntaxError");
  EXPECT_EQ(failure("ten"), "NameError");
  EXPECT_EQ(failure("ten people"), "SyntaxError");
  EXPECT_EQ(failure("007"), "SyntaxError");
  EXPECT_EQ(failure("10%"), "SyntaxError");
  EXPECT_EQ(failure("5kg"), "SyntaxError");
  EXPECT_EQ(failure("['a', 'b'"), "SyntaxError");
  EXPECT_EQ(failure("['a'] 5"), "SyntaxError");
  EXPECT_EQ(failure("'open"), "SyntaxError");
  EXPECT_EQ(failure("$5"), "SyntaxError");
  EXPECT_EQ(failure("1\n2"), "SyntaxError");
  EXPECT_EQ(failure("['a'] (about)"), "NameError");
  EXPECT_EQ(failure("['a'] ('b')"), "TypeError");
  EXPECT_EQ(failure("['a', 'b'] ['a', 'b']"), "TypeError");
  EXPECT_EQ(failure("'a' - 1"), "TypeError");
  EXPECT_EQ(failure("1 / 0"), "ZeroDivisionError");
  EXPECT_EQ(failure("[1][1]"), "IndexError");
  EXPECT_EQ(failure("{1: 2}[3]"), "KeyError");
  EXPECT_EQ(failure("{[1]}"), "TypeError");
  EXPECT_EQ(failure("'a'.upper"), "AttributeError");
}

TEST(PythonExpression, HostileTextsEndSoon) {
  EXPECT_EQ(failure("9**9**9"), "OverflowError");
  EXPECT_EQ(failure("9**9**9**9**9"), "OverflowError");
  EXPECT_EQ(failure("1 << 10**30"), "OverflowError");
  // Of 39 digits, which a literal of as many would not equal.
  EXPECT_EQ(failure("9**9*9**9*898*99**9"), "OverflowError");
  EXPECT_EQ(failure("0x7fffffffffffffffffffffffffffffff"), "OverflowError");
  EXPECT_EQ(failure("'a' * 10**9"), "MemoryError");
  EXPECT_EQ(failure("[[0] * 9000] * 9000"), "MemoryError");
  EXPECT_EQ(failure(std::string(100'000, '(')), "MemoryError");
  EXPECT_EQ(failure(std::string(5'000, '-') + "1"), "MemoryError");
  EXPECT_EQ(failure(std::string(5'000, '[') + std::string(5'000, ']')), "MemoryError");
  std::string sum = "1";
  for (int i = 0; i < 4'000; ++i) sum += "+1";
  EXPECT_EQ(result(sum), "4001");
  for (int i = 0; i < 4'000; ++i) sum += "+1";
  EXPECT_EQ(failure(sum), "MemoryError");
}

}  // namespace
}  // namespace fineprint::metrics::python
