// Whether a short answer says the same as the gold answer.
#pragma once

#include <string_view>

namespace fineprint::metrics {

// Equal after folding, articles and surrounding punctuation dropped, number formats made one
// ("$1,234.50" equals "1234.5", "(1,234)" equals "-1234", "5 percent" equals "5%").
bool exact_match(std::string_view prediction, std::string_view gold);

// exact_match, or both hold one number and they differ by at most 5% of the gold one, or the folded
// gold answer stands as whole words inside the prediction. Of the numbers: 5% is 0.05; "million"
// and its like count when both sides or their values say so ("1.2 billion" is "1,200 million", and
// "1200" may mean either); two years must be the same.
bool relaxed_match(std::string_view prediction, std::string_view gold);

}  // namespace fineprint::metrics
