// Adds the words that documents print for the accounting terms that a question names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Returns the words that financial statements use for the ratios and abbreviations in `question`,
// joined by spaces. For example, "quick ratio" gives "total current assets total current
// liabilities ...". Returns an empty string if the question names none.
std::string glossary_expansion(std::string_view question);

// A word of a question, and the word that documents print for it, both as search terms.
struct OtherWord {
  std::string asked, printed;
};
// Returns the nouns of the measures that an English question asks for with an adjective: "How wide
// is it?" gives "wide" and "width".
std::vector<OtherWord> measure_nouns(std::string_view question);

}  // namespace fineprint::text
