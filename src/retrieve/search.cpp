// Ranks pages: every scorer over the pool, fused, cut at K.
#include "fineprint/retrieve/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "fineprint/core/json.h"
#include "fineprint/retrieve/query.h"

#include "retrieve/chosen_scorer.h"
#include "retrieve/mask_parts.h"
#include "retrieve/selection.h"

namespace fineprint::retrieve {
namespace {

// A page that the question names ("on page 5") gains this much; a good chunk's score is about 1.
constexpr float kNamedPageBonus = 0.3F;

// The pages of the pool that the question names, each with the bonus.
Ranking by_named_pages(const session::Corpus& corpus, const Query& query,
                       const session::Pool& pool) {
  Ranking ranking = empty_ranking(corpus);
  for (const std::uint32_t document : pool) {
    const int count = corpus.documents()[document].row.page_count;
    for (const text::PageRange& range : query.named_pages) {
      const int first = range.first == text::kLastPage ? count : range.first;
      const int last = range.last == text::kLastPage ? count : range.last;
      for (int page = std::max(first, 1); page <= std::min(last, count); ++page) {
        ranking.scores[corpus.page_number(document, page)] = kNamedPageBonus;
      }
    }
  }
  return ranking;
}

class Searching {
 public:
  Searching(session::Context& context, const std::string& question, const SearchOptions& options)
      : context_(context),
        options_(options),
        pool_(context.session.corpus().pool(options.docs)),
        query_(prepare_query(question)) {
    for (const std::string& text : options.scorers) {
      scorers_.push_back(choose_scorer(text, options));
    }
  }

  std::vector<FoundPage> run() {
    // Nothing is worth loading a model for.
    if (context_.session.corpus().page_count() == 0) return {};
    rank_all();
    std::vector<FoundPage> pages;
    for (const score::Scored& page : select_pages(context_, rankings_, options_)) {
      pages.push_back(describe(page));
    }
    if (options_.explain) explain(&pages);
    return pages;
  }

 private:
  PageSearch over(const ChosenScorer& scorer) const {
    return {context_, query_, pool_, options_, scorer.set};
  }

  void rank_all() {
    for (const ChosenScorer& scorer : scorers_) {
      const auto start = std::chrono::steady_clock::now();
      Ranking ranking = scorer.rank(over(scorer));
      const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
      if (context_.trace.enabled()) {
        const auto pages =
            std::ranges::count_if(ranking.scores, [](float score) { return std::isfinite(score); });
        context_.trace.add(scorer.name, ms.count(), dump_json({{"pages", pages}}));
      }
      rankings_.push_back({scorer.name, scorer.weight, scorer.sight, std::move(ranking)});
    }
    if (!query_.named_pages.empty()) {
      rankings_.push_back(
          {"named page", 1, Sight::text, by_named_pages(context_.session.corpus(), query_, pool_)});
    }
  }

  // The page with each scorer's part and the chunk of the first scorer that names one.
  FoundPage describe(const score::Scored& page) const {
    FoundPage found{page.item, page.score, {}, std::nullopt, {}};
    for (const NamedRanking& one : rankings_) {
      const float score = one.ranking.scores[page.item];
      if (std::isfinite(score)) found.scores.push_back({one.name, score});
      if (found.chunk || one.ranking.best_chunk.empty()) continue;
      const std::uint32_t chunk = one.ranking.best_chunk[page.item];
      if (chunk != kNoChunk) found.chunk = chunk;
    }
    return found;
  }

  void explain(std::vector<FoundPage>* pages) const {
    for (const ChosenScorer& scorer : scorers_) {
      if (!scorer.masks) continue;
      for (FoundPage& page : *pages) {
        std::optional<MaskParts> parts = mask_parts(over(scorer), page.page);
        if (!parts) continue;
        parts->scorer = scorer.name;
        page.masks.push_back(*std::move(parts));
      }
    }
  }

  session::Context& context_;
  const SearchOptions& options_;
  session::Pool pool_;
  Query query_;
  std::vector<ChosenScorer> scorers_;
  std::vector<NamedRanking> rankings_;
};

}  // namespace

std::vector<FoundPage> search(session::Context& context, const std::string& query,
                              const SearchOptions& options) {
  return Searching(context, query, options).run();
}

}  // namespace fineprint::retrieve
