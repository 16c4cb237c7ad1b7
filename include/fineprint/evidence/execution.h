// What a reader said of passages, carried out: the answer, and what proves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/models/reader.h"

namespace fineprint::evidence {

// A cell of a table, or bytes [begin, end) of a text.
struct Place {
  int row = -1, column = -1;
  std::uint32_t begin = 0, end = 0;

  bool is_cell() const { return row >= 0; }
  bool operator==(const Place&) const = default;
};

struct Execution {
  double nothing = 1;             // the probability that no passage has the answer
  std::vector<double> relevance;  // the probability of each passage to have it
  // The most probable answer, by all that leads to it. Cells and spans are given as they stand,
  // what was computed as plain digits, yes and no as "yes" and "no"; empty where the passages hold
  // nothing that could be pointed at.
  std::vector<std::string> texts;
  double probability = 0;
  std::size_t passage = 0;  // the best of those that lead to it
  models::ReaderOperator operation = models::ReaderOperator::span;
  std::vector<Place> evidence;  // what was pointed at in it; empty for yes and no
  std::string derivation;       // of what was computed: "(5 - 4) / 4"
  // What the texts must be multiplied by, where they do not say it themselves.
  models::ReaderScale scale = models::ReaderScale::none;
  std::string currency;  // as stated around a scale: "$"; may be empty

  bool empty() const { return texts.empty(); }
};

// The answer with the largest probability: of a passage, times its operator, times what that works
// on, summed over all that come to the same. A set is as probable as its least sure member. Scales
// are those stated beside the figures, in their row's or column's head or in the context, in this
// order; the reader's where nothing is stated. Changes are in per cent. As many readings as
// passages.
Execution execute(const std::string& question, std::span<const models::ReaderPassage> passages,
                  std::span<const models::PassageReading> readings);

// For people: "$1,234 million", "12.5%", "Yes", "Ann Lee, Bo Diaz".
std::string answer_text(const Execution& execution);

}  // namespace fineprint::evidence
