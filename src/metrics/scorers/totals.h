// Means and slices of scores.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/metrics/scorer.h"

namespace fineprint::metrics {

// A sum and the number of its terms.
struct Mean {
  double sum = 0;
  std::int64_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  // Returns null if there are no terms.
  Json json() const { return count == 0 ? Json() : Json(sum / static_cast<double>(count)); }
};

// Returns {"items", "errors", "quirks"}, and "standard" if a quirk changed a score. Throws
// Error(internal) if the lengths differ.
Json counted(const std::vector<Json>& items, const std::vector<ScoredItem>& scores);

// Returns the mean of the scores; null if there are none.
Json mean_score(const std::vector<ScoredItem>& scores);

// Means by slice: {NAME: {"items", "accuracy"}}, sorted by name. An item may be in several slices.
class Slices {
 public:
  void add(const std::string& name, double score) { means_[name].add(score); }
  Json json() const;

 private:
  std::map<std::string, Mean> means_ = {};
};

// Returns MMLongBench-Doc's F1: recall over the answerable items, precision over the items that
// were answered (whose prediction is not exactly "Not answerable"). 0 if it is undefined.
double f1_of_answers(const std::vector<Json>& items, const std::vector<ScoredItem>& scores,
                     const std::vector<std::string>& predictions);

// Returns true if the item's gold answer is "Not answerable".
bool is_unanswerable(const Json& item);

}  // namespace fineprint::metrics
