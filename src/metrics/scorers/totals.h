// Means and slices of scores.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/metrics/scorer.h"

namespace fineprint::metrics {

// A sum and how many went into it.
struct Mean {
  double sum = 0;
  std::int64_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  // null over nothing.
  Json json() const { return count == 0 ? Json() : Json(sum / static_cast<double>(count)); }
};

// {"items", "errors", "quirks"}, and "standard" where a quirk touched a score.
// Throws Error(internal) where the lengths differ.
Json counted(const std::vector<Json>& items, const std::vector<ScoredItem>& scores);

// The mean of the scores.
Json mean_score(const std::vector<ScoredItem>& scores);

// {NAME: {"items", "accuracy"}} in the order of names; an item may be in several.
class Slices {
 public:
  void add(const std::string& name, double score) { means_[name].add(score); }
  Json json() const;

 private:
  std::map<std::string, Mean> means_ = {};
};

// MMLongBench-Doc's F1: recall over the answerable items, precision over those that were not
// declined (whose prediction, one an item, is not exactly "Not answerable"); 0 where it is not
// defined.
double f1_of_answers(const std::vector<Json>& items, const std::vector<ScoredItem>& scores,
                     const std::vector<std::string>& predictions);

// Whether the item's answer is "Not answerable".
bool is_unanswerable(const Json& item);

}  // namespace fineprint::metrics
