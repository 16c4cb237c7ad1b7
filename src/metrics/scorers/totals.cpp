// Sums scores over items.
#include "metrics/scorers/totals.h"

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "metrics/scorers/items.h"

namespace fineprint::metrics {
namespace {

// The answer that counts as abstaining in MMLongBench-Doc's F1.
constexpr const char* kDeclined = "Not answerable";

}  // namespace

Json counted(const std::vector<Json>& items, const std::vector<ScoredItem>& scores) {
  if (items.size() != scores.size()) {
    throw Error(ErrorCode::internal, "totals: the numbers of items and scores differ");
  }
  std::int64_t errors = 0;
  Json quirks = Json::object();
  Mean standard;
  bool touched = false;
  for (const ScoredItem& item : scores) {
    errors += item.error.empty() ? 0 : 1;
    for (const std::string& quirk : item.quirks) {
      if (!quirks.contains(quirk)) quirks[quirk] = std::int64_t{0};
      quirks[quirk] = quirks[quirk].get<std::int64_t>() + 1;
    }
    touched = touched || item.standard.has_value();
    // An item that no quirk touched keeps its score.
    standard.add(item.standard.value_or(item.score));
  }
  Json totals = {{"items", items.size()}, {"errors", errors}, {"quirks", quirks}};
  if (touched) totals["standard"] = standard.json();
  return totals;
}

Json mean_score(const std::vector<ScoredItem>& scores) {
  Mean mean;
  for (const ScoredItem& item : scores) mean.add(item.score);
  return mean.json();
}

Json Slices::json() const {
  Json out = Json::object();
  for (const auto& [name, mean] : means_) {
    out[name] = {{"items", mean.count}, {"accuracy", mean.json()}};
  }
  return out;
}

bool is_unanswerable(const Json& item) { return optional_text(item, "answer") == kDeclined; }

double f1_of_answers(const std::vector<Json>& items, const std::vector<ScoredItem>& scores,
                     const std::vector<std::string>& predictions) {
  double sum = 0;
  std::int64_t answerable = 0, given = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (predictions[i] != kDeclined) ++given;
    if (is_unanswerable(items[i])) continue;
    ++answerable;
    sum += scores[i].score;
  }
  // F1 is undefined without any; the published code gives 0.
  if (answerable == 0 || given == 0 || sum == 0) return 0;
  const double recall = sum / static_cast<double>(answerable);
  const double precision = sum / static_cast<double>(given);
  return 2 * recall * precision / (recall + precision);
}

}  // namespace fineprint::metrics
