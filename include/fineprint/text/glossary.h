// Adds the words that documents print for the accounting terms that a question names.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::text {

// Returns the words that financial statements use for the ratios and abbreviations in `question`,
// joined by spaces. For example, "quick ratio" gives "total current assets total current
// liabilities ...". Returns an empty string if the question names none.
std::string glossary_expansion(std::string_view question);

}  // namespace fineprint::text
