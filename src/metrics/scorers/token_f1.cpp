// Counts the words that two texts share.
#include "metrics/scorers/token_f1.h"

#include <algorithm>
#include <map>

#include "fineprint/core/letter_case.h"
#include "fineprint/core/unicode.h"

#include "metrics/python/text.h"

namespace fineprint::metrics {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (!python::is_blank(c)) {
      append_utf8(c, &word);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Overlap overlap_of(const std::vector<std::string>& prediction,
                   const std::vector<std::string>& reference) {
  std::map<std::string_view, std::size_t> wanted;
  for (const std::string& word : reference) ++wanted[word];
  std::size_t common = 0;
  for (const std::string& word : prediction) {
    const auto found = wanted.find(word);
    if (found == wanted.end() || found->second == 0) continue;
    // A word counts as often as both texts contain it.
    --found->second;
    ++common;
  }
  // Avoids a division by zero, also for empty texts.
  if (common == 0) return {};
  const auto count = static_cast<double>(common);
  Overlap out{count / static_cast<double>(prediction.size()),
              count / static_cast<double>(reference.size()), 0};
  out.f1 = 2 * out.precision * out.recall / (out.precision + out.recall);
  return out;
}

bool is_ascii_punctuation(char c) {
  constexpr std::string_view kMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  return kMarks.find(c) != std::string_view::npos;
}

std::vector<std::string> squad_words(std::string_view text) {
  // Punctuation is deleted, not replaced by blanks: "u.s." becomes "us".
  std::string low = lower_case(text);
  std::erase_if(low, is_ascii_punctuation);
  std::vector<std::string> words = words_of(low);
  std::erase_if(
      words, [](const std::string& word) { return word == "a" || word == "an" || word == "the"; });
  return words;
}

}  // namespace fineprint::metrics
