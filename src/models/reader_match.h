// Where the words of a question stand together in a table.
#pragma once

#include <cstdint>
#include <set>

#include "fineprint/models/reader_tokens.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// Values of ReaderFeature::match. The best rows are those that hold most of the question's words, a
// word counting the less the more rows have it: whether a claim's words stand in one row or in
// several tells true ones from false ones.
enum class Match : std::uint8_t {
  nothing,     // nothing to say
  nowhere,     // of a word of the question: the passage lacks it
  beside,      // ... it stands in a head or the context alone
  best_row,    // ... in a best row; in a text: anywhere
  other_row,   // ... in other rows alone
  all_in_one,  // of [CLS]: all words of the question that rows have are in best rows
  one_elsewhere,
  two_elsewhere,
  more_elsewhere,
  of_best_row,  // of a cell
  of_other_row,
};

// Word pieces that tell nothing of what a question is about: marks, and words such as "of".
std::set<std::int64_t> silent_pieces(const tokenizer::Tokenizer& tokenizer);

// Sets the feature of all tokens. Those of the question are [1, question_end).
void tell_matches(const std::set<std::int64_t>& silent, std::size_t question_end,
                  ReaderTokens* tokens);

}  // namespace fineprint::models
