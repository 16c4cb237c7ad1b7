// Checks and converts the texts of options.
#include "fineprint/core/option.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint {
namespace {

template <class Number>
// Parses all of the text: "10x" is no number. std::from_chars ignores the locale, unlike strtod.
bool parse_whole(const std::string& text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

[[noreturn]] void refuse_text(const Option& option, const std::string& text,
                              const std::string& origin, std::string_view expected) {
  throw Error(ErrorCode::usage,
              format("{}: {} = \"{}\" is not {}", origin, option.name, text, expected));
}

// Parses "1500", "512MB" or "2GiB". Units are powers of 1000, or of 1024 if they contain an i.
std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t value = 0;
  if (!parse_whole(text.substr(0, digits), &value)) return std::nullopt;
  const std::string unit = text.substr(digits);
  if (unit.empty() || unit == "B") return value;
  const bool binary = unit.ends_with("iB") && unit.size() == 3;
  const std::size_t power = std::string_view("KMGT").find(unit.front());
  if (power == std::string_view::npos || !(binary || (unit.size() == 2 && unit[1] == 'B'))) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i <= power; ++i) {
    const std::uint64_t factor = binary ? 1024 : 1000;
    // No machine has that many bytes, and another factor could overflow.
    if (value > std::uint64_t{1} << 50) return std::nullopt;
    value *= factor;
  }
  return value;
}

// Other modules store whole numbers as int.
constexpr long kLargest = std::numeric_limits<int>::max();

// Converts a text that has passed `check_type`.
double bounded_number(OptionType type, const std::string& text) {
  return type == OptionType::bytes ? static_cast<double>(byte_count(text)) : real_number(text);
}

bool is_within(const OptionBounds& bounds, double number) {
  return !(bounds.least && number < *bounds.least) && !(bounds.most && number > *bounds.most) &&
         !(bounds.above && number <= *bounds.above);
}

// Describes a range: "at least 1", "from 1 to 86400", "above 0 and at most 86400".
std::string words_of(const OptionBounds& bounds) {
  if (bounds.least && bounds.most) {
    return format("from {} to {}", number_text(*bounds.least), number_text(*bounds.most));
  }
  if (bounds.least) return format("at least {}", number_text(*bounds.least));
  std::string words = bounds.above ? format("above {}", number_text(*bounds.above)) : "";
  if (bounds.most) {
    words += format("{}at most {}", words.empty() ? "" : " and ", number_text(*bounds.most));
  }
  return words;
}

void check_type(const Option& option, const std::string& text, const std::string& origin) {
  long integer = 0;
  double real = 0;
  switch (option.type) {
    case OptionType::boolean:
      if (text != "true" && text != "false") refuse_text(option, text, origin, "true or false");
      break;
    case OptionType::integer:
      if (!parse_whole(text, &integer) || integer < 0 || integer > kLargest) {
        refuse_text(option, text, origin, format("a whole number from 0 to {}", kLargest));
      }
      break;
    case OptionType::real:
      // std::from_chars reads "inf" and "nan", which no option accepts.
      if (!parse_whole(text, &real) || !std::isfinite(real)) {
        refuse_text(option, text, origin, "a number");
      }
      break;
    case OptionType::bytes:
      if (!parse_bytes(text)) {
        refuse_text(option, text, origin, "a number of bytes, for example 500MB or 2GB");
      }
      break;
    case OptionType::text:
    case OptionType::list:
      break;
  }
}

// Returns the flag as users type it: "-k", "--min-k".
std::string flag_of(const Option& option) {
  return (option.name.size() == 1 ? "-" : "--") + option.name;
}

void check_value(const Option& option, const std::string& text, const std::string& origin) {
  // Choices first: their list is the most helpful message.
  const auto& [choices, facts] = std::tie(option.choices, option.facts);
  if (!choices.empty() && std::ranges::find(choices, text) == choices.end()) {
    refuse_text(option, text, origin, format("one of {}", option.choice_list()));
  }
  const bool numeric = option.type == OptionType::integer || option.type == OptionType::real ||
                       option.type == OptionType::bytes;
  if (numeric && !is_within(facts.bounds, bounded_number(option.type, text))) {
    throw Error(ErrorCode::usage, format("{}: {} must be {}, not {}", origin, flag_of(option),
                                         words_of(facts.bounds), text));
  }
  if (facts.problem == nullptr) return;
  if (const std::optional<std::string> problem = facts.problem(text)) {
    throw Error(ErrorCode::usage, format("{}: {} {}: {}", origin, flag_of(option), text, *problem));
  }
}

}  // namespace

std::string Option::choice_list() const {
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : "|") + choice;
  return list;
}

bool Option::may_be_unset() const {
  return type != OptionType::list && initial.size() == 1 && initial.front().empty();
}

void check_texts(const Option& option, const std::vector<std::string>& texts,
                 const std::string& origin) {
  if (option.type != OptionType::list && texts.size() != 1) {
    throw Error(ErrorCode::usage, format("{}: {} takes one value", origin, option.name));
  }
  for (const std::string& text : texts) {
    // The empty text means "unset" and is not checked against type and range.
    if (text.empty() && option.may_be_unset()) continue;
    check_type(option, text, origin);
    check_value(option, text, origin);
  }
}

long whole_number(const std::string& text) {
  long value = 0;
  parse_whole(text, &value);
  return value;
}

double real_number(const std::string& text) {
  double value = 0;
  parse_whole(text, &value);
  return value;
}

std::uint64_t byte_count(const std::string& text) { return parse_bytes(text).value_or(0); }

// Writes the shortest text that reads back as the same number, so that defaults look as they were
// written.
std::string number_text(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string byte_text(std::uint64_t bytes) {
  constexpr std::pair<std::uint64_t, std::string_view> kUnits[] = {
      {1'000'000'000'000, "TB"},       {1'000'000'000, "GB"},           {1'000'000, "MB"},
      {std::uint64_t{1} << 40, "TiB"}, {std::uint64_t{1} << 30, "GiB"}, {1 << 20, "MiB"}};
  for (const auto& [size, unit] : kUnits) {
    // Only if the division is exact, so that the text reads back as the same number.
    if (bytes > 0 && bytes % size == 0) return format("{}{}", bytes / size, unit);
  }
  return std::to_string(bytes);
}

std::vector<std::string> split_texts(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace fineprint
