// Computes the answer from what a QA model points at in passages, and keeps the evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/models/qa_model.h"

namespace fineprint::evidence {

// A cell of a table, or bytes [begin, end) of a text.
struct Place {
  int row = -1, column = -1;
  std::uint32_t begin = 0, end = 0;

  bool is_cell() const { return row >= 0; }
  bool operator==(const Place&) const = default;
};

// What could be answered, as answer_text() gives it, and how probably that is right.
struct WeighedText {
  std::string text;
  double probability = 0;
};

// The most probable answer and its evidence.
struct Execution {
  double nothing = 1;             // the probability that no passage has the answer
  std::vector<double> relevance;  // the probability that each passage has the answer
  // The most probable answer, by the sum of everything that leads to it. Cells and spans are quoted
  // as printed; computed values are plain digits; yes and no are "yes" and "no". Empty if the
  // passages hold nothing that could be pointed at.
  std::vector<std::string> texts;
  double probability = 0;
  std::size_t passage = 0;  // the most probable passage that leads to it
  models::QaOperator operation = models::QaOperator::span;
  std::vector<Place> evidence;  // what the model points at in it; empty for yes and no
  std::string derivation;       // how a value was computed: "(5 - 4) / 4"
  // The factor of the texts, if they do not state it themselves.
  models::QaScale scale = models::QaScale::none;
  std::string currency;              // as stated with the scale: "$"; may be empty
  std::vector<WeighedText> answers;  // the most probable ones, best first, at most 20

  bool empty() const { return texts.empty(); }
};

// Returns the answer with the largest probability: that of a passage, times that of its operator,
// times that of the operator's arguments, summed over all ways that give the same answer. A set is
// as probable as its least certain member. A scale is taken from, in this order, the text next to
// the figure, the head of its row or column, and the context; if nothing is stated, from the model.
// Changes are in per cent. `readings` has one entry per passage.
Execution execute(const std::string& question, std::span<const models::QaPassage> passages,
                  std::span<const models::PassageReading> readings);

// Returns the answer for people: "$1,234 million", "12.5%", "Yes", "Ann Lee, Bo Diaz".
std::string answer_text(const Execution& execution);

}  // namespace fineprint::evidence
