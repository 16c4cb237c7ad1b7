// Computes means, counts and bins over all questions of a report.
#include "report/summary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace fineprint::report {
namespace {

constexpr double kNothingMeasured = std::numeric_limits<double>::quiet_NaN();

// A sum of values, and their number.
struct Mean {
  double sum = 0;
  std::size_t count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const { return count == 0 ? kNothingMeasured : sum / static_cast<double>(count); }
};

// A question with several values counts in each group, so groups may sum to more than all
// questions.
Slices slices_by(const Facet& facet, const std::vector<Entry>& entries) {
  std::map<std::string, std::pair<std::size_t, Mean>> groups;
  for (const Entry& entry : entries) {
    for (const std::string& name : facet_values(entry, facet)) {
      auto& [questions, mean] = groups[name];
      ++questions;
      if (entry.value) mean.add(*entry.value);
    }
  }
  Slices slices{facet, {}};
  for (const auto& [name, group] : groups) {
    slices.groups.push_back({name, group.first, group.second.count, group.second.value()});
  }
  std::ranges::stable_sort(slices.groups, std::greater<>(), &Group::questions);
  return slices;
}

// The median is shown next to the mean, because a few long questions dominate the mean.
Cost cost_of(std::vector<double> values) {
  Cost cost;
  if (values.empty()) return cost;
  std::ranges::sort(values);
  cost.total = std::accumulate(values.begin(), values.end(), 0.0);
  cost.mean = cost.total / static_cast<double>(values.size());
  const std::size_t middle = values.size() / 2;
  cost.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  cost.most = values.back();
  cost.bins = histogram(values);
  return cost;
}

// Failed questions are left out: their cost says nothing about answers.
Cost cost_by(const std::vector<Entry>& entries, const std::function<double(const Usage&)>& of) {
  std::vector<double> values;
  for (const Entry& entry : entries) {
    if (entry.answer != nullptr && !entry.answer->error) {
      values.push_back(std::max(0.0, of(entry.answer->usage)));
    }
  }
  return cost_of(std::move(values));
}

// Partly right answers are left out: they are neither right nor wrong.
void add_calibration(const std::vector<Entry>& entries, Summary* summary) {
  std::vector<double> said;
  std::vector<bool> came;
  for (const Entry& entry : entries) {
    if (entry.verdict != Verdict::right && entry.verdict != Verdict::wrong) continue;
    said.push_back(entry.answer->confidence);
    came.push_back(entry.verdict == Verdict::right);
  }
  summary->reliability = metrics::reliability(said, came);
  summary->calibration_error = metrics::expected_calibration_error(summary->reliability);
}

// Returns the least of 1, 2 and 5 times powers of ten that is at least `least`.
double round_width(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

}  // namespace

// Round widths make the labels readable.
std::vector<HistogramBin> histogram(const std::vector<double>& values, std::size_t most) {
  if (values.empty()) return {};
  const double largest = std::ranges::max(values);
  const double width = largest > 0 ? round_width(largest / static_cast<double>(most)) : 1;
  std::vector<HistogramBin> bins(static_cast<std::size_t>(largest / width) + 1);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i].from = width * static_cast<double>(i);
    bins[i].to = width * static_cast<double>(i + 1);
  }
  for (const double value : values) {
    ++bins[std::min(bins.size() - 1, static_cast<std::size_t>(value / width))].count;
  }
  return bins;
}

Summary summarise(const std::vector<Entry>& entries) {
  Summary summary;
  Mean value;
  for (const Entry& entry : entries) {
    ++summary.questions;
    ++summary.verdicts[entry.verdict];
    summary.declined += entry.declined ? 1 : 0;
    summary.answered += entry.answer != nullptr && !entry.answer->error ? 1 : 0;
    summary.quirks += entry.score != nullptr && !entry.score->quirks.empty() ? 1 : 0;
    if (entry.value) value.add(*entry.value);
  }
  summary.judged = value.count;
  summary.value = value.value();
  for (const Facet& facet : facets_of(entries)) {
    summary.slices.push_back(slices_by(facet, entries));
  }
  add_calibration(entries, &summary);
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  summary.seconds = cost_by(entries, [](const Usage& usage) { return usage.ms / 1000; });
  summary.tokens_read =
      cost_by(entries, [&](const Usage& usage) { return number(usage.prompt_tokens); });
  summary.tokens_written =
      cost_by(entries, [&](const Usage& usage) { return number(usage.output_tokens); });
  summary.calls = cost_by(entries, [&](const Usage& usage) { return number(usage.vlm_calls); });
  return summary;
}

}  // namespace fineprint::report
