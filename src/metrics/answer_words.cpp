// Reads numbers in their many formats, and drops words without meaning.
#include "metrics/answer_words.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "fineprint/core/unicode.h"

namespace fineprint::metrics {
namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

// ASCII only, because other characters are part of words.
bool is_punctuation(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7F && !is_ascii_digit(c) && !(c >= 'a' && c <= 'z');
}

std::string_view strip_punctuation(std::string_view word) {
  while (!word.empty() && is_punctuation(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_punctuation(word.back())) word.remove_suffix(1);
  return word;
}

bool take_front(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

bool take_back(std::string_view& word, char c) {
  if (!word.ends_with(c)) return false;
  word.remove_suffix(1);
  return true;
}

bool take_currency(std::string_view& word) {
  for (const std::string_view sign : {"us$", "$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5"}) {
    if (take_front(word, sign)) return true;
  }
  return false;
}

// Returns the digits of "1,234.5" without commas; nullopt unless the commas separate groups of
// three.
std::optional<std::string> plain_digits(std::string_view word) {
  const std::size_t point = std::min(word.find('.'), word.size());
  std::string digits;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == ',') {
      const std::size_t left = point - i;
      if (i == 0 || i > point || left % 4 != 0) return std::nullopt;
    } else if (is_ascii_digit(word[i]) || i == point) {
      digits += word[i];
    } else {
      return std::nullopt;
    }
  }
  if (!std::ranges::any_of(digits, is_ascii_digit)) return std::nullopt;
  return digits;
}

double to_double(const std::string& digits) {
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string to_text(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

Word number_word(double value, bool percent, bool bare) {
  Word word;
  word.text = to_text(value) + (percent ? "%" : "");
  const bool whole =
      // Clamped because converting a larger double to long is undefined behaviour.
      value == static_cast<double>(static_cast<long>(std::clamp(value, -1e15, 1e15)));
  word.number = Number{.value = percent ? value / 100 : value,
                       .percent = percent,
                       .scale = 1,
                       .year = bare && !percent && whole && value >= 1900 && value <= 2100};
  return word;
}

// Reads "$1,234.50", "-5%", "(1,234)" or "12.". Brackets mean a negative number, as in accounts,
// but not around a bare integer next to other words: "the plan (2019)".
std::optional<Word> read_number(std::string_view word, bool alone) {
  while (!word.empty() &&
         std::string_view(".,;:!?'\"").find(word.back()) != std::string_view::npos) {
    word.remove_suffix(1);
  }
  // Sign, currency and brackets may come in either order: "-$5", "$-5", "($5)".
  bool negative = take_front(word, "-");
  take_front(word, "+");
  bool currency = take_currency(word);
  bool brackets = take_front(word, "(");
  negative = take_front(word, "-") || negative;
  currency = take_currency(word) || currency;
  bool percent = take_back(word, '%');
  brackets = take_back(word, ')') && brackets;
  percent = take_back(word, '%') || percent;
  const std::optional<std::string> digits = plain_digits(word);
  if (!digits) return std::nullopt;
  const bool plain = digits->size() == word.size() && word.find('.') == std::string_view::npos;
  // A number alone in brackets is an account's negative; so is one with a currency, percent sign or
  // commas.
  const bool account = brackets && (alone || currency || percent || !plain);
  const double value = to_double(*digits);
  return number_word(negative || account ? -value : value, percent, plain && !currency);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Returns true if a part such as "%", "percent" or "million" belongs to the number before it, and
// adds it there.
bool joins(std::string_view part, Word& before) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kScales{
      {{"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}}};
  Number& number = *before.number;
  const std::string_view name = strip_punctuation(part);
  if (!number.percent && (part.starts_with('%') || name == "percent")) {
    number = {.value = number.value / 100, .percent = true, .scale = number.scale, .year = false};
    before.text += '%';
    return true;
  }
  for (const auto& [scale_name, scale] : kScales) {
    if (name != scale_name) continue;
    number.scale = scale;
    number.year = false;
    before.text.append(" ").append(scale_name);
    return true;
  }
  return false;
}

}  // namespace

std::vector<Word> answer_words(std::string_view answer) {
  const std::string folded = fold(answer);
  const std::vector<std::string_view> parts = split(folded);
  std::vector<Word> words;
  for (const std::string_view part : parts) {
    // "5 percent" is one number, not a number and a word.
    if (!words.empty() && words.back().number && joins(part, words.back())) continue;
    if (auto number = read_number(part, parts.size() == 1)) {
      words.push_back(std::move(*number));
      continue;
    }
    const std::string_view word = strip_punctuation(part);
    if (word.empty() || word == "a" || word == "an" || word == "the") continue;
    words.push_back({std::string(word), std::nullopt});
  }
  return words;
}

}  // namespace fineprint::metrics
