// Numbers as Python reads, writes and rounds them; the expected values are Python's.
#include <cmath>

#include <gtest/gtest.h>

#include "metrics/python/numbers.h"
#include "metrics/python/text.h"
#include "metrics/python/value.h"

namespace fineprint::metrics::python {
namespace {

TEST(PythonNumbers, Floats) {
  EXPECT_EQ(parse_float(" 1.5 "), 1.5);
  EXPECT_EQ(parse_float("1_000.5e-1"), 100.05);
  EXPECT_EQ(parse_float("+.5"), 0.5);
  EXPECT_EQ(parse_float("5."), 5);
  EXPECT_EQ(parse_float("-Infinity"), -INFINITY);
  EXPECT_EQ(parse_float("1e999"), INFINITY);
  EXPECT_EQ(parse_float("1e-999"), 0);
  EXPECT_EQ(parse_float("\xEF\xBC\x91\xEF\xBC\x92"), 12);  // full-width digits
  EXPECT_TRUE(std::isnan(*parse_float("NaN")));
  for (const char* text : {"", " ", ".", "1,5", "1 5", "1__0", "_1", "1_", "1e", "0x10", "5%",
                           "--1", "1e5.0", "in f"}) {
    EXPECT_EQ(parse_float(text), std::nullopt) << text;
  }
}

TEST(PythonNumbers, Integers) {
  EXPECT_EQ(parse_int(" -007 "), "-7");
  EXPECT_EQ(parse_int("-0"), "0");
  EXPECT_EQ(parse_int("+1_000"), "1000");
  EXPECT_EQ(parse_int("123456789012345678901234567890"), "123456789012345678901234567890");
  for (const char* text : {"", "1.0", "1e3", "1,000", "- 1", "0x1"}) {
    EXPECT_EQ(parse_int(text), std::nullopt) << text;
  }
}

TEST(PythonNumbers, ProductsFitOrNot) {
  const Integer two_to_63 = Integer{1} << 63, most = ~(Integer{1} << 127), least = -most - 1;
  const auto product = [](Integer a, Integer b) {
    Integer out = 0;
    return multiply(a, b, &out) ? integer_text(out) : "none";
  };
  EXPECT_EQ(product(0, least), "0");
  EXPECT_EQ(product(least, 0), "0");
  EXPECT_EQ(product(-7, 6), "-42");
  EXPECT_EQ(product(-7, -6), "42");
  EXPECT_EQ(product(most, -1), "-170141183460469231731687303715884105727");
  EXPECT_EQ(product(least, 1), "-170141183460469231731687303715884105728");
  EXPECT_EQ(product(two_to_63, -2 * two_to_63), "-170141183460469231731687303715884105728");
  EXPECT_EQ(product(two_to_63, 2 * two_to_63), "none");
  EXPECT_EQ(product(least, -1), "none");
  EXPECT_EQ(product(-1, least), "none");
  EXPECT_EQ(product(least, least), "none");
  EXPECT_EQ(product(most, 2), "none");
}

TEST(PythonNumbers, Truncated) {
  EXPECT_EQ(truncated(8.9), "8");
  EXPECT_EQ(truncated(-8.9), "-8");
  EXPECT_EQ(truncated(-0.5), "0");
  EXPECT_EQ(truncated(1e22), "10000000000000000000000");
  EXPECT_EQ(truncated(INFINITY), std::nullopt);
  EXPECT_EQ(truncated(NAN), std::nullopt);
}

TEST(PythonNumbers, Repr) {
  EXPECT_EQ(float_repr(1), "1.0");
  EXPECT_EQ(float_repr(-0.0), "-0.0");
  EXPECT_EQ(float_repr(0.1), "0.1");
  EXPECT_EQ(float_repr(1e16), "1e+16");
  EXPECT_EQ(float_repr(123456789012345.0), "123456789012345.0");
  EXPECT_EQ(float_repr(0.0001), "0.0001");
  EXPECT_EQ(float_repr(0.00001), "1e-05");
  EXPECT_EQ(float_repr(NAN), "nan");
}

TEST(PythonNumbers, Rounding) {
  EXPECT_EQ(round_to(2.675, 2), 2.67);  // the double lies below
  EXPECT_EQ(round_to(0.125, 2), 0.12);  // a tie goes to the even digit
  EXPECT_EQ(round_to(0.375, 2), 0.38);
  EXPECT_EQ(round_to(-1.005, 2), -1.0);
  EXPECT_EQ(round_to(INFINITY, 2), INFINITY);
  EXPECT_EQ(scaled_round(2.675, 2), 2.68);  // which numpy gives
}

TEST(PythonText, Strips) {
  EXPECT_EQ(strip("\t\xC2\xA0 a b \xE3\x80\x80\x1F"), "a b");
  EXPECT_EQ(strip(" \n"), "");
  EXPECT_EQ(strip_right("team", "meters"), "tea");
  EXPECT_EQ(strip_left("$$5$", "$"), "5$");
  EXPECT_EQ(length("d\xC3\xA9j\xC3\xA0"), 4U);
}

}  // namespace
}  // namespace fineprint::metrics::python
