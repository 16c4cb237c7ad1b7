// Reads single facts from a GGUF file's metadata and checks each.
#include "models/gguf/gguf_facts.h"

#include <array>
#include <charconv>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

using tensorfile::GgufValue;

std::optional<std::int64_t> as_integer(const GgufValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  const auto* natural = std::get_if<std::uint64_t>(&value);
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  // Writers store sizes as signed or unsigned integers of any width.
  if (natural == nullptr || *natural > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(*natural);
}

// Returns the decimal number that was meant by a double that came from a float. Comparisons with
// configurations need it, because these write 1e-05.
double as_meant(double value) {
  const auto narrow = static_cast<float>(value);
  // Not the value of a float: it was written as a double and is exact.
  if (static_cast<double>(narrow) != value) return value;
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), narrow);
  std::from_chars(digits.data(), written.ptr, value);
  return value;
}

}  // namespace

void GgufFacts::fail(const std::string& key, const std::string& problem) const {
  throw Error(ErrorCode::model, format("{}: {} {}", reader_.path(), key, problem));
}

const GgufValue* GgufFacts::find(const std::string& key) const {
  const auto found = reader_.metadata().find(key);
  return found == reader_.metadata().end() ? nullptr : &found->second;
}

const GgufValue& GgufFacts::present(const std::string& key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) fail(key, "is missing");
  return *value;
}

std::string GgufFacts::text(const std::string& key) const {
  const auto* text = std::get_if<std::string_view>(&present(key));
  if (text == nullptr) fail(key, "is not a string");
  return std::string(*text);
}

std::int64_t GgufFacts::integer(const std::string& key) const {
  const std::optional<std::int64_t> integer = as_integer(present(key));
  if (!integer) fail(key, "is not an integer");
  return *integer;
}

// Accepts integers too, because some writers store a whole factor as one.
double GgufFacts::number(const std::string& key) const {
  const GgufValue& value = present(key);
  if (const auto* number = std::get_if<double>(&value)) return as_meant(*number);
  const std::optional<std::int64_t> integer = as_integer(value);
  if (!integer) fail(key, "is not a number");
  return static_cast<double>(*integer);
}

bool GgufFacts::flag_or(const std::string& key, bool absent) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return absent;
  const auto* flag = std::get_if<bool>(value);
  if (flag == nullptr) fail(key, "is neither true nor false");
  return *flag;
}

std::vector<std::string> GgufFacts::texts(const std::string& key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return {};
  const auto* list = std::get_if<std::vector<std::string_view>>(value);
  if (list == nullptr) fail(key, "is not a list of strings");
  return {list->begin(), list->end()};
}

std::vector<std::int64_t> GgufFacts::integers(const std::string& key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return {};
  // The reader widens all integers to 64 bits, so two types of lists are left.
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(value)) return *list;
  const auto* naturals = std::get_if<std::vector<std::uint64_t>>(value);
  if (naturals == nullptr) fail(key, "is not a list of integers");
  std::vector<std::int64_t> integers;
  for (const std::uint64_t natural : *naturals) {
    const std::optional<std::int64_t> integer = as_integer(natural);
    if (!integer) fail(key, "holds a number that is too large");
    integers.push_back(*integer);
  }
  return integers;
}

std::vector<double> GgufFacts::numbers(const std::string& key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return {};
  const auto* list = std::get_if<std::vector<double>>(value);
  if (list == nullptr) fail(key, "is not a list of numbers");
  return *list;
}

const tensorfile::TensorView* GgufFacts::find_tensor(const std::string& name) const {
  const auto found = reader_.tensors().find(name);
  return found == reader_.tensors().end() ? nullptr : &found->second;
}

}  // namespace fineprint::models
