// Finds where the words of a question occur together in a table.
#pragma once

#include <cstdint>
#include <set>

#include "fineprint/models/qa_tokens.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// Values of QaFeature::match. The best rows contain most of the question's words; a word counts
// less the more rows contain it. The feature helps to distinguish true claims from false ones: the
// words of a true claim are usually in one row.
enum class Match : std::uint8_t {
  nothing,     // does not apply
  nowhere,     // of a word of the question: the passage does not contain it
  beside,      // ... only a head or the context contains it
  best_row,    // ... a best row contains it; in a text: it is anywhere
  other_row,   // ... only other rows contain it
  all_in_one,  // of [CLS]: the best rows contain all words that any row contains
  one_elsewhere,
  two_elsewhere,
  more_elsewhere,
  of_best_row,  // of a cell
  of_other_row,
};

// Returns the word pieces that say nothing about a question's subject: marks, and words such as
// "of".
std::set<std::int64_t> silent_pieces(const tokenizer::Tokenizer& tokenizer);

// Sets the feature of all tokens. The question's tokens are [1, question_end).
void tell_matches(const std::set<std::int64_t>& silent, std::size_t question_end, QaTokens* tokens);

}  // namespace fineprint::models
