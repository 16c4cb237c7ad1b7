// Word lists for languages other than English.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

namespace fineprint::text {

// The words of one language, all folded. The sets are empty if the language has no list.
struct LanguageWords {
  std::string_view language;
  std::unordered_set<std::string_view> function;  // articles, pronouns, prepositions, ...
  // Words that only ask, for example "combien" or "多少".
  std::unordered_set<std::string_view> asking;
  // Do not end a sentence; without the last full stop.
  std::unordered_set<std::string_view> abbreviations;
};

// Returns the words of a language.
const LanguageWords& words_of_language(std::string_view language);
// Returns the languages that have word lists.
const std::vector<LanguageWords>& listed_languages();

}  // namespace fineprint::text
