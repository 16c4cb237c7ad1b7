// Tests of numbers that are written within bounds, against all short texts.
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "grammar/number_state.h"
#include "grammar/token_trie.h"

namespace fineprint::grammar {
namespace {

WritableNumbers range_of(bool is_integer, std::optional<double> low, std::optional<double> high) {
  SchemaNode node;
  node.kind = is_integer ? SchemaKind::integer : SchemaKind::number;
  node.minimum = low;
  node.maximum = high;
  return writable_numbers(node).value();
}

// Whether `text` is a number as JSON writes it, without exponent and minus zero, in range.
bool is_number_in(const std::string& text, bool is_integer, double low, double high) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t digits = text.find_first_not_of("0123456789", at);
  const std::size_t end = digits == std::string::npos ? text.size() : digits;
  if (end == at || (text[at] == '0' && end > at + 1)) return false;
  if (end < text.size()) {
    if (is_integer || text[end] != '.' || end + 1 == text.size()) return false;
    if (text.find_first_not_of("0123456789", end + 1) != std::string::npos) return false;
  }
  const double value = std::stod(text);
  return value >= low && value <= high && !(at == 1 && value == 0);
}

// Walks all texts of at most `length` bytes; what is taken must be exactly the beginnings of
// numbers, and the fewest bytes to one must be told rightly when they fit into the length.
void compare_with_all_texts(bool is_integer, double low, double high, std::size_t length) {
  const WritableNumbers range = range_of(is_integer, low, high);
  const std::function<std::size_t(const std::string&, const NumberState*)> visit =
      [&](const std::string& text, const NumberState* state) -> std::size_t {
    std::size_t nearest = is_number_in(text, is_integer, low, high) ? 0 : 99;
    const bool fits = nearest == 0;
    if (text.size() < length) {
      for (const char byte : std::string_view("-.0123456789")) {
        NumberState next = state == nullptr ? NumberState() : *state;
        const bool taken =
            state != nullptr && add_byte(static_cast<std::uint8_t>(byte), range, &next);
        nearest = std::min(nearest, 1 + visit(text + byte, taken ? &next : nullptr));
      }
    }
    if (state == nullptr) {
      EXPECT_FALSE(fits) << text << " in " << low << ".." << high;
    } else if (nearest < 99) {
      EXPECT_EQ(bytes_to_number(*state, range), nearest) << text << " in " << low << ".." << high;
    } else {
      EXPECT_GT(bytes_to_number(*state, range), length - text.size()) << text;
    }
    return nearest;
  };
  const NumberState start;
  visit("", &start);
}

TEST(NumberState, WritesExactlyTheIntegersInRange) {
  for (const auto& [low, high] : {std::pair(1, 5),
                                  {0, 0},
                                  {0, 1},
                                  {-3, 12},
                                  {-1, -1},
                                  {10, 10},
                                  {7, 103},
                                  {-250, -99},
                                  {99, 1000},
                                  {-1000, 1000}}) {
    compare_with_all_texts(true, low, high, 5);
  }
}

TEST(NumberState, WritesExactlyTheNumbersInRange) {
  for (const auto& [low, high] : {std::pair(0.25, 0.5),
                                  {0, 1},
                                  {-0.5, 0},
                                  {-1.25, -0.75},
                                  {0.001, 0.002},
                                  {9.5, 10.25},
                                  {100, 101},
                                  {-20, 20}}) {
    compare_with_all_texts(false, low, high, 5);
  }
}

TEST(NumberState, BoundsThatAreNoDecimalsHoldAsDoubles) {
  const WritableNumbers tenths = range_of(false, 0.1, 0.3);
  EXPECT_EQ(tenths.low, 100'000);
  EXPECT_EQ(tenths.high, 300'000);
  const WritableNumbers thirds = range_of(false, 1.0 / 3, 2.0 / 3);
  EXPECT_EQ(thirds.low, 333'334);
  EXPECT_EQ(thirds.high, 666'666);
  const WritableNumbers halves = range_of(true, -1.5, 1.5);
  EXPECT_EQ(halves.low, -1);
  EXPECT_EQ(halves.high, 1);
}

TEST(NumberState, HasAMostNumberOfDigits) {
  for (const bool is_integer : {true, false}) {
    const WritableNumbers range = range_of(is_integer, std::nullopt, std::nullopt);
    NumberState state;
    std::string text;
    for (const char byte : std::string("-9999999999999999")) {
      if (add_byte(static_cast<std::uint8_t>(byte), range, &state)) text += byte;
    }
    EXPECT_EQ(text.size(), is_integer ? 16U : 10U);
    EXPECT_EQ(can_grow(state, range), !is_integer);
    for (const char byte : std::string(".99999999")) {
      if (add_byte(static_cast<std::uint8_t>(byte), range, &state)) text += byte;
    }
    EXPECT_EQ(text, is_integer ? "-999999999999999" : "-999999999.999999");
    EXPECT_FALSE(can_grow(state, range));
    EXPECT_EQ(bytes_to_number(state, range), 0U);
  }
}

}  // namespace
}  // namespace fineprint::grammar
