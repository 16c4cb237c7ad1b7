// Joins questions with their answers and scores, and decides which answers are right.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fineprint/report/report.h"

namespace fineprint::report {

enum class Verdict {
  right,
  partly,  // a score between 0 and 1
  wrong,
  failed,    // an error took the place of the answer
  missing,   // there is no answer
  unjudged,  // no gold answer or score
};

// Returns "right", "partly", "wrong", "error", "missing" or "unjudged".
std::string_view verdict_name(Verdict verdict);

struct Entry {
  const Question* question = nullptr;  // or nullptr
  const Answer* answer = nullptr;      // or nullptr
  const Score* score = nullptr;        // or nullptr
  Verdict verdict = Verdict::unjudged;
  bool declined = false;             // the answer abstains
  std::optional<double> value = {};  // 0..1; absent if nothing judges the answer

  const std::string& id() const { return answer != nullptr ? answer->id : question->id; }
};

// Returns entries in the order of the questions, followed by answers that belong to no question. An
// entry with a score is judged by it, others by metrics::relaxed_match with the gold answer. A
// question without an answer in the documents is answered correctly by abstaining. The entries
// point into `material`.
std::vector<Entry> entries_of(const Material& material);

}  // namespace fineprint::report
