// What speaks for and against an answer that was cut out of a page, and the probabilities that
// follow from it.
#pragma once

#include <optional>

#include "fineprint/text/answer_kind.h"
#include "fineprint/text/demands.h"

namespace fineprint::pipelines::extractive {

// All from 0 to 1 but for `length` and `kind`.
struct Signs {
  double coverage = 0;  // the share of the question's terms on the best page of the pool, by rarity
  double quoted = 0;    // the same in the quote and its headings
  double numbers = 1;   // the share of the question's numbers on the quote's page
  double names = 1;     // retrieve::SubjectFit
  double years = 1;
  double page_cosine = 0;   // the best of a page to the question
  double quote_cosine = 0;  // of the quote to the question
  double margin = 0;        // of the quote's score before the second's
  bool row = false;         // the quote is a table row
  bool value = false;       // a value of the asked kind was cut out of it
  double length = 0;        // of the quote, in words
  text::AnswerKind kind = text::AnswerKind::text;
  text::Demands demands;
  // What a reader says, where one has read: the probability that what it read holds an answer, and
  // that this is it, where the answer is its own.
  std::optional<double> held = {};
  std::optional<double> right = {};
};

inline constexpr Signs kNothingFound = {.numbers = 0, .names = 0, .years = 0, .demands = {}};

// The probability that the documents hold an answer.
double answerability(const Signs& signs);
// The probability that this answer is right.
double confidence(const Signs& signs);
// The probability that it is right to decline. Words alone never make sure of that: an answer may
// stand in a picture, or under another name.
double confidence_in_declining(const Signs& signs);

}  // namespace fineprint::pipelines::extractive
