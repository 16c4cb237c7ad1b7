// Knows how languages abbreviate "number".
#include "text/label_number.h"

#include <algorithm>
#include <array>

#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

constexpr std::uint32_t kMostThingWords = 4;  // before the number
constexpr std::size_t kDigitsOfCode = 6;      // the least

// Returns whether the word, in lower case, is an abbreviation or sign of "number".
bool is_number_sign(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kSigns = {
      "no.",      "no",        "nr.", "nr",     "n\u00b0", "n\u00ba",
      "n.\u00ba", "n\u00fam.", "#",   "\u2116", "num.",    "number"};
  return std::ranges::find(kSigns, word) != kSigns.end();
}

// Returns whether the word ends with the German or Dutch abbreviation: "Rechnungsnr.", "Kto-Nr.".
bool ends_with_number_sign(std::string_view word) {
  constexpr std::size_t kLeast = 6;  // bytes
  return word.size() >= kLeast && (word.ends_with("nr.") || word.ends_with("-nr"));
}

// Returns whether a word begins with a sign that is written next to its number: "n°562".
bool begins_with_sign(std::string_view word) {
  static constexpr std::array<std::string_view, 4> kSigns = {"n\u00b0", "n\u00ba", "#", "\u2116"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) {
    return word.size() > sign.size() && word.starts_with(sign) && digits_in(word) > 0;
  });
}

// Amounts and dates have points or commas.
bool has_point(std::string_view word) { return word.find_first_of(".,") != std::string::npos; }

bool is_name_of_code(std::string_view word) {
  return std::ranges::none_of(word, [](char c) {
    return std::string_view("0123456789|,;:()/@").find(c) != std::string_view::npos;
  });
}

// Returns the pair of a piece that is a name and a long number and nothing else: "IBAN DE30 5075",
// "KvK Rotterdam 24330087".
std::optional<LabelPair> named_code(const Page& page, const WordRun& words) {
  constexpr std::uint32_t kMostNameWords = 3;
  std::uint32_t value = words.first;
  while (value < words.end && is_name_of_code(page.words[value].text)) ++value;
  if (value == words.first || value - words.first > kMostNameWords) return std::nullopt;
  std::size_t digits = 0;
  for (std::uint32_t i = value; i < words.end; ++i) {
    const std::string& word = page.words[i].text;
    if (digits_in(word) == 0 || has_point(word)) return std::nullopt;
    digits += digits_in(word);
  }
  if (digits < kDigitsOfCode) return std::nullopt;
  return LabelPair{.label = {words.first, value}, .value = {value, words.end}};
}

}  // namespace

bool is_code(std::string_view word) { return !has_point(word) && digits_in(word) >= kDigitsOfCode; }

std::optional<LabelPair> numbered_thing(const Page& page, const LabelPiece& piece) {
  const WordRun& words = piece.words;
  if (const auto code = named_code(page, words)) return code;
  const auto last = std::min(words.end, words.first + kMostThingWords + 1);
  for (std::uint32_t at = words.first; at < last; ++at) {
    const std::string word = fold(page.words[at].text);
    if (at > words.first && begins_with_sign(word)) {
      return LabelPair{.label = {words.first, at}, .value = {at, at + 1}};
    }
    const bool is_sign = (at > words.first && is_number_sign(word)) || ends_with_number_sign(word);
    if (!is_sign) {
      // "Section 4 No. 2" numbers a part of a part; a remark in parentheses is none.
      if (digits_in(word) > 0 && !word.starts_with('(')) return std::nullopt;
      continue;
    }
    std::uint32_t end = at + 1;
    if (end >= words.end || digits_in(page.words[end].text) == 0) return std::nullopt;
    ++end;
    // "044 241 601 03" is one number.
    const auto is_group = [&](std::uint32_t i) {
      const std::string& text = page.words[i].text;
      return text.find_first_not_of("0123456789") == std::string::npos;
    };
    while (end < words.end && is_group(end - 1) && is_group(end)) ++end;
    return LabelPair{.label = {words.first, at + 1}, .value = {at + 1, end}};
  }
  return std::nullopt;
}

}  // namespace fineprint::text
