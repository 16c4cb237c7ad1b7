// Compares a short answer with the gold answer.
#pragma once

#include <string_view>

namespace fineprint::metrics {

// Returns true if both are equal after folding, without articles and surrounding punctuation, and
// with numbers in one format. For example, "$1,234.50" equals "1234.5", "(1,234)" equals "-1234",
// and "5 percent" equals "5%".
bool exact_match(std::string_view prediction, std::string_view gold);

// Returns true if exact_match does, or if the folded gold answer occurs as complete words in the
// prediction, or if both contain exactly one number and these differ by at most 5% of the gold
// number. For numbers, 5% is 0.05. "million" and similar words count if both sides have them, or if
// the values then agree: "1.2 billion" is "1,200 million", and "1200" may mean either. Two years
// must be equal.
bool relaxed_match(std::string_view prediction, std::string_view gold);

}  // namespace fineprint::metrics
