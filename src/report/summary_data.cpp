// Builds the JSON of the summary.
#include <cmath>

#include "report/page_data.h"
#include "report/rounded.h"

namespace fineprint::report {
namespace {

// Returns null if nothing was measured.
Json measured(double value) { return std::isnan(value) ? Json() : rounded(value); }

Json slices_data(const std::vector<Slices>& all) {
  Json list = Json::array();
  for (const Slices& slices : all) {
    Json groups = Json::array();
    for (const Group& group : slices.groups) {
      groups.push_back({{"name", group.name},
                        {"questions", group.questions},
                        {"judged", group.judged},
                        {"value", measured(group.value)}});
    }
    list.push_back({{"facet", slices.facet.name},
                    {"label", slices.facet.label},
                    {"groups", std::move(groups)}});
  }
  return list;
}

Json reliability_data(const std::vector<metrics::ReliabilityBin>& bins) {
  Json list = Json::array();
  for (const metrics::ReliabilityBin& bin : bins) {
    // An empty bin has no mean, and the chart shows only what was measured.
    if (bin.count == 0) continue;
    list.push_back({{"from", rounded(bin.from)},
                    {"to", rounded(bin.to)},
                    {"count", bin.count},
                    {"said", rounded(bin.said)},
                    {"came", rounded(bin.came)}});
  }
  return list;
}

Json cost_data(const Cost& cost) {
  Json bins = Json::array();
  for (const HistogramBin& bin : cost.bins) {
    bins.push_back({rounded(bin.from), rounded(bin.to), bin.count});
  }
  return {{"mean", rounded(cost.mean)},
          {"median", rounded(cost.median)},
          {"most", rounded(cost.most)},
          {"total", rounded(cost.total)},
          {"bins", std::move(bins)}};
}

}  // namespace

Json summary_data(const Summary& summary) {
  Json verdicts = Json::object();
  for (const auto& [verdict, count] : summary.verdicts) {
    verdicts[std::string(verdict_name(verdict))] = count;
  }
  return {{"questions", summary.questions},
          {"answered", summary.answered},
          {"judged", summary.judged},
          {"declined", summary.declined},
          {"quirks", summary.quirks},
          {"verdicts", std::move(verdicts)},
          {"value", measured(summary.value)},
          {"slices", slices_data(summary.slices)},
          {"reliability", reliability_data(summary.reliability)},
          {"calibration_error", measured(summary.calibration_error)},
          {"seconds", cost_data(summary.seconds)},
          {"read", cost_data(summary.tokens_read)},
          {"written", cost_data(summary.tokens_written)},
          {"calls", cost_data(summary.calls)}};
}

}  // namespace fineprint::report
