// Scores a file of items by the rules of a published evaluator. An item carries its own reference.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fineprint/bench/item_judge.h"
#include "fineprint/core/json_fwd.h"
#include "fineprint/metrics/scorer.h"

namespace fineprint::bench {

// Items with their scores, in the order of the file. metrics::Scorer::totals takes both.
struct ItemScores {
  std::vector<Json> items;
  std::vector<metrics::ScoredItem> scores;
  std::int64_t malformed = 0;  // lines that could not be scored
};

// Scores each line of the file at `path`, after `judge` has added what the scorer needs from a
// model. A line that could not be scored is logged with its number. If `print` is set, it gets one
// JSON object for each line of the file, so that line N of the output belongs to line N: the
// evaluator's own fields and the remarks about them, or {"line", "error"}. Throws
// Error(unreadable) if the file cannot be read, and errors of the judge's model.
ItemScores score_items(const std::string& path, const metrics::Scorer& scorer, ItemJudge* judge,
                       const std::function<void(const std::string& line)>& print = {});

}  // namespace fineprint::bench
