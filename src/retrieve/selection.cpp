// Which pages (or chunks) of the scorers' rankings are found, and in which order.
#include "retrieve/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "fineprint/core/json.h"

#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

using score::Scored;

void trace_choice(session::Context& context, const score::AdaptiveK& choice,
                  const std::string& list) {
  if (!context.events.wants_fields()) return;
  const score::TwoGaussians model = choice.in_scores();
  Json fields{{"k", choice.k}, {"window", choice.window}, {"fitted", choice.fitted}};
  if (!list.empty()) fields["scorer"] = list;
  if (choice.fitted) {
    fields["weights"] = model.weight;
    fields["means"] = model.mean;
    fields["variances"] = model.variance;
    fields["iterations"] = choice.fit.iterations;
  }
  context.events.tell({.step = "adaptive_k", .fields = dump_json(fields)});
}

// The first of a list's best pages: K of them, fixed or chosen, and none below the threshold.
// `list` is the scorer's name when the list is one of several.
template <typename Number>
std::vector<Scored> cut(session::Context& context, std::span<const Number> scores,
                        const SearchOptions& options, const std::string& list) {
  if (options.k < 1) return {};
  std::vector<Scored> best = score::top_items(scores, pages_looked_at(options));
  if (options.adaptive) {
    std::vector<double> values;
    values.reserve(best.size());
    for (const Scored& page : best) values.push_back(page.score);
    score::AdaptiveKOptions limits = options.adaptive_options;
    limits.top_k = options.k;
    const score::AdaptiveK choice = score::adaptive_k(values, limits);
    trace_choice(context, choice, list);
    best.resize(std::min(best.size(), static_cast<std::size_t>(choice.k)));
  }
  const double least = options.min_score.value_or(-std::numeric_limits<double>::infinity());
  std::erase_if(best, [&](const Scored& page) { return page.score < least; });
  return best;
}

std::vector<double> fuse(const std::vector<NamedRanking>& rankings, Fusion fusion) {
  std::vector<score::ScoreList> lists;
  for (const NamedRanking& one : rankings) {
    const double scale = fusion == Fusion::weighted ? one.ranking.scale : 1;
    lists.push_back({one.ranking.scores, one.weight * scale});
  }
  if (fusion == Fusion::rrf) return score::reciprocal_rank_fusion(lists);
  if (fusion == Fusion::weighted) return score::weighted_sum(lists);
  std::vector<double> scores = score::weighted_fusion(lists);
  // Among standardised scores a list of equal ones counts nothing.
  for (const NamedRanking& one : rankings) {
    for (std::size_t i = 0; one.bonus && i < scores.size(); ++i) {
      if (std::isfinite(one.ranking.scores[i])) scores[i] += one.ranking.scores[i];
    }
  }
  return scores;
}

// Documents by first appearance, lists of images first; items ascending inside a document.
// Source: ViDoRAG, section 3.2, and its published code.
std::vector<Scored> join(session::Context& context, const std::vector<NamedRanking>& rankings,
                         const SearchOptions& options, const DocumentOf& document_of) {
  std::vector<std::uint32_t> documents;
  std::set<std::pair<std::size_t, std::uint32_t>> items;  // place among `documents`, item
  for (const Sight sight : {Sight::image, Sight::text}) {
    for (const NamedRanking& one : rankings) {
      if (one.sight != sight) continue;
      for (const Scored& item :
           cut(context, std::span<const float>(one.ranking.scores), options, one.name)) {
        const std::uint32_t document = document_of(item.item);
        const auto place =
            static_cast<std::size_t>(std::ranges::find(documents, document) - documents.begin());
        if (place == documents.size()) documents.push_back(document);
        items.emplace(place, item.item);
      }
    }
  }
  std::vector<Scored> joined;
  joined.reserve(items.size());
  for (const auto& [place, item] : items) {
    joined.push_back({item, 1 / static_cast<double>(joined.size() + 1)});
  }
  return joined;
}

}  // namespace

std::vector<Scored> select_items(session::Context& context,
                                 const std::vector<NamedRanking>& rankings,
                                 const SearchOptions& options, const DocumentOf& document_of) {
  if (options.fusion == Fusion::union_of_lists) {
    return join(context, rankings, options, document_of);
  }
  const std::vector<double> fused = fuse(rankings, options.fusion);
  return cut(context, std::span<const double>(fused), options, "");
}

}  // namespace fineprint::retrieve
