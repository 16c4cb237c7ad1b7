// Reranks found pages and chunks by a model that reads each of them together with the question.
#include "retrieve/rerank.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/stop.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/reranker.h"
#include "fineprint/retrieve/coverage.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/terms.h"

namespace fineprint::retrieve {
namespace {

constexpr const char* kRerankName = "rerank";
// Pairs per call of the model. More is better, because the model sorts a batch by length, but an
// interrupt is noticed only between calls.
constexpr std::size_t kPairsACall = 64;
// Fewer passages than pairs of a question and a chunk, because passages are longer.
constexpr std::size_t kPassagesACall = 16;
constexpr std::size_t kPiecesAPage = 400;  // that a QA model reads of a page, on average
// Pictures have about a thousand tokens each.
constexpr std::size_t kPicturesACall = 4;

// Finds the ids of each page's chunks.
class ChunksOfPages {
 public:
  explicit ChunksOfPages(const session::Corpus& corpus) : corpus_(corpus) {}

  // Returns the range [first, last).
  std::pair<ChunkId, ChunkId> of(PageId page) const {
    const session::ChunkTable& table = corpus_.chunks();
    const DocumentId document = corpus_.document_of(page);
    const auto begin = table.page.begin() + table.begin_of(document).value;
    const auto end = table.page.begin() + table.end_of(document).value;
    const auto [first, last] = std::equal_range(begin, end, page);
    return {ChunkId(static_cast<std::uint32_t>(first - table.page.begin())),
            ChunkId(static_cast<std::uint32_t>(last - table.page.begin()))};
  }

 private:
  const session::Corpus& corpus_;
};

// Returns the scores of `count` items in order. Calls `score(first, number)` for at most `a_call`
// items at a time. Returns fewer scores if the question's time is up. Traces the step; `unit` is
// the name of the items in the trace.
template <class Score>
std::vector<double> scored_in_time(session::Context& context, const models::Reranker& model,
                                   const char* unit, std::size_t count, std::size_t a_call,
                                   const Score& score) {
  if (count == 0) return {};
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> scores;
  while (scores.size() < count && context.in_time()) {
    const std::vector<double> some = score(scores.size(), std::min(a_call, count - scores.size()));
    scores.insert(scores.end(), some.begin(), some.end());
  }
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  if (context.events.wants_fields()) {
    const Json fields = {{"model", model.name()}, {unit, count}};
    context.events.tell({.step = kRerankName, .ms = ms.count(), .fields = dump_json(fields)});
  }
  return scores;
}

// Returns the model's score of each chunk.
std::vector<double> chunk_verdicts(session::Context& context, const models::Reranker& model,
                                   const std::string& question,
                                   const std::vector<ChunkId>& chunks) {
  const auto score = [&](std::size_t first, std::size_t number) {
    std::vector<std::string> texts;
    for (std::size_t i = first; i < first + number; ++i) {
      texts.push_back(embedded_text(context.session.corpus().chunk(chunks[i])));
    }
    return model.score(question, texts);
  };
  return scored_in_time(context, model, "chunks", chunks.size(), kPairsACall, score);
}

// The model's score of a found page; `place` is its index in the list of found pages.
struct RerankScore {
  std::size_t place = 0;
  double score = 0;
  std::optional<ChunkId> chunk;  // the best chunk, if texts were read
};

// Scores each page by its best chunk (MaxP).
std::vector<RerankScore> judged_texts(session::Context& context, const models::Reranker& model,
                                      const std::string& question,
                                      const std::vector<FoundPage>& found) {
  const ChunksOfPages chunks_of(context.session.corpus());
  std::vector<ChunkId> chunks;
  std::vector<std::size_t> place_of;  // of each chunk's page
  for (std::size_t place = 0; place < found.size(); ++place) {
    const auto [first, last] = chunks_of.of(found[place].page);
    for (ChunkId chunk = first; chunk < last; ++chunk) {
      chunks.push_back(chunk);
      place_of.push_back(place);
    }
  }
  const std::vector<double> scores = chunk_verdicts(context, model, question, chunks);
  std::map<std::size_t, RerankScore> best;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto [known, is_first] =
        best.try_emplace(place_of[i], RerankScore{place_of[i], scores[i], chunks[i]});
    if (!is_first && scores[i] > known->second.score) {
      known->second = {place_of[i], scores[i], chunks[i]};
    }
  }
  std::vector<RerankScore> scored;
  scored.reserve(best.size());
  for (const auto& [place, one] : best) scored.push_back(one);
  return scored;
}

// Returns all passages of the pages. A passage is promising if it holds much of the question.
std::vector<FoundPassage> passages_by_terms(const session::Context& context, const Query& query,
                                            const std::vector<FoundPage>& found) {
  const session::Corpus& corpus = context.session.corpus();
  const TermCoverage coverage(context, query.asked_terms, query.spellings);
  std::vector<FoundPassage> all;
  for (std::size_t place = 0; place < found.size(); ++place) {
    const Page page = corpus.page(found[place].page);
    for (evidence::PagePassage& passage : evidence::page_passages(page)) {
      std::string text = passage.passage.context;
      for (const std::uint32_t word : passage.all_words())
        append_word(page.words[word].text, &text);
      all.push_back(
          {place, std::move(passage), coverage.in_terms(text::terms(text, page.language))});
    }
  }
  return all;
}

// Scores the pages' pictures, which are rendered as agents see them.
std::vector<RerankScore> judged_pictures(session::Context& context, const models::Reranker& model,
                                         const std::string& question,
                                         const std::vector<FoundPage>& found) {
  const auto score = [&](std::size_t first, std::size_t number) {
    std::vector<SharedImage> pictures;
    for (std::size_t i = first; i < first + number; ++i) {
      pictures.push_back(context.session.images().page(found[i].page, session::Tier::page));
    }
    return model.score_pages(question, pictures);
  };
  const std::vector<double> scores =
      scored_in_time(context, model, "pages", found.size(), kPicturesACall, score);
  std::vector<RerankScore> scored;
  scored.reserve(scores.size());
  for (std::size_t place = 0; place < scores.size(); ++place) {
    scored.push_back({place, scores[place], std::nullopt});
  }
  return scored;
}

// Scores each page by its best passage, among the most promising passages of all pages.
std::vector<RerankScore> judged_passages(session::Context& context, const models::QaModel& model,
                                         const Query& query, const std::vector<FoundPage>& found,
                                         Fusion fusion) {
  const std::vector<FoundPassage> chosen =
      most_promising(passages_by_terms(context, query, found), kPiecesAPage * found.size());
  std::vector<models::QaPassage> passages;
  for (const FoundPassage& one : chosen) passages.push_back(one.passage.passage);
  const auto score = [&](std::size_t first, std::size_t number) {
    std::vector<double> relevance;
    const auto some = std::span(passages).subspan(first, number);
    for (const auto& reading : model.read(query.question, some)) {
      relevance.push_back(reading.relevance);
    }
    return relevance;
  };
  std::vector<double> odds =
      scored_in_time(context, model, "passages", passages.size(), kPassagesACall, score);
  const std::vector<double> by_search = search_odds(found, fusion);
  for (std::size_t i = 0; i < odds.size(); ++i) {
    odds[i] = joint_odds(odds[i], by_search[chosen[i].place]);
  }
  std::vector<RerankScore> scored;
  for (const auto& [place, best] : best_of_each_page(chosen, odds)) {
    // The sigmoid turns log-odds into a score of 0..1, as the other models give it.
    scored.push_back({place, 1 / (1 + std::exp(-best)), std::nullopt});
  }
  return scored;
}

std::vector<RerankScore> judged(session::Context& context, const std::string& spec,
                                const Query& query, const std::vector<FoundPage>& found,
                                Fusion fusion) {
  const session::Models& models = context.session.models();
  const models::Reranker& model = models.reranker(spec);
  if (const models::QaModel* qa_model = model.as_qa_model()) {
    return judged_passages(context, *qa_model, query, found, fusion);
  }
  return model.sees() ? judged_pictures(context, model, query.question, found)
                      : judged_texts(context, model, query.question, found);
}

bool chooses_by_scores(const SearchOptions& options) {
  return options.adaptive || options.fusion == Fusion::union_of_lists;
}

// The built-in QA model is skipped instead of refused. It was once part of a preset, so files and
// habits may name it together with these options.
bool gives_way(const SearchOptions& options) {
  return options.rerank == models::kBuiltInQaModel && chooses_by_scores(options);
}

template <class Found>
void keep(const SearchOptions& options, std::vector<Found>* found) {
  const auto most = static_cast<std::size_t>(std::max(options.k, 0));
  found->resize(std::min(found->size(), most));
  if (!options.min_score) return;
  std::erase_if(*found, [&](const Found& one) { return one.score < *options.min_score; });
}

// Puts pages that were not read (no text, or no time left) back where the search found them, with
// the score of the page after them, so that scores still descend.
std::vector<FoundPage> with_unread(std::vector<FoundPage> read, const std::vector<FoundPage>& found,
                                   const std::vector<bool>& is_read) {
  std::vector<FoundPage> all;
  std::size_t next = 0;
  for (std::size_t place = 0; place < found.size(); ++place) {
    all.push_back(is_read[place] ? std::move(read[next++]) : found[place]);
  }
  for (std::size_t place = found.size(); place-- > 0;) {
    if (!is_read[place]) all[place].score = place + 1 < all.size() ? all[place + 1].score : 0;
  }
  return all;
}

}  // namespace

bool is_missing(const session::Models& models, const std::string& spec) {
  if (spec != models::kBuiltInQaModel || models.has_qa_model()) return false;
  static std::once_flag noted;
  std::call_once(noted, [] {
    log::note(
        "there is no QA model in configs/qa-model or next to the program: answers are quotes, and "
        "pages keep the order of the search; --qa none avoids this note");
  });
  return true;
}

std::string chosen_reranker(const session::Models& models, const SearchOptions& options) {
  if (options.rerank == kNoModel) return "";
  return is_missing(models, options.rerank) ? "" : options.rerank;
}

bool is_reranked(const session::Models& models, const SearchOptions& options) {
  return !chosen_reranker(models, options).empty() && !gives_way(options);
}

SearchOptions before_rerank(const session::Models& models, const SearchOptions& options) {
  if (!is_reranked(models, options)) return options;
  if (chooses_by_scores(options)) {
    throw Error(ErrorCode::usage,
                format("--rerank {} cannot be combined with {}, which chooses pages by the "
                       "scorers' own scores; leave one of them out",
                       options.rerank, options.adaptive ? "--adaptive" : "--fusion union"));
  }
  SearchOptions before = options;
  before.k = std::max(options.k, options.rerank_pages);
  // The threshold is meant for the model's scores, which do not exist yet; keep() applies it.
  before.min_score.reset();
  return before;
}

std::vector<FoundPage> reranked(session::Context& context, const Query& query,
                                std::vector<FoundPage> found, const SearchOptions& options) {
  const std::string spec = chosen_reranker(context.session.models(), options);
  if (spec.empty() || gives_way(options) || found.empty()) return found;
  std::vector<FoundPage> read;
  std::vector<bool> is_read(found.size(), false);
  for (const RerankScore& one : judged(context, spec, query, found, options.fusion)) {
    is_read[one.place] = true;
    FoundPage page = found[one.place];
    page.score = one.score;
    if (one.chunk) page.chunk = one.chunk;
    page.scores.push_back({kRerankName, page.score});
    read.push_back(std::move(page));
  }
  // All pages stay as the scorers ranked them. The threshold is for the model's scores, so it does
  // not apply to these.
  if (read.empty()) {
    found.resize(std::min(found.size(), static_cast<std::size_t>(std::max(options.k, 0))));
    return found;
  }
  std::ranges::stable_sort(read, std::greater<>(), &FoundPage::score);
  found = with_unread(std::move(read), found, is_read);
  keep(options, &found);
  return found;
}

std::vector<FoundChunk> reranked(session::Context& context, const Query& query,
                                 std::vector<FoundChunk> found, const SearchOptions& options) {
  const std::string spec = chosen_reranker(context.session.models(), options);
  if (spec.empty() || gives_way(options) || found.empty()) return found;
  std::vector<ChunkId> chunks;
  for (const FoundChunk& one : found) chunks.push_back(one.chunk);
  const models::Reranker& model = context.session.models().reranker(spec);
  const std::vector<double> scores = chunk_verdicts(context, model, query.question, chunks);
  if (scores.size() == found.size()) {
    // With some chunks unscored the two kinds of scores cannot be compared, so the order stays.
    for (std::size_t i = 0; i < found.size(); ++i) found[i].score = scores[i];
    std::ranges::stable_sort(found, std::greater<>(), &FoundChunk::score);
  }
  keep(options, &found);
  return found;
}

}  // namespace fineprint::retrieve
