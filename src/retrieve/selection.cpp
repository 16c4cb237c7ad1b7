// Decides which pages (or chunks) of the scorers' rankings are found, and in which order.
#include "retrieve/selection.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "fineprint/core/json.h"

#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

using score::Scored;

// `ms` is how long the fit took.
void trace_choice(session::Context& context, const score::AdaptiveK& choice,
                  const std::string& list, double ms) {
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
  context.events.tell({.step = "adaptive_k", .ms = ms, .fields = dump_json(fields)});
}

double least_score(const SearchOptions& options) {
  return options.min_score.value_or(-std::numeric_limits<double>::infinity());
}

void erase_below(double least, std::vector<Scored>* items) {
  std::erase_if(*items, [&](const Scored& item) { return item.score < least; });
}

// Returns the first items of a list, K of them (fixed or adaptive), without those below the
// threshold. `list` is the scorer's name if the list is one of several, for the trace.
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
    const auto start = std::chrono::steady_clock::now();
    const score::AdaptiveK choice = score::adaptive_k(values, limits);
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    trace_choice(context, choice, list, ms.count());
    best.resize(std::min(best.size(), static_cast<std::size_t>(choice.k)));
  }
  erase_below(least_score(options), &best);
  return best;
}

// Appends a page unless it is there already.
void add_page(const RankedPage& page, std::vector<RankedPage>* pages) {
  if (std::ranges::find(*pages, page.page, &RankedPage::page) == pages->end()) {
    pages->push_back(page);
  }
}

// Returns the first pages of a list that a ranking reports, not fewer than are found.
template <typename Number>
std::vector<RankedPage> ranked(std::span<const Number> scores, const SearchOptions& options,
                               const PageOf& page_of) {
  const auto most = static_cast<std::size_t>(std::max(options.k, options.least_ranked));
  // Several items may be of one page, so that many pages take more items.
  for (std::size_t looked_at = most;; looked_at *= 4) {
    std::vector<Scored> best = score::top_items(scores, looked_at);
    const bool is_all = best.size() < looked_at;
    erase_below(least_score(options), &best);
    std::vector<RankedPage> pages;
    for (const Scored& item : best) {
      if (pages.size() == most) return pages;
      add_page({page_of(UnitId(item.item)), item.score}, &pages);
    }
    if (is_all || pages.size() == most) return pages;
  }
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
  // A bonus has equal scores for all its pages, which z-scores would turn into 0, so it is added
  // afterwards.
  for (const NamedRanking& one : rankings) {
    for (std::size_t i = 0; one.bonus && i < scores.size(); ++i) {
      if (std::isfinite(one.ranking.scores[i])) scores[i] += one.ranking.scores[i];
    }
  }
  return scores;
}

// Orders documents by first appearance and items ascending inside a document.
// Source: ViDoRAG, section 3.2, and its published code.
class ReadingOrder {
 public:
  ReadingOrder(const session::Corpus& corpus, const PageOf& page_of)
      : corpus_(corpus), page_of_(page_of) {}

  void add(UnitId item) {
    const DocumentId document = corpus_.document_of(page_of_(item));
    const auto place =
        static_cast<std::size_t>(std::ranges::find(documents_, document) - documents_.begin());
    if (place == documents_.size()) documents_.push_back(document);
    items_.emplace(place, item);
  }

  std::size_t size() const { return items_.size(); }

  std::vector<Scored> list() const {
    std::vector<Scored> joined;
    joined.reserve(items_.size());
    for (const auto& [place, item] : items_) {
      joined.push_back({item.value, 1 / static_cast<double>(joined.size() + 1)});
    }
    return joined;
  }

 private:
  const session::Corpus& corpus_;
  const PageOf& page_of_;
  std::vector<DocumentId> documents_;
  std::set<std::pair<std::size_t, UnitId>> items_;  // place among `documents_`, item
};

// Returns the items that fill up a union, first the items that every scorer ranks; see
// SearchOptions::union_sizes.
std::vector<Scored> fillers(const std::vector<NamedRanking>& rankings,
                            const SearchOptions& options) {
  const auto image = std::ranges::find(rankings, Sight::image, &NamedRanking::sight);
  const NamedRanking& lead = image == rankings.end() ? rankings.front() : *image;
  std::vector<Scored> items = score::top_items(std::span<const float>(lead.ranking.scores), 0);
  const double least = least_score(options);
  std::erase_if(items, [&](const Scored& item) { return item.score < least; });
  std::ranges::stable_partition(items, [&](const Scored& item) {
    return std::ranges::all_of(rankings, [&](const NamedRanking& one) {
      return std::isfinite(one.ranking.scores[item.item]);
    });
  });
  return items;
}

// Fills up to the next allowed size. An empty union stays empty: nothing was found.
void fill_up(const std::vector<NamedRanking>& rankings, const SearchOptions& options,
             ReadingOrder* joined) {
  const auto size = std::ranges::lower_bound(options.union_sizes, joined->size());
  if (joined->size() == 0 || size == options.union_sizes.end()) return;
  if (joined->size() == *size) return;
  for (const Scored& item : fillers(rankings, options)) {
    if (joined->size() == *size) return;
    joined->add(UnitId(item.item));
  }
}

// Returns the lists without bonuses, which are added to the scores of the pages that a list ranks.
// A bonus alone ranks nothing: pages of equal scores would fill the union. It is of the scale of
// Fusion::weighted, and a list's scores are as they were computed.
std::vector<NamedRanking> with_bonuses(const std::vector<NamedRanking>& rankings) {
  std::vector<NamedRanking> lists;
  for (const NamedRanking& one : rankings) {
    if (!one.bonus) lists.push_back(one);
  }
  for (const NamedRanking& bonus : rankings) {
    if (!bonus.bonus) continue;
    for (NamedRanking& list : lists) {
      std::vector<float>& scores = list.ranking.scores;
      for (std::size_t i = 0; i < scores.size() && list.ranking.scale > 0; ++i) {
        const float added = bonus.ranking.scores[i];
        if (std::isfinite(added)) scores[i] += added / static_cast<float>(list.ranking.scale);
      }
    }
  }
  return lists;
}

// Returns the pages of all lists by the best rank that a list gives them, then those of found items
// that are further down. A score is 1 / rank.
std::vector<RankedPage> by_best_rank(const std::vector<NamedRanking>& rankings,
                                     const SearchOptions& options, const std::vector<Scored>& found,
                                     const PageOf& page_of) {
  std::vector<std::vector<RankedPage>> lists;
  for (const Sight sight : {Sight::image, Sight::text}) {
    for (const NamedRanking& one : rankings) {
      if (one.sight != sight) continue;
      lists.push_back(ranked(std::span<const float>(one.ranking.scores), options, page_of));
    }
  }
  const auto most = static_cast<std::size_t>(std::max(options.k, options.least_ranked));
  std::vector<RankedPage> joined;
  const auto add = [&](PageId page) {
    add_page({page, 1 / static_cast<double>(joined.size() + 1)}, &joined);
  };
  for (std::size_t rank = 0; rank < most && joined.size() < most; ++rank) {
    for (const std::vector<RankedPage>& list : lists) {
      if (rank < list.size() && joined.size() < most) add(list[rank].page);
    }
  }
  for (const Scored& item : found) add(page_of(UnitId(item.item)));
  return joined;
}

// Joins the lists in reading order. Lists of images come first, because the first appearance of a
// document decides its position.
SelectedItems join(session::Context& context, const std::vector<NamedRanking>& all,
                   const SearchOptions& options, const PageOf& page_of) {
  const std::vector<NamedRanking> rankings = with_bonuses(all);
  ReadingOrder joined(context.session.corpus(), page_of);
  for (const Sight sight : {Sight::image, Sight::text}) {
    for (const NamedRanking& one : rankings) {
      if (one.sight != sight) continue;
      for (const Scored& item :
           cut(context, std::span<const float>(one.ranking.scores), options, one.name)) {
        joined.add(UnitId(item.item));
      }
    }
  }
  fill_up(rankings, options, &joined);
  SelectedItems items{.found = joined.list(), .ranking = {}};
  const bool ranks = options.least_ranked > 0;
  if (ranks) items.ranking = by_best_rank(rankings, options, items.found, page_of);
  return items;
}

}  // namespace

SelectedItems select_items(session::Context& context, const std::vector<NamedRanking>& rankings,
                           const SearchOptions& options, const PageOf& page_of) {
  if (options.fusion == Fusion::union_of_lists) {
    return join(context, rankings, options, page_of);
  }
  const std::vector<double> fused = fuse(rankings, options.fusion);
  SelectedItems items{.found = cut(context, std::span<const double>(fused), options, ""),
                      .ranking = {}};
  const bool ranks = options.least_ranked > 0;
  if (ranks) items.ranking = ranked(std::span<const double>(fused), options, page_of);
  return items;
}

}  // namespace fineprint::retrieve
