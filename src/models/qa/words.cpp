// Classifies words and questions for QA models whose tokenizer is uncased.
#include "models/qa/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "fineprint/core/unicode.h"

namespace fineprint::models {
namespace {

bool is_plain_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
// Letters beyond ASCII count as lower case.
bool is_word_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view core_of(std::string_view word) {
  const auto is_mark = [](char c) { return !is_plain_digit(c) && !is_word_letter(c); };
  while (!word.empty() && is_mark(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_mark(word.back())) word.remove_suffix(1);
  return word;
}

bool is_money(std::string_view word) {
  constexpr std::array<std::string_view, 4> kSigns = {"$", "€", "£", "¥"};
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return word.find(sign) != std::string_view::npos; });
}

bool looks_like_year(std::string_view word) {
  return word.size() == 4 && std::ranges::all_of(word, is_plain_digit) && word >= "1500" &&
         word <= "2199";
}

WordShape shape_of_letters(std::string_view word) {
  const auto capitals = std::ranges::count_if(word, is_capital);
  if (std::ranges::any_of(word, is_plain_digit)) return WordShape::mixed;
  if (capitals == 0) return WordShape::lower;
  if (capitals == 1 && is_capital(word.front())) return WordShape::capitalised;
  const auto letters = std::ranges::count_if(word, is_word_letter);
  if (capitals == letters) return WordShape::capitals;
  // For example, "New York" in a cell.
  const bool each_begins = is_capital(word.front()) && word.find(' ') != std::string_view::npos;
  return each_begins ? WordShape::capitalised : WordShape::mixed;
}

// Returns true if the text contains the phrase as whole words.
bool contains_phrase(std::string_view phrase, std::string_view text) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    const bool begins = at == 0 || !is_word_letter(text[at - 1]);
    if (begins && (end == text.size() || !is_word_letter(text[end]))) return true;
  }
  return false;
}

}  // namespace

WordShape shape_of(std::string_view word) {
  const std::string_view core = core_of(word);
  if (core.empty()) return WordShape::none;
  if (std::ranges::none_of(core, is_word_letter)) {
    if (word.find('%') != std::string_view::npos) return WordShape::percent;
    if (is_money(word)) return WordShape::money;
    return looks_like_year(core) ? WordShape::year : WordShape::number;
  }
  if (is_money(word)) {  // the sign may be beyond ASCII and count as a letter
    return std::ranges::any_of(core, is_plain_digit) ? WordShape::money : WordShape::none;
  }
  return shape_of_letters(core);
}

Sought sought_by(std::string_view question) {
  // The first phrase that the question contains decides, so special phrases come before general
  // ones.
  static constexpr std::array<std::pair<std::string_view, Sought>, 34> kPhrases = {{
      {"percent", Sought::percentage},
      {"percentage", Sought::percentage},
      {"per cent", Sought::percentage},
      {"what proportion", Sought::percentage},
      {"what share", Sought::percentage},
      {"how many", Sought::number},
      {"what number", Sought::number},
      {"number of", Sought::number},
      {"how much", Sought::amount},
      {"what amount", Sought::amount},
      {"how long", Sought::extent},
      {"how old", Sought::extent},
      {"how far", Sought::extent},
      {"how high", Sought::extent},
      {"how large", Sought::extent},
      {"how big", Sought::extent},
      {"how tall", Sought::extent},
      {"how often", Sought::extent},
      {"when", Sought::time},
      {"what year", Sought::time},
      {"which year", Sought::time},
      {"what date", Sought::time},
      {"what month", Sought::time},
      {"what day", Sought::time},
      {"who", Sought::person},
      {"whom", Sought::person},
      {"whose", Sought::person},
      {"where", Sought::place},
      {"which", Sought::which},
      {"what", Sought::what},
      {"why", Sought::reason},
      {"how", Sought::reason},
      {"whether", Sought::verdict},
      {"name", Sought::what},
  }};
  static constexpr std::array<std::string_view, 12> kVerbs = {"is ",   "are ",  "was ", "were ",
                                                              "do ",   "does ", "did ", "has ",
                                                              "have ", "had ",  "can ", "will "};
  const std::string folded = fold(std::string(question));
  // A question that begins with such a verb asks for yes or no.
  if (std::ranges::any_of(kVerbs, [&](auto verb) { return folded.starts_with(verb); })) {
    return Sought::verdict;
  }
  for (const auto& [phrase, sought] : kPhrases) {
    if (contains_phrase(phrase, folded)) return sought;
  }
  return folded.find('%') == std::string::npos ? Sought::something : Sought::percentage;
}

}  // namespace fineprint::models
