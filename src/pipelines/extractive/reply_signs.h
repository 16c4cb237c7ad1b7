// The evidence for and against a model's reply, and the probabilities that follow from it.
#pragma once

#include <optional>

#include "pipelines/extractive/signs.h"

namespace fineprint::pipelines::extractive {

// What the pages and the extractive pipeline say about a reply. All values are from 0 to 1.
// Names, years, cosine and kind are only traced: weights for them predicted nothing more.
struct ReplySigns {
  bool answers = true;  // false: the model says that there is no answer
  bool says = true;     // the reply has an answer nevertheless
  // A sentence or row has something of it, or it cannot have: a verdict or a computed value is
  // asked for.
  bool proved = true;
  double held = 0;    // share_held() of the answer in the sentence or row that proves it best
  double quoted = 0;  // the share of the question's terms, by rarity, in that and its headings
  double names = 0;   // SubjectFit of that
  double years = 0;
  double cosine = 0;      // of that with the question; 0 if not compared
  bool kind_fits = true;  // it is a value of the asked kind
  // The extractive pipeline's own answer, or in it if that is a quote.
  bool same_as_quote = false;
  bool same_as_reading = false;   // what the QA model points at
  bool quotes_sentence = false;   // that is a whole sentence or row, not a value in it
  bool repeats_question = false;  // it says nothing but words of the question
  // The probabilities that the QA model gives to the reply, and to the extractive pipeline's own
  // answer; absent if none has read.
  std::optional<double> read = {};
  std::optional<double> quote_read = {};
  double quote_confidence = 0;  // confidence() in the extractive pipeline's own answer
  double answerability = 0;     // lenient_answerability() of the quote
  // 1 - H' of the reply's tokens (agents::uncertainty); absent without log-probabilities.
  std::optional<double> certainty = {};
};

// The probabilities that each way to end is right.
struct ReplyOdds {
  double reply = 0;       // the reply's answer is right; 0 if it has none
  double quote = 0;       // the extractive pipeline's answer is right
  double answerable = 0;  // the documents hold an answer
};

ReplyOdds odds_of(const ReplySigns& signs);

// Returns whether the reply is to be given, and not the extractive pipeline's answer.
bool prefers_reply(const ReplySigns& signs, const ReplyOdds& odds);

}  // namespace fineprint::pipelines::extractive
