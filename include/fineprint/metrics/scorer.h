// Scores as the published evaluators of benchmarks give them, case by case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json_fwd.h"

namespace fineprint::metrics {

// What a scorer says of one item.
struct ScoredItem {
  // What the evaluator gives for the item, under its own names, as the text of a JSON object:
  // {"score": 1.0}, {"em": 0.0, "acc": 0.5}.
  std::string fields = "{}";
  // The measure that the benchmark reports, from 0 to 1.
  double score = 0;
  // The standard measure beside it, where a quirk touched the score.
  std::optional<double> standard = {};
  // Names of the published quirks that touched it: see src/metrics/scorers/README.md.
  std::vector<std::string> quirks = {};
  // The exception with which the published code would stop; the score is 0 then.
  std::string error = {};
};

// A published evaluator, or a standard measure of the same form. Stateless.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual std::string name() const = 0;
  // One line: what it scores, and whose rules it follows.
  virtual std::string help() const = 0;
  // `item` holds the evaluator's input fields; others pass. Throws Error(input) that names a field
  // which is missing or of another type.
  virtual ScoredItem score(const Json& item) const = 0;
  // Totals and slices as published, over items and their scores in the same order. Items may carry
  // what slices are made of (doc_type, evidence_sources, evidence_pages, ...). Always has "items",
  // "errors" (how many have one) and "quirks" ({name: how many items}); where a quirk touched
  // any score, "standard" is the mean with the standard measures in place. A mean over nothing is
  // null. Throws Error(internal) where the lengths differ.
  virtual Json totals(const std::vector<Json>& items,
                      const std::vector<ScoredItem>& scores) const = 0;
};

// All of them, each with a name of its own.
const std::vector<const Scorer*>& scorers();

// Throws Error(usage) that lists the names.
const Scorer& scorer_named(std::string_view name);

}  // namespace fineprint::metrics
