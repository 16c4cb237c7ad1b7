// Questions with their answers and scores, and whether these are right.
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
  unjudged,  // nobody says what is right
};

// "right", ...
std::string_view verdict_name(Verdict verdict);

struct Entry {
  const Question* question = nullptr;  // or nullptr
  const Answer* answer = nullptr;      // or nullptr
  const Score* score = nullptr;        // or nullptr
  Verdict verdict = Verdict::unjudged;
  bool declined = false;             // answered that there is no answer
  std::optional<double> value = {};  // 0..1; absent where nothing is judged

  const std::string& id() const { return answer != nullptr ? answer->id : question->id; }
};

// In the order of the questions, then of the answers to none of them. Judged by the scores; those
// without by metrics::relaxed_match with the gold answer, and a question that has no answer is
// answered rightly by declining. The entries point into `material`.
std::vector<Entry> entries_of(const Material& material);

}  // namespace fineprint::report
