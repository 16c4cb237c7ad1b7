// The evidence for and against an answer that was cut out of a page, and the probabilities that
// follow from it.
#pragma once

#include <optional>

#include "fineprint/text/answer_kind.h"

#include "pipelines/extractive/demands.h"

namespace fineprint::pipelines::extractive {

// All values are from 0 to 1, except `length`, `kind` and `demands`.
struct Signs {
  double coverage = 0;  // the share of the question's terms on the best page of the pool, by rarity
  double quoted = 0;    // the same in the quote and its headings
  double numbers = 1;   // the share of the question's numbers on the quote's page
  double names = 1;     // SubjectFit
  double years = 1;
  double noun = 1;           // the share of asked_noun() on the quote's page
  bool empty_field = false;  // the question asks for a label without a value
  double page_cosine = 0;    // best cosine of a page with the question
  double quote_cosine = 0;   // cosine of the quote with the question
  double margin = 0;         // lead of the quote's score over the second's
  bool row = false;          // the quote is a table row
  // The value is that of a label which the question asks for, or the quote is a part by its number.
  bool labelled = false;
  bool value = false;       // a value of the asked kind was cut out of it
  bool lacks_kind = false;  // no value of the asked kind is in the quote: a date, an amount
  double length = 0;        // words of the quote
  text::AnswerKind kind = text::AnswerKind::text;
  Demands demands;
  // What a QA model says, if one has read: the probability that the read passages hold an answer,
  // and the probability that this is it, if the answer is the model's own.
  std::optional<double> held = {};
  std::optional<double> right = {};
};

// The signs if no page was found.
inline constexpr Signs kNothingFound = {.numbers = 0, .names = 0, .years = 0, .demands = {}};

// Returns the probability that the documents hold an answer.
double answerability(const Signs& signs);
// Returns whether it is likelier that the documents hold no answer than that this one is right.
// False for questions that ask for more than one value, or if no QA model has read.
bool is_absence_likelier(const Signs& signs);
// answerability() with a weaker QA model and without the asked noun: as it was when the functions
// of reply_signs.h were fitted on it.
double lenient_answerability(const Signs& signs);
// Returns the probability that this answer is right.
double confidence(const Signs& signs);
// Returns the probability that it is right to abstain. Words alone never make this sure, because an
// answer may be in a picture, or under another name.
double confidence_in_declining(const Signs& signs);

}  // namespace fineprint::pipelines::extractive
