// Splits questions into words.
#include "dialogue/words.h"

#include <array>
#include <sstream>

#include "fineprint/core/letter_case.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

namespace fineprint::dialogue {
namespace {

// The pronouns and question words whose "'s" is "is" and not a possessive.
constexpr std::array<std::string_view, 11> kShortened = {
    "what", "who", "it", "where", "when", "how", "that", "there", "he", "she", "which"};

std::string without_ends(std::string_view text) {
  constexpr std::string_view kAround = "?!.,;:\"()[]";
  const std::size_t begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kAround) - begin + 1));
}

void add_word(std::string text, Words* words) {
  while (!text.empty() && (text.back() == '?' || text.back() == '!')) text.pop_back();
  std::string key = lower_case(without_ends(text));
  if (!key.empty()) words->push_back({std::move(text), std::move(key)});
}

// Returns the length of "'s" or "'re" at the end of a word that is such a short form, else 0.
std::size_t short_form(const std::string& word) {
  const std::string lower = lower_case(without_ends(word));
  for (const std::string_view ending : {"'s", "'re"}) {
    if (!lower.ends_with(ending)) continue;
    const std::string_view base = std::string_view(lower).substr(0, lower.size() - ending.size());
    if (ending == "'re" && base == "they") return ending.size();
    for (const std::string_view one : kShortened) {
      if (ending == "'s" && base == one) return ending.size();
    }
  }
  return 0;
}

}  // namespace

Words words_of(std::string_view question) {
  std::string plain = one_line(question);
  for (std::size_t at; (at = plain.find("\u2019")) != std::string::npos;) plain.replace(at, 3, "'");
  Words words;
  std::istringstream in(plain);
  for (std::string token; in >> token;) {
    const std::size_t length = short_form(token);
    if (length == 0) {
      add_word(token, &words);
      continue;
    }
    const std::size_t at = token.find_last_of('\'');
    add_word(token.substr(0, at), &words);
    add_word(length == 2 ? "is" : "are", &words);
  }
  // A full stop ends the question, too.
  if (!words.empty() && words.back().text.ends_with('.')) words.back().text.pop_back();
  return words;
}

std::string text_of(std::span<const Word> words) { return join_texts(words, " ", &Word::text); }

std::string as_question(std::string_view text) {
  if (text.empty()) return {};
  std::size_t first = 0;
  next_code_point(text, &first);
  std::string out = upper_case(text.substr(0, first)) + std::string(text.substr(first));
  while (!out.empty() && (out.back() == ',' || out.back() == ' ')) out.pop_back();
  return out + "?";
}

bool is_capital(const Word& word) {
  if (word.text.empty()) return false;
  std::size_t first = 0;
  next_code_point(word.text, &first);
  const std::string_view letter = std::string_view(word.text).substr(0, first);
  return lower_case(letter) != letter;
}

}  // namespace fineprint::dialogue
