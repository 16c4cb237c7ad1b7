// Ranks pages: every scorer over the pool, fused, cut at K.
#include "fineprint/retrieve/search.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/retrieve/query.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

struct Scorer {
  const char* name;
  Ranking (*rank)(const session::Context&, const Query&, const session::Pool&);
};

constexpr Scorer kScorers[] = {{"bm25", by_bm25}, {"text", by_text}};

// A page that the question names ("on page 5") gains this much; a good chunk's score is about 1.
constexpr double kNamedPageBonus = 0.3;

// A scorer as the options name it: "bm25" or "bm25:0.7".
struct ChosenScorer {
  const Scorer* scorer = nullptr;
  double weight = 1;
};

ChosenScorer choose_scorer(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  ChosenScorer chosen;
  if (colon < text.size()) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, chosen.weight);
    if (error != std::errc() || stop != end || !std::isfinite(chosen.weight) || chosen.weight < 0) {
      throw Error(ErrorCode::usage,
                  format("--scorer {}: expected NAME or NAME:WEIGHT, a weight of 0 or more", text));
    }
  }
  std::string names;
  for (const Scorer& scorer : kScorers) {
    if (scorer.name == text.substr(0, colon)) chosen.scorer = &scorer;
    names += (names.empty() ? "" : ", ") + std::string(scorer.name);
  }
  if (chosen.scorer == nullptr) {
    throw Error(ErrorCode::usage, format("there is no scorer \"{}\"; there are: {}", text, names));
  }
  return chosen;
}

// The pages of the pool that the question names, each with the bonus.
Ranking by_named_pages(const session::Corpus& corpus, const Query& query,
                       const session::Pool& pool) {
  Ranking ranking;
  for (const std::uint32_t document : pool) {
    const int count = corpus.documents()[document].row.page_count;
    std::vector<bool> named(static_cast<std::size_t>(count) + 1);
    for (const text::PageRange& range : query.named_pages) {
      const int first = range.first == text::kLastPage ? count : range.first;
      const int last = range.last == text::kLastPage ? count : range.last;
      for (int page = std::max(first, 1); page <= std::min(last, count); ++page) {
        named[static_cast<std::size_t>(page)] = true;
      }
    }
    for (int page = 1; page <= count; ++page) {
      if (named[static_cast<std::size_t>(page)]) {
        ranking.pages.push_back({corpus.page_number(document, page), kNamedPageBonus});
      }
    }
  }
  return ranking;
}

// All rankings of a search, with their names and weights.
struct Rankings {
  std::vector<std::string> names;
  std::vector<double> weights;
  std::vector<Ranking> rankings;

  void add(const std::string& name, double weight, Ranking ranking) {
    names.push_back(name);
    weights.push_back(weight);
    rankings.push_back(std::move(ranking));
  }
};

Rankings rank_all(session::Context& context, const Query& query, const session::Pool& pool,
                  const std::vector<std::string>& scorers) {
  Rankings all;
  for (const std::string& text : scorers) {
    const ChosenScorer chosen = choose_scorer(text);
    const auto start = std::chrono::steady_clock::now();
    all.add(chosen.scorer->name, chosen.weight, chosen.scorer->rank(context, query, pool));
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    if (context.trace.enabled()) {
      context.trace.add(chosen.scorer->name, ms.count(),
                        dump_json({{"pages", all.rankings.back().pages.size()}}));
    }
  }
  if (!query.named_pages.empty()) {
    all.add("named page", 1, by_named_pages(context.session.corpus(), query, pool));
  }
  return all;
}

std::vector<score::Scored> fuse(const Rankings& all, Fusion fusion) {
  std::vector<std::vector<score::Scored>> lists;
  for (const Ranking& ranking : all.rankings) lists.push_back(ranking.pages);
  switch (fusion) {
    case Fusion::rrf:
      return score::reciprocal_rank_fusion(lists, all.weights);
    case Fusion::zscore:
      return score::weighted_fusion(lists, all.weights);
    case Fusion::weighted:
      break;
  }
  return score::weighted_sum(lists, all.weights);
}

std::size_t cut(session::Context& context, const std::vector<score::Scored>& fused,
                const SearchOptions& options) {
  if (!options.adaptive) return std::min(fused.size(), static_cast<std::size_t>(options.k));
  std::vector<double> scores;
  for (const score::Scored& page : fused) scores.push_back(page.score);
  score::AdaptiveKOptions limits = options.adaptive_options;
  limits.top_k = options.k;
  const score::AdaptiveK choice = score::adaptive_k(scores, limits);
  if (context.trace.enabled()) {
    const score::TwoGaussians& model = choice.fit.model;
    context.trace.add("adaptive_k", 0,
                      dump_json({{"k", choice.k},
                                 {"fitted", choice.fitted},
                                 {"weights", model.weight},
                                 {"means", model.mean},
                                 {"variances", model.variance},
                                 {"iterations", choice.fit.iterations}}));
  }
  return std::min(fused.size(), static_cast<std::size_t>(choice.k));
}

// The page with each scorer's part and the chunk of the first scorer that names one.
FoundPage describe(const score::Scored& page, const Rankings& all) {
  FoundPage found{page.item, page.score, {}, std::nullopt};
  for (std::size_t i = 0; i < all.rankings.size(); ++i) {
    const Ranking& ranking = all.rankings[i];
    const auto at =
        std::find_if(ranking.pages.begin(), ranking.pages.end(),
                     [&](const score::Scored& other) { return other.item == page.item; });
    if (at != ranking.pages.end()) found.scores.push_back({all.names[i], at->score});
    const auto chunk = ranking.best_chunk.find(page.item);
    if (!found.chunk && chunk != ranking.best_chunk.end()) found.chunk = chunk->second;
  }
  return found;
}

}  // namespace

std::vector<std::string> scorer_names() {
  std::vector<std::string> names;
  for (const Scorer& scorer : kScorers) names.emplace_back(scorer.name);
  return names;
}

std::vector<FoundPage> search(session::Context& context, const std::string& query_text,
                              const SearchOptions& options) {
  const session::Pool pool = context.session.corpus().pool(options.docs);
  const Query query = prepare_query(query_text);
  const Rankings all = rank_all(context, query, pool, options.scorers);
  const std::vector<score::Scored> fused = fuse(all, options.fusion);
  std::vector<FoundPage> pages;
  for (std::size_t i = 0, count = cut(context, fused, options); i < count; ++i) {
    pages.push_back(describe(fused[i], all));
  }
  return pages;
}

}  // namespace fineprint::retrieve
