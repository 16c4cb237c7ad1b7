// Ranks pages, chunks or elements: runs every scorer over the pool, fuses, and cuts at K.
#include "fineprint/retrieve/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/retrieve/language_advice.h"
#include "fineprint/retrieve/query.h"

#include "retrieve/chosen_scorer.h"
#include "retrieve/gold_pages.h"
#include "retrieve/mask_mode.h"
#include "retrieve/outside_scan.h"
#include "retrieve/picture_query.h"
#include "retrieve/rerank.h"
#include "retrieve/selection.h"
#include "retrieve/substitutes.h"
#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

// Turns a ranker's list into scores. Pages with equal scores keep their order in the list, because
// each earlier page gets at least the next larger number.
Ranking ranking_of(const session::Corpus& corpus, const std::vector<RankedPage>& pages) {
  Ranking ranking = empty_ranking(corpus);
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  float below = -kInfinite;
  for (auto page = pages.rbegin(); page != pages.rend(); ++page) {
    below = std::max(static_cast<float>(page->score), std::nextafter(below, kInfinite));
    ranking.scores[page->page.value] = below;
  }
  return ranking;
}

void check_knows_chunks(const ChosenScorer& scorer) {
  if (scorer.rank_chunks != nullptr) return;
  throw Error(ErrorCode::usage,
              format("the scorer {} ranks page images, not chunks of text; use bm25, text or "
                     "late-text",
                     scorer.name));
}

// One search for one question; holds the rankings while scorers run.
class Searching {
 public:
  // `query` and `options` must outlive the search.
  Searching(session::Context& context, const Query& query, const SearchOptions& options)
      : context_(context),
        options_(options),
        pool_(options.pool ? *options.pool : context.session.corpus().pool(options.docs)),
        query_(query),
        scorers_(choose_scorers(options)),
        pictures_(pictures_of(context, options)) {
    check_outside(options, scorers_);
    if (query_.terms_left_out == 0) return;
    log::warn("the question has {} different words; only the first {} are looked up",
              query_.terms_left_out + kMostTerms, kMostTerms);
  }

  RankedPages pages() {
    const session::Corpus& corpus = context_.session.corpus();
    // Without pages it is not worth loading a model.
    if (corpus.page_count() == 0) return {};
    advise_once(corpus.store(), query_.language);
    if (needs_only_first()) {
      rank_first(scorers_.front());
    } else {
      rank_all_pages();
    }
    const auto page_of = [&](UnitId unit) {
      return first_ ? (*first_)[unit.value] : as_page(unit);
    };
    const SelectedItems items = select_items(context_, rankings_, options_, page_of);
    RankedPages pages;
    for (const score::Scored& page : items.found) {
      pages.found.push_back(describe({page_of(UnitId(page.item)), page.score}));
    }
    for (const RankedPage& page : items.ranking) pages.ranking.push_back(describe(page));
    if (options_.explain) explain(&pages.found);
    return pages;
  }

  RankedFinds<FoundChunk> chunks() {
    // Checked before any scorer runs, because the first one may take seconds.
    for (const ChosenScorer& scorer : scorers_) check_knows_chunks(scorer);
    const session::Corpus& corpus = context_.session.corpus();
    if (corpus.page_count() == 0) return {};
    for (const ChosenScorer& scorer : scorers_) {
      rank(scorer, "chunks", [&] { return scorer.rank_chunks(over(scorer.set)); });
      rank_by_pictures(scorer, "chunks", scorer.rank_chunks);
    }
    add_named(chunks_by_named_page);
    add_shown(chunks_by_shown_picture);
    const session::ChunkTable& table = corpus.chunks();
    const auto page_of = [&](UnitId chunk) { return table.page_of(as_chunk(chunk)); };
    SelectedItems items = select_items(context_, rankings_, options_, page_of);
    RankedFinds<FoundChunk> chunks{.found = {}, .ranking = std::move(items.ranking)};
    for (const score::Scored& one : items.found) {
      const ChunkId chunk(one.item);
      chunks.found.push_back({chunk, table.page_of(chunk), one.score});
    }
    return chunks;
  }

  // Ranks pages and elements together: element e is the unit page_count + e.
  RankedFinds<FoundUnit> units() {
    const session::Corpus& corpus = context_.session.corpus();
    const UnitId first_element(corpus.page_count());
    if (corpus.page_count() == 0) return {};
    for (const ChosenScorer& scorer : scorers_) {
      rank(scorer, "units", [&] { return with_elements(scorer); });
      rank_by_pictures(scorer, "units", pages_alone(scorer));
    }
    for (const ChosenScorer& scorer : sets_for_pictures(context_.session, pictures_, scorers_)) {
      rank_by_pictures(scorer, "units", pages_alone(scorer));
    }
    add_named([&](const PageSearch& search) {
      return joined(by_named_page(search), elements_by_named_page(search));
    });
    add_shown([&](const PageSearch& search) {
      return joined(by_shown_picture(search), elements_by_shown_picture(search));
    });
    const session::ElementTable& elements = corpus.elements();
    const auto element_of = [&](UnitId unit) {
      return unit < first_element ? std::nullopt : std::optional(ElementId(unit - first_element));
    };
    const auto page_of = [&](UnitId unit) {
      const std::optional<ElementId> element = element_of(unit);
      return element ? elements.page_of(*element) : as_page(unit);
    };
    SelectedItems items = select_items(context_, rankings_, options_, page_of);
    RankedFinds<FoundUnit> units{.found = {}, .ranking = std::move(items.ranking)};
    for (const score::Scored& one : items.found) {
      const UnitId unit(one.item);
      units.found.push_back(
          {.page = page_of(unit), .element = element_of(unit), .score = one.score});
    }
    return units;
  }

 private:
  // Whether no other pages than the first ones of the only scorer can be found or ranked.
  bool needs_only_first() const {
    return scorers_.size() == 1 && scorers_.front().rank_first != nullptr &&
           scorers_.front().weight > 0 && options_.fusion == Fusion::weighted &&
           pages_scored_exactly(options_) > 0 && pictures_.empty() && context_.pictures.empty() &&
           query_.named_pages.empty() && context_.session.corpus().chunks().in_page_order;
  }

  // Scores are then kept of these pages alone, by their places in `first_`.
  void rank_first(const ChosenScorer& scorer) {
    rank(scorer, "pages", [&] {
      FirstPages first = scorer.rank_first(over(scorer.set), pages_scored_exactly(options_));
      first_ = std::move(first.pages);
      return std::move(first.ranking);
    });
  }

  void rank_all_pages() {
    for (const ChosenScorer& scorer : scorers_) {
      rank(scorer, "pages", [&] { return ranked_pages(scorer); });
      rank_by_pictures(scorer, "pages", scorer.rank);
    }
    for (const ChosenScorer& scorer : sets_for_pictures(context_.session, pictures_, scorers_)) {
      rank_by_pictures(scorer, "pages", scorer.rank);
    }
    // The bonus is one more ranking, so that explanations show it by name.
    add_named(by_named_page);
    add_shown(by_shown_picture);
  }

  // Returns where rankings have the score of a page that is found or ranked.
  std::size_t place_of(PageId page) const {
    if (!first_) return page.value;
    return static_cast<std::size_t>(std::ranges::lower_bound(*first_, page) - first_->begin());
  }

  PageSearch over(const std::string& set) const { return {context_, query_, pool_, options_, set}; }

  // Each picture is a further query of a scorer, and one ranking more. Together the pictures weigh
  // as much as the question, and both no more than the question alone, so that scores stay
  // comparable.
  void rank_by_pictures(const ChosenScorer& scorer, const char* items,
                        const std::function<Ranking(const PageSearch&)>& rank_items) {
    if (scorer.ranker != nullptr) return;
    std::vector<const PictureQuery*> usable;
    for (const PictureQuery& picture : pictures_) {
      if (picture.is_query_of(scorer)) usable.push_back(&picture);
    }
    const bool also_asked = !rankings_.empty() && rankings_.back().name == scorer.name;
    const double share = (also_asked ? 0.5 : 1.0) / static_cast<double>(usable.size());
    std::size_t ranked = 0;
    for (const PictureQuery* picture : usable) {
      ChosenScorer by_picture = scorer;
      by_picture.name = format("{} of picture {}", scorer.name, picture->number + 1);
      by_picture.weight = scorer.weight * share;
      PageSearch search{context_, picture->query, pool_, options_, scorer.set};
      if (scorer.sight == Sight::image) search.picture = &picture->picture();
      ranked += picture->try_to_rank(
                    scorer, [&] { rank(by_picture, items, [&] { return rank_items(search); }); })
                    ? 1
                    : 0;
    }
    if (ranked > 0 && also_asked) rankings_[rankings_.size() - ranked - 1].weight *= 0.5;
  }

  // Rankers run searches of their own, so they get the question as it was asked, not the query.
  Ranking ranked_pages(const ChosenScorer& scorer) {
    if (scorer.ranker == nullptr) return scorer.rank(over(scorer.set));
    return ranking_of(context_.session.corpus(),
                      scorer.ranker->rank(context_, query_.question, options_));
  }

  // Appends elements to pages; both have the same scale.
  static Ranking joined(Ranking pages, const Ranking& elements) {
    pages.scores.insert(pages.scores.end(), elements.scores.begin(), elements.scores.end());
    // Chunks explain pages, and this ranking also has elements.
    pages.best_chunk.clear();
    return pages;
  }

  // Ranks pages among units; elements get no score.
  std::function<Ranking(const PageSearch&)> pages_alone(const ChosenScorer& scorer) const {
    return [this, rank = scorer.rank](const PageSearch& search) {
      Ranking elements;
      elements.scores.assign(context_.session.corpus().elements().page.size(),
                             std::numeric_limits<float>::quiet_NaN());
      return joined(rank(search), elements);
    };
  }

  Ranking with_elements(const ChosenScorer& scorer) {
    // Without vectors of elements the scorer ranks only pages; elements get no score from it.
    const bool has_none = scorer.rank_elements == nullptr ||
                          (options_.substitute && lacks_elements(context_.session, scorer));
    Ranking elements;
    elements.scores.assign(context_.session.corpus().elements().page.size(),
                           std::numeric_limits<float>::quiet_NaN());
    if (!has_none) elements = scorer.rank_elements(over(store::elements_set(scorer.set)));
    return joined(ranked_pages(scorer), elements);
  }

  void rank(const ChosenScorer& scorer, const char* items,
            const std::function<Ranking()>& ranking_by) {
    const auto start = std::chrono::steady_clock::now();
    Ranking ranking = ranking_by();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    if (context_.events.wants_fields()) {
      const auto ranked =
          std::ranges::count_if(ranking.scores, [](float score) { return std::isfinite(score); });
      context_.events.tell(
          {.step = scorer.name, .ms = ms.count(), .fields = dump_json({{items, ranked}})});
    }
    rankings_.push_back({.name = scorer.name,
                         .weight = scorer.weight,
                         .sight = scorer.sight,
                         .ranking = std::move(ranking),
                         .bonus = false});
  }

  void add_named(const std::function<Ranking(const PageSearch&)>& function) {
    if (query_.named_pages.empty()) return;
    rankings_.push_back({.name = "named page",
                         .weight = 1,
                         .sight = Sight::text,
                         .ranking = function(over("")),
                         .bonus = true});
  }

  void add_shown(const std::function<Ranking(const PageSearch&)>& function) {
    const bool any = std::ranges::any_of(context_.pictures, [](const QuestionPicture& picture) {
      return !picture.record.found.empty();
    });
    if (!any) return;
    rankings_.push_back({.name = "shown picture",
                         .weight = 1,
                         .sight = Sight::image,
                         .ranking = function(over("")),
                         .bonus = true});
  }

  // Describes a found page, with each scorer's part and the chunk of the first scorer that names
  // one.
  FoundPage describe(const RankedPage& page) const {
    FoundPage found{
        .page = page.page, .score = page.score, .scores = {}, .chunk = std::nullopt, .masks = {}};
    const std::size_t place = place_of(page.page);
    for (const NamedRanking& one : rankings_) {
      const float score = one.ranking.scores[place];
      if (std::isfinite(score)) found.scores.push_back({one.name, score});
      if (found.chunk || one.ranking.best_chunk.empty()) continue;
      const ChunkId chunk = one.ranking.best_chunk[place];
      if (chunk != kNoChunk) found.chunk = chunk;
    }
    return found;
  }

  void explain(std::vector<FoundPage>* pages) const {
    for (const ChosenScorer& scorer : scorers_) {
      if (!scorer.masks) continue;
      for (FoundPage& page : *pages) {
        std::optional<MaskParts> parts = mask_parts(over(scorer.set), page.page);
        if (!parts) continue;
        parts->scorer = scorer.name;
        page.masks.push_back(*std::move(parts));
      }
    }
  }

  session::Context& context_;
  const SearchOptions& options_;
  session::Pool pool_;
  const Query& query_;
  std::vector<ChosenScorer> scorers_;
  std::vector<PictureQuery> pictures_;  // of the question
  std::vector<NamedRanking> rankings_;
  // The pages that rankings have scores of, if these are not all pages.
  std::optional<std::vector<PageId>> first_;
};

// Reports the found pages to a person who follows: "found report.pdf:3 0.81, report.pdf:4 0.40".
template <class Found>
void report_found(const session::Context& context, const std::vector<Found>& found) {
  if (!context.events.wants_lines()) return;
  std::string list;
  for (const Found& one : found) {
    const PageRef page = context.session.corpus().ref(one.page);
    list += format("{}{}:{} {:.3f}", list.empty() ? "" : ", ", page.doc, page.page, one.score);
  }
  context.events.tell({.line = "found " + (list.empty() ? "nothing" : list)});
}

// Returns the pages that the model sorts: the first K are found, and all that it read are ranked,
// as far as the ranking goes.
RankedPages ranked_by_model(session::Context& context, const Query& query,
                            std::vector<FoundPage> found, const SearchOptions& options) {
  SearchOptions wide = options;
  wide.k = std::max(options.k, std::min(options.least_ranked, static_cast<int>(found.size())));
  RankedPages pages;
  pages.ranking = reranked(context, query, std::move(found), wide);
  const auto most = std::min(pages.ranking.size(), static_cast<std::size_t>(options.k));
  pages.found.assign(pages.ranking.begin(),
                     pages.ranking.begin() + static_cast<std::ptrdiff_t>(most));
  return pages;
}

// Does not look at SearchOptions::also.
RankedPages ranked_by_one(session::Context& context, const Query& query,
                          const SearchOptions& options) {
  if (options.gold_pages) {
    const std::vector<FoundPage> gold =
        gold_pages(context.session.corpus(), query.question, options);
    report_found(context, gold);
    return {.found = gold, .ranking = gold};
  }
  const SearchOptions there = with_mask_mode(context, with_substitutes(context, options));
  const SearchOptions first = before_rerank(context.session.models(), there);
  RankedPages pages = Searching(context, query, first).pages();
  if (is_reranked(context.session.models(), there)) {
    pages = ranked_by_model(context, query, std::move(pages.found), there);
  }
  report_found(context, pages.found);
  return pages;
}

SearchOptions without_also(SearchOptions options) {
  options.also.clear();
  return options;
}

// Appends what the further question found, except the pages or chunks that are there already.
template <class Found, class Id>
void append_further(std::vector<Found> further, Id Found::* id, std::vector<Found>* found) {
  for (Found& one : further) {
    const bool known =
        std::ranges::any_of(*found, [&](const Found& earlier) { return earlier.*id == one.*id; });
    if (!known) found->push_back(std::move(one));
  }
}

RankedPages ranked_by(session::Context& context, const Query& query, const SearchOptions& options) {
  if (options.also.empty() || options.gold_pages) return ranked_by_one(context, query, options);
  const SearchOptions each = without_also(options);
  RankedPages pages = ranked_by_one(context, query, each);
  const std::vector<std::string>& languages = context.session.corpus().languages();
  const Query also = prepare_query(options.also, languages, options.query);
  const RankedPages further = ranked_by_one(context, also, each);
  append_further(further.found, &FoundPage::page, &pages.found);
  append_further(further.found, &FoundPage::page, &pages.ranking);
  return pages;
}

// Returns the pages of found chunks or units, each once, with the score of the first.
template <class Found>
std::vector<RankedPage> pages_of(const std::vector<Found>& found) {
  std::vector<RankedPage> pages;
  for (const Found& one : found) {
    if (std::ranges::find(pages, one.page, &RankedPage::page) != pages.end()) continue;
    pages.push_back({one.page, one.score});
  }
  return pages;
}

// Does not look at SearchOptions::also.
RankedFinds<FoundChunk> chunks_by_one(session::Context& context, const std::string& query,
                                      const SearchOptions& options) {
  if (options.gold_pages) {
    std::vector<FoundChunk> gold = gold_chunks(context.session.corpus(), query, options);
    report_found(context, gold);
    return {.found = gold, .ranking = pages_of(gold)};
  }
  const SearchOptions there = with_mask_mode(context, with_substitutes(context, options));
  const SearchOptions first = before_rerank(context.session.models(), there);
  const Query prepared = prepare_query(query, context.session.corpus().languages(), options.query);
  RankedFinds<FoundChunk> chunks = Searching(context, prepared, first).chunks();
  if (is_reranked(context.session.models(), there)) {
    // All chunks that the model reads are ranked by it; the first K are found.
    SearchOptions all = there;
    all.k = std::max(there.k, static_cast<int>(chunks.found.size()));
    chunks.found = reranked(context, prepared, std::move(chunks.found), all);
    chunks.ranking = pages_of(chunks.found);
    const auto most = static_cast<std::size_t>(there.k);
    if (chunks.found.size() > most) chunks.found.resize(most);
  }
  report_found(context, chunks.found);
  return chunks;
}

RankedFinds<FoundChunk> chunks_by(session::Context& context, const std::string& query,
                                  const SearchOptions& options) {
  if (options.also.empty() || options.gold_pages) return chunks_by_one(context, query, options);
  const SearchOptions each = without_also(options);
  RankedFinds<FoundChunk> both = chunks_by_one(context, query, each);
  RankedFinds<FoundChunk> further = chunks_by_one(context, options.also, each);
  append_further(pages_of(further.found), &RankedPage::page, &both.ranking);
  append_further(std::move(further.found), &FoundChunk::chunk, &both.found);
  return both;
}

// Rerankers read pages and chunks; nothing here gives them the text or the picture of an element.
void refuse_rerank(const session::Models& models, const SearchOptions& options) {
  if (chosen_reranker(models, options).empty()) return;
  throw Error(ErrorCode::usage,
              format("--rerank {} cannot be used here, because pages and elements of document maps "
                     "are ranked together and no reranker reads elements; leave it out",
                     options.rerank));
}

RankedFinds<FoundUnit> units_by(session::Context& context, const std::string& query,
                                const SearchOptions& options) {
  if (options.gold_pages) {
    std::vector<FoundUnit> gold;
    for (const FoundPage& page : search(context, query, options)) {
      gold.push_back({.page = page.page, .score = page.score});
    }
    return {.found = gold, .ranking = pages_of(gold)};
  }
  refuse_rerank(context.session.models(), options);
  const SearchOptions there = with_mask_mode(context, with_substitutes(context, options));
  tell_lacking_elements(context, there);
  const Query prepared = prepare_query(query, context.session.corpus().languages(), options.query);
  RankedFinds<FoundUnit> units = Searching(context, prepared, there).units();
  report_found(context, units.found);
  return units;
}

}  // namespace

std::vector<FoundPage> search(session::Context& context, const std::string& query,
                              const SearchOptions& options) {
  const std::vector<std::string>& languages = context.session.corpus().languages();
  return search(context, prepare_query(query, languages, options.query), options);
}

std::vector<FoundPage> search(session::Context& context, const Query& query,
                              const SearchOptions& options) {
  return ranked_by(context, query, options).found;
}

RankedPages search_ranked(session::Context& context, const std::string& query,
                          SearchOptions options) {
  options.least_ranked = kLeastRanked;
  const std::vector<std::string>& languages = context.session.corpus().languages();
  return ranked_by(context, prepare_query(query, languages, options.query), options);
}

std::vector<FoundChunk> search_chunks(session::Context& context, const std::string& query,
                                      const SearchOptions& options) {
  return chunks_by(context, query, options).found;
}

RankedFinds<FoundChunk> search_chunks_ranked(session::Context& context, const std::string& query,
                                             SearchOptions options) {
  options.least_ranked = kLeastRanked;
  return chunks_by(context, query, options);
}

std::vector<FoundUnit> search_with_elements(session::Context& context, const std::string& query,
                                            const SearchOptions& options) {
  return units_by(context, query, options).found;
}

RankedFinds<FoundUnit> search_with_elements_ranked(session::Context& context,
                                                   const std::string& query,
                                                   SearchOptions options) {
  options.least_ranked = kLeastRanked;
  return units_by(context, query, options);
}

void require_elements(const session::Session& session, const SearchOptions& options) {
  if (options.gold_pages) return require_scorers(session, options);
  refuse_rerank(session.models(), options);
  require_scorers(session, options);
  if (options.substitute || session.corpus().page_count() == 0) return;
  for (const ChosenScorer& scorer : choose_scorers(options)) {
    if (scorer.rank_elements != nullptr) session.vectors(store::elements_set(scorer.set));
  }
}

void require_scorers(const session::Session& session, const SearchOptions& options) {
  if (options.gold_pages) {
    choose_scorers(options);  // throws for unknown names; gold pages are found without vectors
    return;
  }
  const SearchOptions there = substituted(session, options).options;
  const std::vector<ChosenScorer> scorers = choose_scorers(there);
  check_outside(there, scorers);
  before_rerank(session.models(), there);
  const std::string reranker = chosen_reranker(session.models(), there);
  if (!reranker.empty()) session.models().check_reranker(reranker);
  // A store without pages is searched without vectors, so none are required.
  if (session.corpus().page_count() == 0) return;
  for (const ChosenScorer& scorer : scorers) {
    if (!scorer.set.empty()) session.open(scorer.set);
    if (scorer.ranker != nullptr) scorer.ranker->check(session, there);
  }
}

void check_scorers(const SearchOptions& options) { choose_scorers(options); }

std::vector<std::string> chosen_rankers(const SearchOptions& options) {
  std::vector<std::string> names;
  for (const std::string& scorer : options.scorers) {
    // Only the name is read: a wrong weight is reported by choose_scorers().
    const std::string name = scorer.substr(0, scorer.find(':'));
    const auto found = std::ranges::find(options.rankers, name, &PageRanker::name);
    if (found != options.rankers.end()) names.push_back(name);
  }
  return names;
}

std::string image_set(const SearchOptions& options) {
  for (const ChosenScorer& scorer : choose_scorers(options)) {
    if (scorer.sight == Sight::image) return scorer.set;
  }
  return {};
}

std::vector<PageId> page_numbers(const std::vector<FoundPage>& found) {
  std::vector<PageId> pages;
  for (const FoundPage& page : found) pages.push_back(page.page);
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<FoundPage>& found) {
  std::vector<RetrievedPage> pages;
  for (const FoundPage& page : found) {
    pages.push_back({context.session.corpus().ref(page.page), page.score, true});
  }
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<FoundPage>& ranking,
                                           const std::vector<PageId>& shown) {
  std::vector<RetrievedPage> pages;
  for (const FoundPage& page : ranking) {
    const bool is_shown = std::ranges::find(shown, page.page) != shown.end();
    pages.push_back({context.session.corpus().ref(page.page), page.score, is_shown});
  }
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<RankedPage>& shown,
                                           const std::vector<RankedPage>& ranking) {
  const session::Corpus& corpus = context.session.corpus();
  std::vector<RetrievedPage> pages;
  for (const RankedPage& page : shown) pages.push_back({corpus.ref(page.page), page.score, true});
  for (const RankedPage& page : ranking) {
    if (pages.size() >= kLeastRanked) break;
    const bool is_shown = std::ranges::find(shown, page.page, &RankedPage::page) != shown.end();
    if (!is_shown) pages.push_back({corpus.ref(page.page), page.score, false});
  }
  return pages;
}

}  // namespace fineprint::retrieve
