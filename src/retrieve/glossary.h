// What a term of accounting is made of: words that a document shows where a question names a ratio.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::retrieve {

// The words that stand in financial statements for the ratios and abbreviations that `question`
// names ("quick ratio": current assets, current liabilities, ...), joined by blanks; empty when it
// names none.
std::string glossary_expansion(std::string_view question);

}  // namespace fineprint::retrieve
