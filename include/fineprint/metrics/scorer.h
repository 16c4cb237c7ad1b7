// Scores answers and rankings as the published evaluators of benchmarks do, item by item.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json_fwd.h"

namespace fineprint::metrics {

// The result of scoring one item.
struct ScoredItem {
  // The evaluator's output under its own names, as the text of a JSON object: {"score": 1.0},
  // {"em": 0.0, "acc": 0.5}.
  std::string fields = "{}";
  // The measure that the benchmark reports, from 0 to 1.
  double score = 0;
  // The standard measure, if a quirk of the published code changed the score.
  std::optional<double> standard = {};
  // The names of those quirks; src/metrics/scorers/README.md explains them.
  std::vector<std::string> quirks = {};
  // The exception with which the published code would stop. The score is 0 then.
  std::string error = {};
};

// A published evaluator, or a standard measure in the same form. Stateless, so it is thread-safe.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // The name that `eval --scorer` takes.
  virtual std::string name() const = 0;
  // One line: what it scores, and by whose rules.
  virtual std::string help() const = 0;
  // Scores one item. `item` contains the evaluator's input fields; other fields are ignored. Throws
  // Error(input) with the name of a field that is missing or has another type.
  virtual ScoredItem score(const Json& item) const = 0;
  // Returns totals and slices as published, for items and their scores in the same order. Items may
  // have fields for slices (doc_type, evidence_sources, evidence_pages, ...). The result always has
  // "items", "errors" (the number of items with one) and "quirks" ({name: number of items}). If a
  // quirk changed any score, "standard" is the mean of the standard measures. A mean over nothing
  // is null. Throws Error(internal) if the lengths differ.
  virtual Json totals(const std::vector<Json>& items,
                      const std::vector<ScoredItem>& scores) const = 0;
};

// Returns all scorers. Their names are unique.
const std::vector<const Scorer*>& scorers();

// Returns the scorer of this name. Throws Error(usage) with a list of all names if there is none.
const Scorer& scorer_named(std::string_view name);

}  // namespace fineprint::metrics
