// Words of other languages than English, by what they do.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

namespace fineprint::text {

// All folded. Empty sets for languages that nobody has listed.
struct LanguageWords {
  std::string_view language;
  std::unordered_set<std::string_view> function;  // articles, pronouns, prepositions, ...
  std::unordered_set<std::string_view> asking;    // only ask: "combien", "多少"
  std::unordered_set<std::string_view>
      abbreviations;  // end no sentence; without the last full stop
};

const LanguageWords& words_of_language(std::string_view language);
// The languages that are listed.
const std::vector<LanguageWords>& listed_languages();

}  // namespace fineprint::text
