// Cuts pages into snippets, scores and sorts them.
#include "pipelines/extractive/candidates.h"

#include <algorithm>

#include "fineprint/core/unicode.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/answer_value.h"

namespace fineprint::pipelines::extractive {
namespace {

// How many of the found pages are cut into snippets: fewer if they are only quoted, more if a QA
// model reads them.
constexpr std::size_t kPagesQuoted = 5, kPagesRead = 10;
constexpr std::size_t kPassagesRead = 48;  // snippets that the encoder compares

// Weights of the evidence for a snippet. They are round numbers: neighbouring ones do about as
// well.
constexpr double kContextWeight = 0.4;
constexpr double kAddedWeight = 0.3;
constexpr double kKindWeight = 0.2;
constexpr double kAddressWeight = 1;    // instead, for addresses: nothing else looks like one
constexpr double kSubjectWeight = 0.2;  // once for names and once for years
constexpr double kPageWeight = 2.0;
constexpr double kSimilarityWeight = 0.5;

double share_of(const std::vector<std::string>& wanted, const std::vector<std::string>& present) {
  if (wanted.empty()) return 0;
  const auto count = std::count_if(wanted.begin(), wanted.end(), [&](const std::string& term) {
    return std::find(present.begin(), present.end(), term) != present.end();
  });
  return static_cast<double>(count) / static_cast<double>(wanted.size());
}

// Returns the score without the encoder's similarity.
double plain_score(const Reading& reading, const Candidate& candidate) {
  const std::vector<std::string> own =
      text::terms(candidate.passage.text, candidate.page->language);
  std::vector<std::string> context;
  for (std::string& term : text::terms(candidate.passage.context, candidate.page->language)) {
    if (std::find(own.begin(), own.end(), term) == own.end()) context.push_back(std::move(term));
  }
  const double kind =
      kind_fit(candidate.passage.text, reading.kind, reading.query.core, candidate.page->language);
  // A row that names columns is context rather than an answer.
  const double own_weight = candidate.passage.names_columns ? kContextWeight : 1;
  return own_weight * reading.coverage.in_terms(own) +
         kContextWeight * reading.coverage.in_terms(context) +
         kAddedWeight * share_of(reading.query.added_terms, own) +
         (text::is_address(reading.kind) ? kAddressWeight : kKindWeight) * kind +
         kSubjectWeight * (candidate.subject.names + candidate.subject.years) +
         kPageWeight * candidate.found->score;
}

void sort_best_first(std::vector<Candidate>* candidates) {
  std::stable_sort(candidates->begin(), candidates->end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
}

std::vector<Candidate> collect(const Reading& reading) {
  std::vector<Candidate> candidates;
  for (std::size_t place = 0; place < reading.pages.size(); ++place) {
    for (Candidate& one : candidates_on(reading, place)) candidates.push_back(std::move(one));
  }
  // Sorted before the cut, so that the encoder compares only the most promising snippets.
  sort_best_first(&candidates);
  if (candidates.size() > kPassagesRead) candidates.resize(kPassagesRead);
  return candidates;
}

// Adds the cosine between the question and each snippet to its score.
void compare_meaning(const session::Context& context, const Reading& reading,
                     std::vector<Candidate>* candidates) {
  constexpr std::size_t kContextBytes = 100;
  std::vector<std::string> texts;
  for (const Candidate& candidate : *candidates) {
    std::string head = valid_utf8(candidate.passage.context.substr(0, kContextBytes));
    texts.push_back((head.empty() ? "" : head + ": ") + candidate.passage.text);
  }
  const Matrix question = context.session.embed({reading.query.core});
  const Matrix vectors = context.session.embed(texts, models::TextRole::passage);
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    Candidate& candidate = (*candidates)[i];
    for (std::size_t d = 0; d < vectors.cols; ++d) {
      candidate.cosine += static_cast<double>(question.row(0)[d]) * vectors.row(i)[d];
    }
    candidate.score += kSimilarityWeight * candidate.cosine;
  }
  sort_best_first(candidates);
}

std::vector<Page> first_pages(const session::Context& context,
                              const std::vector<retrieve::FoundPage>& found, std::size_t count) {
  std::vector<Page> pages;
  for (std::size_t i = 0; i < std::min(count, found.size()); ++i) {
    pages.push_back(context.session.corpus().page(found[i].page));
  }
  return pages;
}

// A reranker's scores are of another kind than those of Fusion::weighted: only ranks count then.
retrieve::Fusion kind_of_scores(const retrieve::SearchOptions& options, bool for_qa_model) {
  return for_qa_model && !options.rerank.empty() ? retrieve::Fusion::rrf : options.fusion;
}

}  // namespace

Reading::Reading(session::Context& context, const std::string& question,
                 const retrieve::SearchOptions& options, bool for_qa_model)
    : query(retrieve::prepare_query(question, context.session.corpus().languages())),
      kind(text::answer_kind(question, query.language)),
      found(retrieve::search(context, query, options)),
      page_odds(retrieve::search_odds(found, kind_of_scores(options, for_qa_model))),
      pages(first_pages(context, found, for_qa_model ? kPagesRead : kPagesQuoted)),
      coverage(context, query.asked_terms, query.spellings),
      subjects(context, subjects_of(query)) {}

std::vector<Candidate> candidates_on(const Reading& reading, std::size_t place) {
  std::vector<Candidate> candidates;
  for (Passage& passage : passages_of(reading.pages[place])) {
    Candidate candidate{.page = &reading.pages[place],
                        .found = &reading.found[place],
                        .passage = std::move(passage),
                        .subject = {}};
    candidate.subject = reading.subjects.fit(candidate.found->page, candidate.passage);
    candidate.score = plain_score(reading, candidate);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::vector<Candidate> ranked_candidates(const session::Context& context, const Reading& reading) {
  std::vector<Candidate> candidates = collect(reading);
  // Without the scorer `text` no encoder is loaded, and none is loaded just for this.
  if (!candidates.empty() && best_cosine(reading) > 0) {
    compare_meaning(context, reading, &candidates);
  }
  return candidates;
}

void add_relevance(const Reading& reading, const std::vector<double>& relevance,
                   std::vector<Candidate>* candidates) {
  for (Candidate& candidate : *candidates) {
    const auto place = static_cast<std::size_t>(candidate.page - reading.pages.data());
    candidate.score += kPageWeight * retrieve::relevance_in_score(relevance[place]);
  }
  sort_best_first(candidates);
}

double best_cosine(const Reading& reading) {
  double best = 0;
  for (const retrieve::FoundPage& page : reading.found) {
    for (const NamedScore& part : page.scores) {
      if (part.scorer == "text") best = std::max(best, part.score);
    }
  }
  return best;
}

}  // namespace fineprint::pipelines::extractive
